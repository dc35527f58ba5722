import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import {
  createAddressSearch,
  type AddressSearch,
} from '../../../modules/delivery/addresses/address-search.ts';
import { createErpStreets } from '../../../modules/delivery/addresses/erp-streets.ts';
import { createDeliveryMaps } from '../../../modules/delivery/zones/delivery-map.ts';
import { createErpServing } from '../../../modules/delivery/zones/erp-serving.ts';
import { explainDelivery } from '../../../modules/delivery/zones/explain-delivery.ts';
import { resolveDelivery } from '../../../modules/delivery/zones/resolve-delivery.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import type { AddedAddress, OwnAddress } from '../../../modules/delivery/schemas/addresses.ts';
import type {
  AddressSuggestions,
  DeliveryExplanation,
  DeliveryResolution,
} from '../../../modules/delivery/schemas/zones.ts';
import { readEnv } from '../../../modules/env.ts';
import { createLog } from '../../../platform/log.ts';
import { geocoderBudget } from '../../../modules/delivery/addresses/geocoder-budget.ts';
import { createGeocoder, geocoderFailure } from '../../../modules/delivery/addresses/geocoder.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { testCustomers } from '../../support/customers.ts';
import { eventually } from '../../support/processes.ts';
import { holdTable } from '../../support/races.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {
  addRow,
  ago,
  countRows,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

type Kind = 'photon' | 'nominatim';
const PATHS: Readonly<Record<Kind, string>> = {
  photon: '/photon/api',
  nominatim: '/nominatim/search',
};
const ADDRESS = { city: 'Москва', street: 'Садовая улица', house: '12' };

const { guestsOf, tokenOf } = await testCustomers();

let fixture: TestFixture;
let organization: { id: number; erpId: string };
const apis = new Map<Kind | 'none', { api: TestApi; admin: AdminClient }>();
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  await importZones(fixture.deps, {
    runId: await fixture.open('ZONES'),
    connectionId: fixture.connectionId,
  });
  [organization] = (await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id', limit: 1 },
  )) as [typeof organization];
  const { db, url } = fixture;
  const database = { db, url, close: () => Promise.resolve() };
  for (const kind of ['photon', 'nominatim', 'none'] as const) {
    const api = await startTestApi({
      routes,
      database,
      env: { RATE_LIMIT_ADDRESSES: kind === 'none' ? '3' : 'off' },
      deps: {
        addressSearch: kind === 'none' ? null : createSearch(kind),
        erpStreets: createErpStreets(fixture.deps.erp),
        guests: guestsOf(fixture.db),
      },
    });
    apis.set(kind, { api, admin: await adminClient(api.url, ADMIN.email, ADMIN.password) });
  }
});
afterAll(async () => {
  for (const { api } of apis.values()) await api.stop();
  await fixture.close();
});
beforeEach(async () => {
  await fixture.emulator.control('reset');
  await deleteRows(fixture.db, 'geocoder_answer');
  await deleteRows(fixture.db, 'window_count');
});

