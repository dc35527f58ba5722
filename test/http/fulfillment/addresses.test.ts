import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { createAddressSearch, type AddressSearch } from '../../../app/fulfillment/addresses/address-search.ts';
import { createErpStreets } from '../../../app/fulfillment/addresses/erp-streets.ts';
import { importZones } from '../../../app/mirror/zones/import-zones.ts';
import { deleteOutdated } from '../../../app/retention.ts';
import type {
  AddressSuggestions,
  DeliveryExplanation,
  DeliveryResolution,
} from '../../../contracts/fulfillment/zones.ts';
import { readEnv } from '../../../platform/env.ts';
import { createGeocoder } from '../../../platform/geocoder/geocoder.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { importBasics, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';

type Kind = 'photon' | 'nominatim';
const PATHS: Readonly<Record<Kind, string>> = { photon: '/photon/api', nominatim: '/nominatim/search' };
/** A house of the emulator's first restaurant, in its zones. */
const ADDRESS = { city: 'Москва', street: 'Садовая улица', house: '12' };

let world: MirrorWorld;
let organization: { id: number; erpId: string };
const apis = new Map<Kind | 'none', { api: TestApi; admin: AdminClient }>();
beforeAll(async () => {
  world = await mirrorWorld();
  await importBasics(world);
  await importZones(world.deps, { runId: await world.open('ZONES'), connectionId: world.connectionId });
  [organization] = (await world.db.query(
    'select id, erp_id as "erpId" from mirror_organization order by id limit 1',
  )) as [typeof organization];
  const { db, url } = world;
  const database = { db, url, close: () => Promise.resolve() };
  for (const kind of ['photon', 'nominatim', 'none'] as const) {
    const api = await startTestApi({
      routes,
      database,
      env: { RATE_LIMIT_ADDRESSES: kind === 'none' ? '3' : 'off' },
      deps: { addressSearch: kind === 'none' ? null : searchOf(kind), erpStreets: createErpStreets(world.deps.erp) },
    });
    apis.set(kind, { api, admin: await adminClient(api.url, ADMIN.email, ADMIN.password) });
  }
}, 60_000);
afterAll(async () => {
  for (const { api } of apis.values()) await api.stop();
  await world.close();
});
beforeEach(async () => {
  await world.emulator.control('reset');
  await world.db.query('delete from geocoder_answer');
});

