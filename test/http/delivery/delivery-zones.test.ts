import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type {
  DeliveryResolution,
  DeliveryZone,
  ZoneOverride,
} from '../../../modules/delivery/schemas/zones.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';
import type { DeliveryMapSource } from '../../../modules/mirror/rules/delivery-map.ts';
import { drawMap, rule, square } from '../../support/delivery-map.ts';
import { addRows, databaseNow, selectRows, updateRows } from '../../support/rows.ts';

type Page<Item> = { items: Item[]; total: number };

let api: TestApi;
let admin: AdminClient;
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADDRESSES: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const { id } = await aConnection(api.deps.db, 'login of zones');
  const rows = ['Restaurant 1', 'Restaurant 2'].map((name) => ({
    connectionId: id,
    name,
    timeZone: 'Europe/Moscow',
  }));
  organizations = await addRows(api.deps.db, 'mirror_organization', rows);
  await draw(
    0,
    [square('West', 0), square('East', 1)],
    [rule('West'), rule('East', { minSum: 900.5 })],
  );
  await draw(1, [square('Far', 10)], [rule('Far')]);
});
afterAll(() => api.stop());

const draw = (
  at: number,
  ...map: [
    zones: ReturnType<typeof square>[],
    rules: ReturnType<typeof rule>[],
    defaults?: Partial<DeliveryMapSource>,
  ]
) => drawMap(api.deps.db, organizations[at]!, ...map);
const ask = (body: unknown) =>
  fetch(`${api.url}/api/v1/delivery/resolve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const resolve = async (...coords: [number, number]) =>
  (await (await ask({ coords })).json()) as DeliveryResolution;
const zones = async (search = '') =>
  (await admin.get<Page<DeliveryZone>>(`/delivery-zones${search}`)).items;
const findZone = async (name: string) => (await zones()).find((zone) => zone.name === name)!;

describe('POST /delivery/resolve', () => {
  test('returns the zone, the organization and the current terms', async () => {
    const east = await findZone('East');

    const answer = await ask({ coords: [1.5, 0.5] });

    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    expect(text).toContain('"minOrderSum":900.50');
    expect(JSON.parse(text)).toEqual({
      resolved: true,
      reason: null,
      servedNow: true,
      nextServedAt: null,
      zoneId: east.id,
      zoneName: 'East',
      organizationId: organizations[0]!.erpId,
      minOrderSum: 900.5,
      deliveryFee: 0,
      deliveryDurationMinutes: 45,
      coords: [1.5, 0.5],
      addressPrecision: 'HOUSE',
      candidates: [],
    });
  });

  test('[FUL-30] assigns a point on the common border of two zones to the eastern one', async () => {
    expect(await resolve(1, 0.5)).toMatchObject({ resolved: true, zoneName: 'East' });
  });

  test('returns null in every field if there is no zone', async () => {
    expect(await resolve(50, 50)).toEqual({
      resolved: false,
      reason: 'ZONE_NOT_FOUND',
      servedNow: false,
      nextServedAt: null,
      zoneId: null,
      zoneName: null,
      organizationId: null,
      minOrderSum: null,
      deliveryFee: null,
      deliveryDurationMinutes: null,
      coords: [50, 50],
      addressPrecision: 'HOUSE',
      candidates: [],
    });
  });

  test.each([
    [{}, 'address'],
    [{ coords: [1] }, 'coords'],
    [{ coords: [181, 0] }, 'coords.0'],
    [{ coords: [0, 91] }, 'coords.1'],
    [{ coords: [0, 0], zoneId: 1 }, 'zoneId'],
  ])('rejects %j with its field', async (body, field) => {
    const answer = await ask(body);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field }] });
  });

  test('[FUL-31] omits a removed organization and includes a returned one immediately', async () => {
    const { db } = api.deps;
    const { id } = organizations[1]!;
    await updateRows(db, 'mirror_organization', { inactiveAt: databaseNow() }, { id });
    const without = await resolve(10.5, 0.5);
    await updateRows(db, 'mirror_organization', { inactiveAt: null }, { id });

    expect(without.reason).toBe('ZONE_NOT_FOUND');
    expect((await resolve(10.5, 0.5)).resolved).toBe(true);
  });

  test('[FUL-31] rejects overlapping zones unless the setting selects the lower priority', async () => {
    await draw(
      1,
      [square('Far', 10), square('Near', 10)],
      [rule('Far'), rule('Near', { minSum: 1200 })],
    );
    const [far, near] = [await findZone('Far'), await findZone('Near')];
    const setting = async (value: string | null) => {
      const { version } = await admin.get<{ version: number }>('/settings/overlapping_zones');
      const answer = await admin.raw('PATCH', '/settings/overlapping_zones', { version, value });
      expect(answer.status).toBe(200);
    };

    const refused = await resolve(10.5, 0.5);
    await setting('PRIORITY');
    const equal = await resolve(10.5, 0.5);
    await admin.patch(`/delivery-zones/${near.id}`, { version: near.version, priority: 10 });
    const chosen = await resolve(10.5, 0.5);
    await setting(null);

    expect([refused.reason, equal.reason]).toEqual(['ZONES_OVERLAP', 'ZONES_OVERLAP']);
    expect(chosen).toMatchObject({ resolved: true, zoneId: near.id, minOrderSum: 1200 });
    expect((await resolve(10.5, 0.5)).reason).toBe('ZONES_OVERLAP');
    await draw(1, [square('Far', 10)], [rule('Far')]);
    expect(await resolve(10.5, 0.5)).toMatchObject({ zoneId: far.id });
  });

  test('[FUL-53] returns the terms of the next interval for a zone outside its hours', async () => {
    const now = Temporal.Now.zonedDateTimeISO('Europe/Moscow');
    const [from, to] = [2, 5].map((ahead) => now.add({ hours: ahead }).hour * 60) as [
      number,
      number,
    ];
    await draw(
      1,
      [square('Far', 10)],
      [rule('Far', { from, to, minSum: 1500 }), rule('Far', { weekMap: 0, priority: 0 })],
    );
    const next = now.add({ hours: 2 }).round({ smallestUnit: 'hour', roundingMode: 'floor' });

    expect(await resolve(10.5, 0.5)).toMatchObject({
      resolved: true,
      reason: null,
      servedNow: false,
      nextServedAt: next.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
      zoneName: 'Far',
      organizationId: organizations[1]!.erpId,
      minOrderSum: 1500,
      deliveryDurationMinutes: 45,
    });
    await draw(1, [square('Far', 10)], [rule('Far')]);
  });

  test('[FUL-53] omits a zone without an interval in the week', async () => {
    await draw(1, [square('Far', 10)], [rule('Far', { weekMap: 0 })]);

    expect(await resolve(10.5, 0.5)).toMatchObject({
      resolved: false,
      reason: 'ZONE_NOT_FOUND',
      nextServedAt: null,
    });
    await draw(1, [square('Far', 10)], [rule('Far')]);
  });
});

describe('the zones for staff', () => {
  test('appear with geometry and rules, by organization, in pages', async () => {
    const page = await admin.get<Page<DeliveryZone>>(
      `/delivery-zones?organization_id=${organizations[0]!.id}`,
    );

    expect(page.total).toBe(2);
    expect(page.items[1]).toMatchObject({
      organizationId: organizations[0]!.id,
      name: 'West',
      displayName: null,
      priority: 100,
      style: null,
      texts: {},
      isActive: true,
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
            [0, 0],
          ],
        ],
      },
      rules: [
        {
          weekMap: 127,
          fromMinute: null,
          minOrderSum: 700,
          deliveryDurationMinutes: 45,
          terminalErpId: null,
        },
      ],
      version: 0,
    });
    expect(await zones(`?organization_id=${organizations[0]!.erpId}&size=1&page=2`)).toEqual([
      page.items[1],
    ]);
  });

  test('[FUL-97] include the current terms, and none while the zone is not served', async () => {
    const far = async () => {
      const page = await admin.get<Page<DeliveryZone>>(
        `/delivery-zones?organization_id=${organizations[1]!.id}`,
      );
      return page.items.find(({ name }) => name === 'Far')!.currentTerms;
    };
    await draw(
      1,
      [square('Far', 10)],
      [rule('Far', { minSum: 800 }), rule('Far', { weekMap: 0, priority: 0 })],
    );
    const served = await far();
    await draw(1, [square('Far', 10)], [rule('Far', { weekMap: 0 })]);
    const closed = await far();
    await draw(1, [square('Far', 10)], [rule('Far')]);

    expect(served).toMatchObject({
      minOrderSum: 800,
      deliveryFee: 0,
      deliveryDurationMinutes: 45,
      sources: { minOrderSum: 'ZONE' },
    });
    expect(closed).toBeNull();
  });

  describe('in an organization with shared terms', () => {
    const SHARED = {
      useSameMinSum: true,
      defaultMinSum: 500,
      useSameDeliveryDuration: true,
      defaultDeliveryDurationInMinutes: 35,
      defaultSelfServiceDurationInMinutes: 15,
      useSameWorkTimeInterval: true,
      defaultFrom: 0,
      defaultTo: 1_440,
      useSameRestrictionsOnAllWeek: true,
    };
    const SQUARES = [square('Far', 10)];
    const RULES = [
      rule('Far', { weekMap: 0, from: 600, to: 660, minSum: 900, deliveryDurationInMinutes: 75 }),
    ];
    afterEach(() => draw(1, SQUARES, [rule('Far')]));
    const shown = async () => {
      const zone = await findZone('Far');
      expect(await admin.get(`/delivery-zones/${zone.id}`)).toEqual(zone);
      return zone;
    };

    test('[FUL-57] show its defaults, and for each rule the values of the ERP and those of guests', async () => {
      await draw(1, SQUARES, RULES, SHARED);
      const { defaults, rules } = await shown();

      expect(defaults).toEqual({
        useSameMinSum: true,
        minOrderSum: 500,
        useSameDuration: true,
        deliveryDurationMinutes: 35,
        selfServiceDurationMinutes: 15,
        useSameInterval: true,
        fromMinute: 0,
        toMinute: 1_440,
        useSameWeek: true,
      });
      expect(rules).toEqual([
        {
          weekMap: 0,
          fromMinute: 600,
          toMinute: 660,
          priority: 1,
          minOrderSum: 900,
          deliveryDurationMinutes: 75,
          terminalErpId: null,
          effective: {
            weekMap: 127,
            fromMinute: 0,
            toMinute: 1_440,
            minOrderSum: 500,
            deliveryFee: 0,
            deliveryDurationMinutes: 35,
            sources: {
              minOrderSum: 'ORGANIZATION',
              deliveryFee: 'NOBODY',
              deliveryDuration: 'ORGANIZATION',
            },
          },
        },
      ]);
      expect(await resolve(10.5, 0.5)).toMatchObject({
        servedNow: true,
        minOrderSum: 500,
        deliveryFee: 0,
        deliveryDurationMinutes: 35,
      });
    });

    test.each<[string, Partial<DeliveryMapSource>, object]>([
      [
        'shares no minimum',
        { useSameMinSum: false },
        { minOrderSum: 900, sources: { minOrderSum: 'ZONE' } },
      ],
      [
        'shares a minimum that it does not state',
        { defaultMinSum: null },
        { minOrderSum: 0, sources: { minOrderSum: 'NOBODY' } },
      ],
      [
        'shares no duration',
        { useSameDeliveryDuration: false },
        { deliveryDurationMinutes: 75, sources: { deliveryDuration: 'ZONE' } },
      ],
      [
        'shares no interval',
        { useSameWorkTimeInterval: false },
        { fromMinute: 600, toMinute: 660 },
      ],
      ['shares no week', { useSameRestrictionsOnAllWeek: false }, { weekMap: 0 }],
    ])('[FUL-57] show the values of guests if the organization %s', async (_, own, effective) => {
      await draw(1, SQUARES, RULES, { ...SHARED, ...own });
      const { rules } = await shown();

      expect(rules).toMatchObject([{ minOrderSum: 900, deliveryDurationMinutes: 75, effective }]);
    });

    test('[FUL-57] show a default minimum for a rule without one', async () => {
      await draw(1, SQUARES, [rule('Far', { minSum: null })], { ...SHARED, useSameMinSum: false });

      expect((await shown()).rules).toMatchObject([
        {
          minOrderSum: null,
          effective: { minOrderSum: 500, sources: { minOrderSum: 'ORGANIZATION' } },
        },
      ]);
      expect((await resolve(10.5, 0.5)).minOrderSum).toBe(500);
    });

    test('[FUL-57] show overrides and current delivery prices like guests see them', async () => {
      await draw(1, SQUARES, RULES, SHARED);
      const zone = await shown();
      const setFee = async (value: number | null) => {
        const { version } = await admin.get<{ version: number }>('/settings/delivery_fee');
        await admin.patch('/settings/delivery_fee', { version, value });
      };
      await setFee(149);
      const [past, hourAgo] = [
        '2020-01-01T00:00:00Z',
        new Date(Date.now() - 3_600_000).toISOString(),
      ];
      const terms = [
        { minOrderSum: 450 },
        { minOrderSum: 300, validFrom: past, validTo: hourAgo },
        { minOrderSum: 650, validFrom: hourAgo },
      ];
      const ids: number[] = [];
      for (const override of terms)
        ids.push(
          (await admin.post<ZoneOverride>('/zone-overrides', { zoneId: zone.id, ...override })).id,
        );
      const { rules } = await shown();
      const guest = await resolve(10.5, 0.5);
      for (const id of ids) await admin.raw('DELETE', `/zone-overrides/${id}`);
      await setFee(null);

      expect(rules).toMatchObject([
        {
          minOrderSum: 900,
          effective: {
            minOrderSum: 650,
            deliveryFee: 149,
            sources: { minOrderSum: 'OVERRIDE', deliveryFee: 'SETTING' },
          },
        },
      ]);
      expect(guest).toMatchObject({ minOrderSum: 650, deliveryFee: 149 });
    });
  });

  test('accept a name, a style, texts and a priority, each with the current version', async () => {
    const west = await findZone('West');
    const edit = {
      displayName: ' Old town ',
      style: { color: '#33aa55', opacity: 0.4 },
      texts: { notice: 'By bike' },
    };

    const edited = await admin.patch<DeliveryZone>(`/delivery-zones/${west.id}`, {
      version: 0,
      ...edit,
    });
    const stale = await admin.raw('PATCH', `/delivery-zones/${west.id}`, {
      version: 0,
      priority: 5,
    });
    const same = await admin.patch<DeliveryZone>(`/delivery-zones/${west.id}`, {
      version: 1,
      ...edit,
    });

    expect(edited).toMatchObject({ ...edit, displayName: 'Old town', name: 'West', version: 1 });
    expect(same.version).toBe(1);
    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({ currentVersion: 1 });
    expect((await resolve(0.5, 0.5)).zoneName).toBe('Old town');
    const cleared = await admin.patch<DeliveryZone>(`/delivery-zones/${west.id}`, {
      version: 1,
      displayName: null,
      style: null,
    });
    expect(cleared).toMatchObject({
      displayName: null,
      style: null,
      texts: { notice: 'By bike' },
      version: 2,
    });
  });

  test.each([
    [{ version: 0, style: { color: 'green', opacity: 1 } }, 'style.color'],
    [{ version: 0, displayName: '  ' }, 'displayName'],
    [{ version: 0, name: 'Other' }, 'name'],
    [{ priority: 1 }, 'version'],
  ])('reject %j with its field', async (body, field) => {
    const east = await findZone('East');

    const answer = await admin.raw('PATCH', `/delivery-zones/${east.id}`, body);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field }] });
  });

  test('[ACC-60] require ordering.read to be read, and ordering.manage to be changed', async () => {
    const { email, password } = await api.user('VIEWER');
    const viewer = await adminClient(api.url, email, password);

    const { id } = await findZone('East');
    expect((await viewer.raw('GET', '/delivery-zones')).status).toBe(200);
    expect((await viewer.raw('PATCH', `/delivery-zones/${id}`, { version: 0 })).status).toBe(403);
    expect((await admin.raw('GET', '/delivery-zones/999999')).status).toBe(404);
  });
});

describe('the overrides of a zone', () => {
  const post = (body: object) => admin.post<ZoneOverride>('/zone-overrides', body);

  test('[FUL-32] replace values of the ERP while they are valid, the last begun first', async () => {
    const east = await findZone('East');
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const always = await post({ zoneId: east.id, minOrderSum: 500.1 });
    const today = await post({
      zoneId: east.id,
      minOrderSum: 650,
      validFrom: hour(-1),
      validTo: hour(1),
    });
    const later = await post({ zoneId: east.id, minOrderSum: 800, validFrom: hour(1) });
    const both = await resolve(1.5, 0.5);
    await admin.raw('DELETE', `/zone-overrides/${today.id}`);
    const one = await resolve(1.5, 0.5);
    const moved = await admin.patch<ZoneOverride>(`/zone-overrides/${always.id}`, {
      version: 1,
      minOrderSum: null,
    });
    const fee = await resolve(1.5, 0.5);

    expect([both.minOrderSum, one.minOrderSum, fee.minOrderSum]).toEqual([650, 500.1, 900.5]);
    expect(moved).toMatchObject({ minOrderSum: null, version: 2 });
    expect(await admin.get(`/zone-overrides/${later.id}`)).toEqual(later);
    const page = await admin.get<Page<ZoneOverride>>(`/zone-overrides?zone_id=${east.id}`);
    expect(page.items.map(({ id }) => id)).toEqual([later.id, always.id]);
    expect((await admin.get<Page<ZoneOverride>>('/zone-overrides?zone_id=999999')).total).toBe(0);
    for (const { id } of [always, later])
      expect((await admin.raw('DELETE', `/zone-overrides/${id}`)).status).toBe(204);
    expect((await admin.raw('DELETE', `/zone-overrides/${later.id}`)).status).toBe(404);
  });

  test('appear in the audit with one unit for every action', async () => {
    const { id } = await findZone('East');
    const created = await post({ zoneId: id, minOrderSum: 500.1 });
    await admin.patch(`/zone-overrides/${created.id}`, { version: 1, minOrderSum: 600 });
    await admin.raw('DELETE', `/zone-overrides/${created.id}`);

    const audited = await selectRows(
      api.deps.db,
      'audit_entry',
      ['before', 'after'],
      { entityType: 'zone-override', entityId: String(created.id) },
      { orderBy: 'id' },
    );
    expect(audited).toMatchObject([
      { after: { zoneId: id, minSumKopecks: 50_010, deliveryFeeKopecks: null } },
      { before: { minSumKopecks: 50_010 }, after: { minSumKopecks: 60_000 } },
      { before: { zoneId: id, minSumKopecks: 60_000, deliveryFeeKopecks: null } },
    ]);
  });

  test('require a zone, an end after the beginning, and whole kopecks', async () => {
    const { id } = await findZone('East');
    const created = await post({ zoneId: id, validFrom: '2030-01-01T00:00:00Z' });
    const refused = [
      admin.raw('POST', '/zone-overrides', { zoneId: 999_999 }),
      admin.raw('POST', '/zone-overrides', {
        zoneId: id,
        validFrom: '2030-01-02T00:00:00Z',
        validTo: '2030-01-01T00:00:00Z',
      }),
      admin.raw('PATCH', `/zone-overrides/${created.id}`, {
        version: 1,
        validTo: '2029-01-01T00:00:00Z',
      }),
      admin.raw('POST', '/zone-overrides', { zoneId: id, minOrderSum: 0.001 }),
      admin.raw('PATCH', `/zone-overrides/${created.id}`, { version: 1, deliveryFee: 10.005 }),
    ];

    const fields = await Promise.all(
      refused.map(
        async (answer) =>
          ((await (await answer).json()) as { errors: { field: string }[] }).errors[0]!.field,
      ),
    );
    expect(fields).toEqual(['zoneId', 'validTo', 'validTo', 'minOrderSum', 'deliveryFee']);
    await admin.raw('DELETE', `/zone-overrides/${created.id}`);
  });
});