const metrics = createMetrics('api');
/** Each search has a separate circuit. */
function createSearch(kind: Kind, given: Record<string, string> = {}): AddressSearch {
  const env = readEnv(
    {
      NODE_ENV: 'test',
      GEOCODER: kind,
      GEOCODER_URL: `${fixture.emulator.url}/${kind}`,
      GEOCODER_TIMEOUT: '300ms',
      ...given,
    },
    [
      'GEOCODER',
      'GEOCODER_URL',
      'GEOCODER_KEY',
      'GEOCODER_DAILY_CALLS',
      'GEOCODER_TIMEOUT',
      'GEOCODER_CACHE_LIFE',
      'GEOCODER_CACHE_ROWS',
    ],
  );
  const takeCall = geocoderBudget(fixture.db, env);
  return createAddressSearch({
    db: fixture.db,
    geocoder: createGeocoder(env, { metrics, takeCall })!,
    env,
  });
}
const callsTo = async (kind: Kind) =>
  (await fixture.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${PATHS[kind]}`)).calls
    .length;
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
  test('belongs to its zone, in any spelling', async () => {
    const found = await resolve(kind, ADDRESS);

    expect(found).toMatchObject({
      resolved: true,
      reason: null,
      organizationId: organization.erpId,
      addressPrecision: 'HOUSE',
      coords: [expect.any(Number), expect.any(Number)],
    });
    expect(
      await resolve(kind, { city: 'г. москва', street: 'ул. Садовая', house: 'дом 12' }),
    ).toEqual(found);
  });

  test('[FUL-74] never matches a house whose number is joined with the flat', async () => {
    const [house, other] = [
      await resolve(kind, { ...ADDRESS, house: '1' }),
      await resolve(kind, ADDRESS),
    ];
    const written = await Promise.all(
      ['1, 2', '1 - 2', '1 2', '1, 2 этаж'].map((text) =>
        resolve(kind, { ...ADDRESS, house: text }),
      ),
    );

    expect(house).toMatchObject({ resolved: true, addressPrecision: 'HOUSE' });
    expect(other.coords).not.toEqual(house.coords);
    expect(written).toEqual(written.map(() => house));
    expect(await resolve(kind, { ...ADDRESS, house: '1 или 2' })).toMatchObject({
      resolved: false,
      reason: 'ADDRESS_IMPRECISE',
    });
  });

  test.each([
    [
      'that the geocoder does not find',
      { street: 'Несуществующая улица' },
      'ADDRESS_NOT_FOUND',
      null,
    ],
    [
      'of which the geocoder finds only the street',
      { house: '999' },
      'ADDRESS_IMPRECISE',
      'STREET',
    ],
    ['outside of every zone', { house: '60' }, 'ZONE_NOT_FOUND', 'HOUSE'],
  ])('[FUL-33] fails with its reason if it is one %s', async (_, part, reason, precision) => {
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
  ])(
    'causes GEOCODER_UNAVAILABLE while the geocoder fails by %s, and nothing is stored',
    async (fault, more) => {
      await fixture.emulator.control('fault', { kind: fault, endpoint: PATHS[kind], ...more });

      const failed = await resolve(kind, ADDRESS);

      expect(failed).toMatchObject({
        resolved: false,
        reason: 'GEOCODER_UNAVAILABLE',
        coords: null,
      });
      expect((await resolve(kind, ADDRESS)).resolved).toBe(true);
    },
  );

  test('appears in suggestions while it is typed, near the organization', async () => {
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

describe('an ambiguous address on streets of different kinds', () => {
  const found = (street: string, longitude: number) => ({
    city: 'Москва',
    street,
    house: '5',
    coords: [longitude, 55.7] as [number, number],
    otherCities: [],
    otherStreets: [],
  });
  const deps = () => ({
    ...apis.get('photon')!.api.deps,
    addressSearch: {
      search: () => Promise.resolve([found('улица Мира', 37.5), found('проспект Мира', 37.9)]),
    } as AddressSearch,
  });

  test('[FUL-56] counts as imprecise, with candidates', async () => {
    const ambiguous = await resolveDelivery(deps(), {
      address: { city: 'Москва', street: 'Мира', house: '5' },
    });
    const named = await resolveDelivery(deps(), {
      address: { city: 'Москва', street: 'пр-кт Мира', house: '5' },
    });

    expect(ambiguous).toMatchObject({ resolved: false, reason: 'ADDRESS_IMPRECISE', coords: null });
    expect(ambiguous.candidates).toEqual([
      {
        text: 'Москва, улица Мира, 5',
        address: { city: 'Москва', street: 'улица Мира', house: '5' },
        coords: [37.5, 55.7],
        precision: 'HOUSE',
      },
      expect.objectContaining({ text: 'Москва, проспект Мира, 5' }),
    ]);
    expect(named).toMatchObject({
      coords: [37.9, 55.7],
      addressPrecision: 'HOUSE',
      candidates: [],
    });
  });

  test('[FUL-54] includes a building as a part of the house', async () => {
    const address = { city: 'Москва', street: 'пр-кт Мира', house: '5', building: '2' };

    expect(await resolveDelivery(deps(), { address })).toMatchObject({
      addressPrecision: 'STREET',
    });
  });
});

test('[FUL-33] an address may be a street if the setting allows it, but never a city', async () => {
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

const yesterday = () => Temporal.Now.plainDateISO('UTC').subtract({ days: 1 }).toString();

describe('concurrent equal queries', () => {
  const equal = (search: AddressSearch, count = 12) =>
    Array.from({ length: count }, (_, at) =>
      search.search(
        { text: at % 2 === 0 ? 'москва садовая 12' : ' МОСКВА  Садовая 12 ', limit: 3 },
        'OTHER',
      ),
    );

  test('[FUL-59] share one call to the geocoder, and other queries have their own', async () => {
    const search = createSearch('photon');
    const before = await callsTo('photon');
    const other = search.search({ text: 'москва садовая 14', limit: 3 }, 'OTHER');

    const answers = await Promise.all(equal(search));

    expect([answers[0]![0], (await other)[0]]).toMatchObject([{ house: '12' }, { house: '14' }]);
    expect(new Set(answers.map((places) => JSON.stringify(places))).size).toBe(1);
    expect((await callsTo('photon')) - before).toBe(2);
  });

  test('[FUL-59] share a failure, which is not stored', async () => {
    const search = createSearch('photon');
    const before = await callsTo('photon');
    await fixture.emulator.control('fault', { kind: '500', endpoint: PATHS.photon });

    const failed = await Promise.allSettled(equal(search));

    expect(failed.map(({ status }) => status)).toEqual(Array(12).fill('rejected'));
    expect((await callsTo('photon')) - before).toBe(1);
    expect((await Promise.all(equal(search)))[0]![0]).toMatchObject({ house: '12' });
    expect((await callsTo('photon')) - before).toBe(2);
  });

  test.each([
    ['resolves and added addresses', ['resolve', 'add']],
    ['suggestions', ['suggest']],
  ] as const)('[FUL-59] wait for the running call: %s', async (_, kinds) => {
    const cartId = randomUUID();
    await addRow(fixture.db, 'cart', {
      id: cartId,
      organizationId: organization.id,
      options: {} as never,
      answered: '[]',
    });
    const json = (path: string, body: object) =>
      fetch(`${apis.get('photon')!.api.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const send = {
      resolve: () => ask('photon', { address: ADDRESS }),
      add: () => json('/addresses', { cartId, address: ADDRESS }),
      suggest: () => suggest('photon', 'q=москва садовая 1'),
    };
    const before = await callsTo('photon');
    // The first search cannot store its answer, so the other searches find it running.
    const held = await holdTable(fixture.db, 'geocoder_answer');
    const first = send[kinds[0]]();
    await held.waits(1);
    const others = Array.from({ length: 8 }, (_, at) => send[kinds[at % kinds.length]!]());
    // A later request that needs no geocoder.
    await suggest('photon', 'q=%20%20%20');
    await held.release();
    const statuses = (await Promise.all([first, ...others])).map(({ ok }) => ok);

    expect(statuses).toEqual(Array(9).fill(true));
    expect((await callsTo('photon')) - before).toBe(1);
  });

  test('[FUL-59] share one call to the ERP about who delivers to a point', async () => {
    const gate = Promise.withResolvers<[]>();
    const asked: unknown[] = [];
    const erp = {
      deliveryServers: (_: number, request: unknown) => {
        asked.push(request);
        return gate.promise;
      },
    };
    const serving = createErpServing({ erp, log: createLog({ service: 'test', level: 'silent' }) });
    const candidates = new Map([[1, ['restaurant']]]);

    const answers = [37, 37, 38].map((longitude) => serving.at([longitude, 55], candidates));
    gate.resolve([]);

    expect(await Promise.all(answers)).toEqual([[], [], []]);
    expect(asked).toHaveLength(2);
  });
});