/** A search of its own circuit, on the emulator's geocoder of this kind. */
function searchOf(kind: Kind, given: Record<string, string> = {}): AddressSearch {
  const env = readEnv(
    { GEOCODER: kind, GEOCODER_URL: `${world.emulator.url}/${kind}`, GEOCODER_TIMEOUT: '300ms', ...given },
    ['GEOCODER', 'GEOCODER_URL', 'GEOCODER_KEY', 'GEOCODER_TIMEOUT', 'GEOCODER_CACHE_LIFE', 'GEOCODER_CACHE_ROWS'],
  );
  return createAddressSearch({ db: world.db, geocoder: createGeocoder(env)!, env });
}
const callsTo = async (kind: Kind) =>
  (await world.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${PATHS[kind]}`)).calls.length;
const ask = (kind: Kind | 'none', body: object) =>
  fetch(`${apis.get(kind)!.api.url}/api/v1/delivery/resolve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const resolve = async (kind: Kind, address: object) =>
  (await (await ask(kind, { address })).json()) as DeliveryResolution;
const suggest = (kind: Kind | 'none', search: string) =>
  fetch(`${apis.get(kind)!.api.url}/api/v1/addresses/suggest?${search}`);
const suggested = async (kind: Kind | 'none', search: string) =>
  (await (await suggest(kind, search)).json()) as AddressSuggestions;

describe.each(['photon', 'nominatim'] as const)('an address, found by %s', (kind) => {
  test('is resolved to its zone, however it is spelt', async () => {
    const found = await resolve(kind, ADDRESS);

    expect(found).toMatchObject({
      resolved: true,
      reason: null,
      organizationId: organization.erpId,
      addressPrecision: 'HOUSE',
      coords: [expect.any(Number), expect.any(Number)],
    });
    expect(await resolve(kind, { city: 'г. москва', street: 'ул. Садовая', house: 'дом 12' })).toEqual(found);
  });

  test.each([
    ['that nobody knows', { street: 'Несуществующая улица' }, 'ADDRESS_NOT_FOUND', null],
    ['of which only the street is known', { house: '999' }, 'ADDRESS_IMPRECISE', 'STREET'],
    ['outside of every zone', { house: '60' }, 'ZONE_NOT_FOUND', 'HOUSE'],
  ])('%s is refused with its reason', async (_, part, reason, precision) => {
    expect(await resolve(kind, { ...ADDRESS, ...part })).toMatchObject({
      resolved: false,
      reason,
      addressPrecision: precision,
      zoneId: null,
      minOrderSum: null,
    });
  });

  test.each([
    ['500', {}],
    ['truncated-json', {}],
    ['slow', { delayMs: 1_000 }],
  ])('while the geocoder fails by %s is GEOCODER_UNAVAILABLE, and nothing of it is kept', async (fault, more) => {
    await world.emulator.control('fault', { kind: fault, endpoint: PATHS[kind], ...more });

    const failed = await resolve(kind, ADDRESS);

    expect(failed).toMatchObject({ resolved: false, reason: 'GEOCODER_UNAVAILABLE', coords: null });
    expect((await resolve(kind, ADDRESS)).resolved).toBe(true);
  });

  test('is suggested while it is typed, near the organization', async () => {
    const { items, degraded } = await suggested(
      kind,
      `q=москва садовая 1&organization_id=${organization.erpId}&limit=3`,
    );

    expect(degraded).toBe(false);
    expect(items[0]).toEqual({
      text: 'Москва, Садовая улица, 1',
      address: { city: 'Москва', street: 'Садовая улица', house: '1' },
      coords: [expect.any(Number), expect.any(Number)],
      precision: 'HOUSE',
    });
    expect(items.length).toBeLessThanOrEqual(3);
    expect(new Set(items.map((item) => item.text)).size).toBe(items.length);
  });
});

test('a street is accepted where the setting says so, a city never', async () => {
  const { admin } = apis.get('photon')!;
  const set = async (value: string | null) => {
    const { version } = await admin.get<{ version: number }>('/settings/imprecise_address');
    await admin.patch('/settings/imprecise_address', { version, value });
  };
  await set('ACCEPT');

  const street = await resolve('photon', { ...ADDRESS, house: '999' });
  await set(null);

  expect(street).toMatchObject({ resolved: true, addressPrecision: 'STREET' });
});

describe('answers of the geocoder', () => {
  test('are kept, so that the same question is asked once and answered while it is away', async () => {
    await resolve('photon', ADDRESS);
    const calls = await callsTo('photon');
    await world.emulator.control('fault', { kind: '500', endpoint: PATHS.photon, times: 9 });

    expect((await resolve('photon', ADDRESS)).resolved).toBe(true);
    expect(await callsTo('photon')).toBe(calls);
    expect(JSON.stringify(await world.db.query('select key from geocoder_answer'))).not.toMatch(/садовая/i);
  });

  test('are asked for again after their life, and deleted', async () => {
    await resolve('photon', ADDRESS);
    const calls = await callsTo('photon');
    await world.db.query(`update geocoder_answer set expires_at = now() - interval '1 second'`);

    await resolve('photon', ADDRESS);

    expect(await callsTo('photon')).toBe(calls + 1);
    await world.db.query(`update geocoder_answer set expires_at = now() - interval '1 second'`);
    await deleteOutdated(world.db);
    expect(await world.db.query('select 1 from geocoder_answer')).toEqual([]);
  });

  test('are limited in number, the oldest go first; nothing found is kept for an hour at most', async () => {
    const search = searchOf('photon', { GEOCODER_CACHE_ROWS: '40' });

    for (let at = 0; at < 100; at += 1) await search.search({ text: `нигде ${at}`, limit: 1 });

    const rows = await world.db.query<{ places: unknown[]; hours: number }>(
      `select places, extract(epoch from expires_at - created_at)::int / 3600 as hours from geocoder_answer`,
    );
    expect(rows).toHaveLength(40);
    expect(rows[0]).toEqual({ places: [], hours: 1 });
    const calls = await callsTo('photon');
    await search.search({ text: 'НИГДЕ  99', limit: 1 });
    expect(await callsTo('photon')).toBe(calls);
  });
});

test('a geocoder that fails again and again is left alone for a while', async () => {
  const search = searchOf('photon');
  await world.emulator.control('fault', { kind: '500', endpoint: PATHS.photon, times: 50 });
  const before = await callsTo('photon');

  for (let at = 0; at < 12; at += 1)
    await expect(search.search({ text: `москва ${at}`, limit: 1 })).rejects.toMatchObject({
      name: 'GeocoderUnavailable',
    });

  expect((await callsTo('photon')) - before).toBe(5);
});

test('questions without a word are not asked, so they keep the geocoder from nobody', async () => {
  for (let at = 0; at < 6; at += 1)
    expect(await suggested('photon', 'q=%20%20%20')).toEqual({ items: [], degraded: false });

  expect((await resolve('photon', ADDRESS)).resolved).toBe(true);
});

describe('without a geocoder', () => {
  test('an address cannot be resolved, a point can', async () => {
    const answer = (await (await ask('none', { address: ADDRESS })).json()) as DeliveryResolution;

    expect(answer).toMatchObject({ resolved: false, reason: 'GEOCODER_UNAVAILABLE' });
  });

  test('streets of the ERP are suggested, asked for once, and the client is told', async () => {
    const { api } = apis.get('photon')!;
    const erpStreets = createErpStreets(world.deps.erp);
    const deps = { db: world.db, addressSearch: null, erpStreets };
    const { suggestAddresses } = await import('../../../app/fulfillment/addresses/suggest-addresses.ts');
    const organizationId = organization.erpId;
    const first = await suggestAddresses(deps, { q: 'моск сад', limit: 5, organizationId });
    const again = await suggestAddresses(deps, { q: 'москва', limit: 2, organizationId });
    const elsewhere = await suggestAddresses(deps, { q: 'москва', limit: 5, organizationId: undefined });

    expect(api.url).not.toBe('');
    expect(first).toEqual({
      items: [
        {
          text: 'Москва, Садовая улица',
          address: { city: 'Москва', street: 'Садовая улица', house: null },
          coords: null,
          precision: 'STREET',
        },
      ],
      degraded: true,
    });
    expect(again.items).toHaveLength(2);
    expect(elsewhere).toEqual({ items: [], degraded: true });
    const { calls } = await world.emulator.control<{ calls: unknown[] }>('calls?endpoint=/api/1/streets/by_city');
    expect(calls).toHaveLength(1);
  });

  test('requests are limited tighter than others', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await suggest('none', 'q=москва')).status);

    expect(statuses).toContain(429);
    expect((await fetch(`${apis.get('none')!.api.url}/api/v1/organizations`)).status).toBe(200);
  });
});