describe('stored answers of the geocoder', () => {
  test('[FUL-60] contain days instead of times, and stay for at most their lifetime', async () => {
    await resolve('photon', ADDRESS);
    const [row] = await fixture.db.query<Record<string, unknown>>(
      `select pg_typeof(created_at)::text as type, created_at = (now() at time zone 'UTC')::date as "isToday",
              to_char(expires_at at time zone 'UTC', 'HH24:MI:SS.US') as "ends",
              expires_at <= now() + interval '720 hours' as "isInTime",
              expires_at > now() + interval '695 hours' as "isLong" from geocoder_answer`,
    );

    expect(row).toEqual({
      type: 'date',
      isToday: true,
      ends: '00:00:00.000000',
      isInTime: true,
      isLong: true,
    });
  });

  test.each([
    ['30h', 86_400_000 * 0.625],
    ['2h', 3_600_000],
  ])('[FUL-60] expire, with a lifetime of %s, at multiples of half of it', async (life, step) => {
    await createSearch('photon', { GEOCODER_CACHE_LIFE: life }).search(
      { text: 'москва садовая 12', limit: 1 },
      'OTHER',
    );
    const { expiresAt } = await selectRow(fixture.db, 'geocoder_answer', ['expiresAt']);

    expect(expiresAt.getTime() % step).toBe(0);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(step - 60_000);
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(2 * step);
  });

  test('[FUL-60] disappear after their end, and not before', async () => {
    const search = createSearch('photon');
    for (const house of [12, 14])
      await search.search({ text: `москва садовая ${house}`, limit: 1 }, 'OTHER');
    const [one] = await selectRows(fixture.db, 'geocoder_answer', ['key']);
    await updateRows(fixture.db, 'geocoder_answer', { createdAt: yesterday() });
    await updateRows(
      fixture.db,
      'geocoder_answer',
      { expiresAt: ago('1 second') },
      { key: one!.key },
    );

    await deleteOutdated(fixture.db);

    expect(await countRows(fixture.db, 'geocoder_answer')).toBe(1);
    expect(await countRows(fixture.db, 'geocoder_answer', { key: one!.key })).toBe(0);
  });

  test('[FUL-34] prevent a second call for an equal query, and replace the geocoder during an outage', async () => {
    await resolve('photon', ADDRESS);
    const calls = await callsTo('photon');
    await fixture.emulator.control('fault', { kind: '500', endpoint: PATHS.photon, times: 9 });

    expect((await resolve('photon', ADDRESS)).resolved).toBe(true);
    expect(await callsTo('photon')).toBe(calls);
    expect(JSON.stringify(await selectRows(fixture.db, 'geocoder_answer', ['key']))).not.toMatch(
      /садовая/i,
    );
  });

  test('expire after their lifetime, when they are deleted and requested again', async () => {
    await resolve('photon', ADDRESS);
    const calls = await callsTo('photon');
    await updateRows(fixture.db, 'geocoder_answer', { expiresAt: ago('1 second') });

    const again = await resolve('photon', ADDRESS);

    expect(again.resolved).toBe(true);
    expect(await callsTo('photon')).toBe(calls + 1);
    await updateRows(fixture.db, 'geocoder_answer', { expiresAt: ago('1 second') });
    await deleteOutdated(fixture.db);
    expect(await countRows(fixture.db, 'geocoder_answer')).toBe(0);
  });

  test('[FUL-34] disappear from the oldest day on above a limit, and empty ones after at most an hour', async () => {
    const search = createSearch('photon', { GEOCODER_CACHE_ROWS: '40' });
    const ask = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1)
        await search.search({ text: `нигде ${at}`, limit: 1 }, 'OTHER');
    };

    await ask(0, 70);
    await updateRows(fixture.db, 'geocoder_answer', { createdAt: yesterday() });
    await ask(70, 100);

    const rows = await fixture.db.query<{ places: unknown[]; isOld: boolean; minutes: number }>(
      `select places, created_at < (now() at time zone 'UTC')::date as "isOld",
              ceil(extract(epoch from expires_at - now()) / 60)::int as minutes
         from geocoder_answer order by created_at desc`,
    );
    expect(rows.map(({ isOld }) => isOld)).toEqual([
      ...Array<boolean>(30).fill(false),
      ...Array<boolean>(10).fill(true),
    ]);
    expect(rows[0]!.places).toEqual([]);
    expect(rows.every(({ minutes }) => minutes > 28 && minutes <= 60)).toBe(true);
    const calls = await callsTo('photon');
    await search.search({ text: 'НИГДЕ  99', limit: 1 }, 'OTHER');
    expect(await callsTo('photon')).toBe(calls);
  });
});

test('[FUL-34] a geocoder that fails repeatedly receives no calls for a while', async () => {
  const search = createSearch('photon');
  await fixture.emulator.control('fault', { kind: '500', endpoint: PATHS.photon, times: 50 });
  const before = await callsTo('photon');

  for (let at = 0; at < 12; at += 1)
    await expect(search.search({ text: `москва ${at}`, limit: 1 }, 'OTHER')).rejects.toMatchObject({
      name: 'GeocoderUnavailable',
    });

  expect((await callsTo('photon')) - before).toBe(5);
});

test('[FUL-43] a geocoder that rejects a query receives the next one', async () => {
  const search = createSearch('photon');
  await fixture.emulator.control('fault', { kind: '403', endpoint: PATHS.photon, times: 6 });

  for (let at = 0; at < 6; at += 1)
    await expect(search.search({ text: `москва ${at}`, limit: 1 }, 'OTHER')).rejects.toMatchObject({
      name: 'GeocoderUnavailable',
    });

  expect(await search.search({ text: 'москва садовая 12', limit: 1 }, 'OTHER')).toHaveLength(1);
});

test('[FUL-64] a text that always fails does not open the circuit breaker and is not sent for a while', async () => {
  const search = createSearch('photon');
  await fixture.emulator.control('fault', { kind: '500', endpoint: PATHS.photon, times: 5 });
  const before = await callsTo('photon');

  for (let at = 0; at < 8; at += 1)
    await expect(
      search.search({ text: 'москва ядовитая 1', limit: 1 }, 'OTHER'),
    ).rejects.toMatchObject({
      name: 'GeocoderUnavailable',
    });

  expect((await callsTo('photon')) - before).toBe(5);
  expect(await search.search({ text: 'москва садовая 12', limit: 1 }, 'OTHER')).toHaveLength(1);
});

test('[FUL-63] a share of the geocoder is reserved for order addresses', async () => {
  const search = createSearch('photon', { GEOCODER_TIMEOUT: '20s' });
  await fixture.emulator.control('fault', {
    kind: 'slow',
    delayMs: 60_000,
    endpoint: PATHS.photon,
    times: 6,
  });
  const before = await callsTo('photon');
  const others = Array.from({ length: 40 }, (_, at) =>
    search.search({ text: `москва ${at}`, limit: 1 }, 'OTHER').catch(() => 'failed' as const),
  );
  await eventually(
    'six calls that hang',
    async () => (await callsTo('photon')) - before === 6 || undefined,
  );

  expect(await search.search({ text: 'москва садовая 12', limit: 1 }, 'CHECKOUT')).toHaveLength(1);
  expect((await callsTo('photon')) - before).toBe(7);
  await fixture.emulator.control('reset');
  await Promise.all(others);
});