test.each([
  [{ address: ADDRESS, coords: [37, 55] }, 'coords'],
  [{}, 'address'],
  [{ address: { city: 'Москва', street: 'Садовая улица' } }, 'address.house'],
])('%j is refused by its field', async (body, field) => {
  const answer = await ask('photon', body);

  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ field }] });
});

test('suggestions for an unknown organization are 404, two letters are too few', async () => {
  expect((await suggest('photon', 'q=москва&organization_id=00000000-0000-4000-8000-0000000000ff')).status).toBe(404);
  expect((await suggest('photon', 'q=мо')).status).toBe(422);
});

describe('the explanation for staff', () => {
  const explain = (body: object) => apis.get('photon')!.admin.post<DeliveryExplanation>('/delivery/explain', body);

  test('names the zones of the point, the rule that chose and draws them', async () => {
    const guest = await resolve('photon', ADDRESS);

    const { resolution, rule, candidates, geojson } = await explain({ address: ADDRESS });

    expect(resolution).toEqual(guest);
    expect(rule).toBe('ONLY_ZONE');
    expect(candidates).toEqual([
      {
        zoneId: guest.zoneId,
        organizationId: organization.id,
        name: guest.zoneName,
        priority: 100,
        isServedNow: true,
        minOrderSum: guest.minOrderSum,
        deliveryFee: 0,
        deliveryDurationMinutes: guest.deliveryDurationMinutes,
        terminalId: null,
      },
    ]);
    expect(geojson.features.map(({ geometry }) => geometry.type)).toEqual(['Point', 'Polygon']);
    expect(geojson.features[1]!.properties).toMatchObject({ zoneId: guest.zoneId, isChosen: true });
    const [ring] = geojson.features[1]!.geometry.coordinates as number[][][];
    expect(ring!.at(0)).toEqual(ring!.at(-1));
  });

  test('says why nobody serves a place', async () => {
    expect(await explain({ coords: [0, 0] })).toMatchObject({ rule: 'NO_ZONE', candidates: [] });
    expect(await explain({ address: { ...ADDRESS, house: '999' } })).toMatchObject({
      rule: 'NOT_LOCATED',
      resolution: { reason: 'ADDRESS_IMPRECISE' },
      candidates: [{ isServedNow: true }],
    });
    expect(await explain({ address: { ...ADDRESS, city: 'Атлантида' } })).toMatchObject({
      rule: 'NOT_LOCATED',
      resolution: { reason: 'ADDRESS_NOT_FOUND' },
      geojson: { features: [] },
    });
  });
});