describe('the daily geocoder budget', () => {
  const DAILY = { GEOCODER_DAILY_CALLS: '5' };
  const asked = (search: AddressSearch, text: string, use: 'CHECKOUT' | 'OTHER' = 'OTHER') =>
    search.search({ text, limit: 1 }, use).then(
      (places) => places.length,
      (error: unknown) => geocoderFailure(error),
    );

  test('[FUL-65] covers all processes and reserves a fifth for order addresses', async () => {
    const searches = [createSearch('photon', DAILY), createSearch('photon', DAILY)] as const;
    const answers = [];
    for (let at = 0; at < 6; at += 1)
      answers.push(await asked(searches[at % 2]!, `москва садовая ${at}`));
    const checkout = await asked(searches[0], 'москва садовая 12', 'CHECKOUT');

    expect(answers.map((answer) => typeof answer)).toEqual([
      'number',
      'number',
      'number',
      'number',
      'string',
      'string',
    ]);
    expect(answers.slice(4)).toEqual(['GEOCODER_BUDGET_SPENT', 'GEOCODER_BUDGET_SPENT']);
    expect(checkout).toBe(1);
    expect(await asked(searches[1], 'москва садовая 14', 'CHECKOUT')).toBe('GEOCODER_BUDGET_SPENT');
    // A stored answer needs no call.
    expect(await asked(searches[1], 'москва садовая 12')).toBe(1);
  });

  test('[FUL-65] applies to concurrent calls', async () => {
    const searches = Array.from({ length: 4 }, () => createSearch('photon', DAILY));
    const before = await callsTo('photon');
    await Promise.all(
      searches.flatMap((search, at) =>
        [0, 1, 2].map((turn) => asked(search, `москва ${at} ${turn}`)),
      ),
    );

    expect((await callsTo('photon')) - before).toBe(4);
  });

  test('[FUL-65] starts again after 24 hours, and calls are counted by use and outcome', async () => {
    const search = createSearch('photon', { GEOCODER_DAILY_CALLS: '1' });
    const spent = async () =>
      (await metrics.geocoderCalls.get()).values.find(
        ({ labels }) => labels.use === 'CHECKOUT' && labels.outcome === 'budget_spent',
      )?.value ?? 0;
    const before = await spent();
    const first = await asked(search, 'москва садовая 12', 'CHECKOUT');
    const second = await asked(search, 'москва садовая 14', 'CHECKOUT');
    const after = await spent();
    await updateRows(fixture.db, 'window_count', { endsAt: ago('1 second') });

    expect([first, second]).toEqual([1, 'GEOCODER_BUDGET_SPENT']);
    expect(after - before).toBe(1);
    expect(await asked(search, 'москва садовая 14', 'CHECKOUT')).toBe(1);
  });
});

test('[FUL-34] empty queries are not sent, so they do not open the circuit breaker', async () => {
  for (let at = 0; at < 6; at += 1)
    expect(await suggested('photon', 'q=%20%20%20')).toEqual({ items: [], degraded: false });

  expect((await resolve('photon', ADDRESS)).resolved).toBe(true);
});

describe('an installation without a geocoder', () => {
  test('resolves points but no addresses', async () => {
    const answer = (await (await ask('none', { address: ADDRESS })).json()) as DeliveryResolution;

    expect(answer).toMatchObject({ resolved: false, reason: 'GEOCODER_UNAVAILABLE' });
  });

  test('[FUL-35] suggests streets of the ERP, requested once, with an attribution for the client', async () => {
    const { api } = apis.get('photon')!;
    const erpStreets = createErpStreets(fixture.deps.erp);
    const deps = { db: fixture.db, addressSearch: null, erpStreets };
    const { suggestAddresses } =
      await import('../../../modules/delivery/addresses/suggest-addresses.ts');
    const organizationId = organization.erpId;
    const first = await suggestAddresses(deps, { q: 'моск сад', limit: 5, organizationId });
    const again = await suggestAddresses(deps, { q: 'москва', limit: 2, organizationId });
    const elsewhere = await suggestAddresses(deps, {
      q: 'москва',
      limit: 5,
      organizationId: undefined,
    });

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
    const { calls } = await fixture.emulator.control<{ calls: unknown[] }>(
      'calls?endpoint=/api/1/streets/by_city',
    );
    expect(calls).toHaveLength(1);
  });

  test('[FUL-35] address requests have a lower limit than other requests', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await suggest('none', 'q=москва')).status);

    expect(statuses).toContain(429);
    expect((await fetch(`${apis.get('none')!.api.url}/api/v1/organizations`)).status).toBe(200);
  });
});

test('[ERP-18, FUL-46] the ERP is called once per point, and our zones decide while it is unavailable', async () => {
  const { coords } = await resolve('photon', ADDRESS);
  const { env } = apis.get('none')!.api.deps;
  const warned: string[] = [];
  const log = createLog({
    service: 'api',
    level: 'warn',
    destination: { write: (line: string) => void warned.push(line) },
  });
  const depsNow = () => ({
    db: fixture.db,
    env,
    addressSearch: null,
    deliveryMaps: createDeliveryMaps(fixture.db, 0),
    erpServing: createErpServing({ erp: fixture.deps.erp, log }),
  });
  const place = { coords: coords as [number, number] };
  const endpoint = '/api/1/delivery_restrictions/allowed';
  await addRow(fixture.db, 'setting', { key: 'serving_organization', value: 'ERP' });
  const deps = depsNow();
  const explained = await explainDelivery(deps, place);
  const again = await resolveDelivery(deps, place);
  const { calls } = await fixture.emulator.control<{ calls: unknown[] }>(
    `calls?endpoint=${endpoint}`,
  );
  await fixture.emulator.control('fault', { kind: '500', endpoint });
  const alone = await explainDelivery(depsNow(), place);
  await deleteRows(fixture.db, 'setting');

  expect(explained).toMatchObject({
    rule: 'ERP',
    sentence: 'The ERP has named the restaurant.',
    resolution: {
      resolved: true,
      organizationErpId: organization.erpId,
      deliveryDurationMinutes: 50,
    },
  });
  const { organizationErpId, ...resolution } = explained.resolution;
  expect(again).toEqual({ ...resolution, organizationId: organizationErpId });
  expect(calls).toHaveLength(1);
  expect(alone).toMatchObject({
    rule: 'ONLY_ZONE',
    resolution: { organizationErpId: organization.erpId },
  });
  expect(alone.resolution.deliveryDurationMinutes).not.toBe(50);
  expect(warned.join('')).toContain('using our delivery zones');
  expect(warned.join('')).not.toContain(String(coords![0]));
});

test.each([
  [{ address: ADDRESS, coords: [37, 55] }, 'coords'],
  [{}, 'address'],
  [{ address: { city: 'Москва', street: 'Садовая улица' } }, 'address.house'],
])('the request %j fails with its field', async (body, field) => {
  const answer = await ask('photon', body);

  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ field }] });
});

test('suggestions fail with 404 for an unknown organization, and require three letters', async () => {
  expect(
    (await suggest('photon', 'q=москва&organization_id=00000000-0000-4000-8000-0000000000ff'))
      .status,
  ).toBe(404);
  expect((await suggest('photon', 'q=мо')).status).toBe(422);
});

describe('the explanation of a delivery for staff', () => {
  const explain = (body: object) =>
    apis.get('photon')!.admin.post<DeliveryExplanation>('/delivery/explain', body);

  test('[FUL-36] contains the zones of the point, the deciding rule and their geometry', async () => {
    const guest = await resolve('photon', ADDRESS);

    const { resolution, rule, candidates, geojson } = await explain({ address: ADDRESS });

    expect(resolution).toEqual({
      ...guest,
      organizationId: organization.id,
      organizationErpId: guest.organizationId,
    });
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

  test('shows why no organization delivers to a point', async () => {
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

describe('a stored address', () => {
  type Answer<T> = { status: number; body: T };
  async function send<T>(
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Answer<T>> {
    const response = await fetch(`${apis.get('photon')!.api.url}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T };
  }
  const add = (body: object, token?: string) =>
    send<AddedAddress>('POST', '/addresses', body, token);
  const own = async (token: string) =>
    (await send<{ items: OwnAddress[] }>('GET', '/addresses', undefined, token)).body;
  const stored = () => fixture.db.query('select * from delivery_address, personal_data');
  async function createCart(customerId: string | null = null): Promise<string> {
    const id = randomUUID();
    await addRow(fixture.db, 'cart', {
      id,
      customerId,
      organizationId: organization.id,
      options: {} as never,
      answered: '[]',
    });
    return id;
  }
  beforeEach(() => deleteRows(fixture.db, 'personal_data'));

  test('[FUL-39] belongs to its zone, and exists once, encrypted, if a guest adds it', async () => {
    const cartId = await createCart();
    const address = {
      ...ADDRESS,
      flat: ' 4\u200b2 ',
      entrance: null,
      comment: 'Домофон не работает\n[COMP]Торт[/COMP]',
    };
    const first = await add({ cartId, address });
    const again = await add({
      cartId,
      address: { ...address, street: 'САДОВАЯ улица', flat: '42' },
    });
    const otherFlat = await add({ cartId, address: { ...address, flat: '43' } });

    expect(first).toEqual({
      status: 201,
      body: { addressId: expect.any(String), ...(await resolve('photon', ADDRESS)) },
    });
    expect(again).toEqual({ ...first, status: 200 });
    expect(otherFlat.status).toBe(201);
    expect(otherFlat.body.addressId).not.toBe(first.body.addressId);
    // Omits timestamps, which may contain 37. and 55. as well.
    const readable = JSON.stringify(await stored(), (key, value: unknown) =>
      key === 'created_at' ? null : value,
    );
    expect(readable).not.toMatch(/садовая|москва|домофон|(37|55)\.\d\d/i);
    expect(await send('GET', `/addresses?cart_id=${cartId}`)).toMatchObject({ status: 401 });
  });

  test('[FUL-38] exists once after concurrent requests', async () => {
    const cartId = await createCart();

    const held = await holdTable(fixture.db, 'delivery_address');
    const posted = Array.from({ length: 3 }, () => add({ cartId, address: ADDRESS }));
    await held.waits(3);
    await held.release();
    const answers = await Promise.all(posted);

    expect(new Set(answers.map(({ body }) => body.addressId)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });

  test('[FUL-40] can be read and deleted only by its customer', async () => {
    const [anna, boris] = [await tokenOf('anna'), await tokenOf('boris')];
    const cartId = await createCart();
    const { body } = await add({ cartId, address: { ...ADDRESS, flat: '42' } }, anna);
    const point = await add({ coords: [37.6, 55.75], address: { flat: '1' } }, anna);
    const staff = (await send<{ accessToken: string }>('POST', '/../admin/v1/auth/login', ADMIN))
      .body.accessToken;
    const remove = async (token?: string) =>
      (await send('DELETE', `/addresses/${body.addressId}`, undefined, token)).status;

    expect((await own(anna)).items).toEqual([
      {
        addressId: point.body.addressId,
        address: { ...NOTHING, flat: '1' },
        coords: [37.6, 55.75],
        precision: 'HOUSE',
        createdAt: expect.any(String),
      },
      {
        addressId: body.addressId,
        address: { ...NOTHING, ...ADDRESS, flat: '42' },
        coords: body.coords,
        precision: 'HOUSE',
        createdAt: expect.any(String),
      },
    ]);
    expect((await own(boris)).items).toEqual([]);
    expect([
      await remove(),
      await remove(staff),
      await remove(boris),
      await remove(anna),
      await remove(anna),
    ]).toEqual([401, 401, 404, 204, 404]);
    expect(await stored()).toHaveLength(1);
  });
  const NOTHING = {
    city: null,
    street: null,
    house: null,
    building: null,
    flat: null,
    entrance: null,
    floor: null,
    doorphone: null,
    comment: null,
  };

  test.each<[object, string]>([
    [{}, 'address'],
    [{ address: { city: 'Москва', house: '12' } }, 'address.street'],
    [{ address: { ...ADDRESS, city: '\u200b\u2060' } }, 'address.city'],
    [{ address: { city: 'Москва', house: '12' }, coords: [37, 55] }, 'address.street'],
    [{ coords: [37, 91] }, 'coords.1'],
    [{ address: { ...ADDRESS, flat: 'x'.repeat(51) } }, 'address.flat'],
    [{ address: { ...ADDRESS, phone: '1' } }, 'address.phone'],
  ])('fails with its field: %j', async (body, field) => {
    expect(await add({ cartId: await createCart(), ...body })).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    });
  });

  test('[FUL-40] requires an existing cart that the guest may use', async () => {
    expect(await add({ address: ADDRESS })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'cartId' }] },
    });
    expect((await add({ cartId: randomUUID(), address: ADDRESS })).status).toBe(404);
    const annas = await createCart('anna2');
    expect((await add({ cartId: annas, address: ADDRESS })).status).toBe(404);
    expect((await add({ cartId: annas, address: ADDRESS }, await tokenOf('boris'))).status).toBe(
      404,
    );
    expect((await add({ cartId: annas, address: ADDRESS }, await tokenOf('anna2'))).status).toBe(
      201,
    );
  });

  test('[FUL-39] counts to the limit of twenty per customer, or replaces the oldest of ten of a cart', async () => {
    const token = await tokenOf('clara');
    const cartId = await createCart();
    const at = (index: number) => ({ coords: [37, 55 + index / 1_000] });
    for (let index = 0; index < 20; index += 1)
      expect((await add(at(index), token)).status).toBe(201);

    expect(await add(at(20), token)).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'max_items' }] },
    });
    expect((await add(at(3), token)).status).toBe(200);

    const ids: string[] = [];
    for (let index = 0; index < 11; index += 1)
      ids.push((await add({ cartId, ...at(index) })).body.addressId);
    const kept = await selectRows(fixture.db, 'delivery_address', ['id'], { cartId });
    expect(kept.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted());
  });

  test('[FUL-41] keeps its point, and is located when it is used if it could not be before', async () => {
    const cartId = await createCart();
    await fixture.emulator.control('fault', { kind: '500', endpoint: PATHS.photon });
    const { body } = await add({ cartId, address: ADDRESS });
    const precision = () => selectRows(fixture.db, 'delivery_address', ['precision']);
    const before = await precision();

    await send(
      'GET',
      `/delivery/slots?organization_id=${organization.erpId}&type=DELIVERY&cart_id=${cartId}&address_id=${body.addressId}`,
    );

    expect(body).toMatchObject({ resolved: false, reason: 'GEOCODER_UNAVAILABLE', coords: null });
    expect(before).toEqual([{ precision: null }]);
    expect(await precision()).toEqual([{ precision: 'HOUSE' }]);
    expect(await countRows(fixture.db, 'personal_data')).toBe(1);
  });

  test('[FUL-41] changes from its point if its precision was deleted and it is located again', async () => {
    const cartId = await createCart();
    const { body } = await add({ cartId, address: ADDRESS });
    const point = await add({ cartId, coords: [37.6, 55.75] });
    await updateRows(fixture.db, 'delivery_address', { precision: null });
    const readSlots = (addressId: string) =>
      send(
        'GET',
        `/delivery/slots?organization_id=${organization.erpId}&type=DELIVERY&cart_id=${cartId}&address_id=${addressId}`,
      );
    const statuses = [
      (await readSlots(body.addressId)).status,
      (await readSlots(point.body.addressId)).status,
    ];

    expect(statuses).toEqual([200, 200]);
    expect(await selectRows(fixture.db, 'delivery_address', ['precision'])).toEqual([
      { precision: 'HOUSE' },
      { precision: 'HOUSE' },
    ]);
  });

  test('[FUL-38] includes its building as a part of the house', async () => {
    const { body } = await add({
      cartId: await createCart(),
      address: { ...ADDRESS, building: '7' },
    });

    expect(body).toMatchObject({
      resolved: false,
      reason: 'ADDRESS_IMPRECISE',
      addressPrecision: 'STREET',
    });
  });

  test('[FUL-38] uses the coordinates of its house if the map has it, for any sent point', async () => {
    const existing = await add({
      cartId: await createCart(),
      address: ADDRESS,
      coords: [37.6, 55.7],
    });

    expect(existing.body.coords).toEqual((await resolve('photon', ADDRESS)).coords);
  });

  describe('as words and a point, with an unknown house', () => {
    const UNKNOWN = { ...ADDRESS, house: '999' };
    const street = async () => (await resolve('photon', UNKNOWN)).coords as [number, number];
    const addAt = async (coords: [number, number], address: object = UNKNOWN) =>
      (await add({ cartId: await createCart(), address, coords })).body;

    test('[FUL-54] uses the point within 300 meters of the street, with the precision of the words', async () => {
      const [longitude, latitude] = await street();
      const near: [number, number] = [longitude, latitude + 0.002];

      expect(await addAt(near)).toMatchObject({
        coords: near,
        resolved: false,
        reason: 'ADDRESS_IMPRECISE',
        addressPrecision: 'STREET',
      });
    });

    test('[FUL-54] uses the street if the point is farther away, even with an unknown building', async () => {
      const [longitude, latitude] = await street();
      const far: [number, number] = [longitude, latitude + 0.003];
      const imprecise = { reason: 'ADDRESS_IMPRECISE', addressPrecision: 'STREET' };

      expect(await addAt(far)).toMatchObject({ ...imprecise, coords: [longitude, latitude] });
      expect(await addAt([37.6, 55.7], { ...ADDRESS, building: '77' })).toMatchObject({
        ...imprecise,
        coords: [longitude, latitude],
      });
      expect(await addAt([37.6, 55.7], { ...ADDRESS, building: '-' })).toMatchObject(
        await resolve('photon', ADDRESS),
      );
    });

    test('[FUL-54] remains without coordinates if the street is unknown', async () => {
      expect(
        await addAt([37.6, 55.7], { ...ADDRESS, street: 'Несуществующая улица' }),
      ).toMatchObject({
        reason: 'ADDRESS_NOT_FOUND',
        coords: null,
      });
    });

    test('[FUL-41, FUL-54] remains unlocated until the geocoder answers', async () => {
      const [longitude, latitude] = await street();
      const near: [number, number] = [longitude, latitude + 0.002];
      const cartId = await createCart();
      await deleteRows(fixture.db, 'geocoder_answer');
      await fixture.emulator.control('fault', { kind: '500', endpoint: PATHS.photon });
      const { body } = await add({ cartId, address: UNKNOWN, coords: near });
      const again = await add({ cartId, address: UNKNOWN, coords: near });

      expect(body).toMatchObject({ reason: 'GEOCODER_UNAVAILABLE', coords: null });
      expect(again.body).toMatchObject({
        addressId: body.addressId,
        reason: 'ADDRESS_IMPRECISE',
        coords: near,
      });
    });
  });

  test('[FUL-38] ends permanently with its cart', async () => {
    const cartId = await createCart();
    await add({ cartId, address: ADDRESS });
    await add({ address: ADDRESS }, await tokenOf('dora'));
    await updateRows(fixture.db, 'cart', { updatedAt: ago('31 days') }, { id: cartId });

    const deleted = await deleteOutdated(fixture.db);

    expect(deleted).toMatchObject({ personal_data: 1 });
    expect(await selectRows(fixture.db, 'delivery_address', ['customerId'])).toEqual([
      { customerId: 'dora' },
    ]);
    expect(await countRows(fixture.db, 'personal_data')).toBe(1);
  });
});
