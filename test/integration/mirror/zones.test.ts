import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { countRows, databaseNow, deleteRows, selectRows, updateRows } from '../../support/rows.ts';

const ENDPOINT = '/api/1/delivery_restrictions';
type Corner = { latitude: number; longitude: number };
type Zone = { name: string; coordinates: object[] };
type DeliveryMap = {
  organizationId: string;
  restrictions: Record<string, unknown>[];
  deliveryZones: Zone[];
};

let fixture: TestFixture;
let organizations: { id: number; erpId: string }[];
let honest: DeliveryMap[];
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id' },
  );
  const erpIds = organizations.map(({ erpId }) => erpId);
  const { data } = await fixture.deps.erp.deliveryRestrictions(fixture.connectionId, erpIds);
  honest = structuredClone(data.maps) as unknown as DeliveryMap[];
});
afterAll(() => fixture.close());
beforeEach(() => fixture.emulator.control('reset'));

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const answer = (maps: object[]) =>
  fixture.emulator.control('answer', {
    endpoint: ENDPOINT,
    body: { correlationId: 'x', deliveryRestrictions: maps },
  });
async function importNow() {
  const runId = await fixture.open('ZONES');
  const outcome = await importZones(fixture.deps, { runId, connectionId: fixture.connectionId });
  return {
    ...(outcome as { result: object }),
    anomalies: (await getRun(fixture.db, runId)).anomalies,
  };
}
const rows = async () => ({
  zones: await query('select xmin::text, * from mirror_delivery_zone order by id'),
  terms: await query('select xmin::text, * from mirror_zone_terms order by zone_id, ordinal'),
  defaults: await query(
    'select xmin::text, * from mirror_delivery_defaults order by organization_id',
  ),
});
const readZones = (erpId: string) =>
  fixture.db.db
    .selectFrom('mirror_delivery_zone as zone')
    .innerJoin('mirror_organization as organization', 'organization.id', 'zone.organizationId')
    .where('organization.erpId', '=', erpId)
    .select((row) => [
      'zone.id',
      'zone.name',
      'zone.polygon',
      row('zone.inactiveAt', 'is', null).as('active'),
    ])
    .orderBy('zone.id')
    .execute();
function changed(change: (map: DeliveryMap) => void): DeliveryMap[] {
  const maps = structuredClone(honest);
  change(maps[0]!);
  return maps;
}
const triangle = (at: number): Corner[] => [
  { latitude: at, longitude: 30 },
  { latitude: at, longitude: 31 },
  { latitude: at + 1, longitude: 30 },
];

test('zones, rules and defaults of every organization are imported and linked by id, not by name', async () => {
  const { result } = await importNow();

  expect(result).toMatchObject({ answered: 2, zones: 4, created: 4, deactivated: 0 });
  expect((await readZones(organizations[0]!.erpId)).map(({ name }) => name).toSorted()).toEqual([
    'Восток',
    'Запад',
  ]);
  const terms = await fixture.db.db
    .selectFrom('mirror_zone_terms as terms')
    .innerJoin('mirror_delivery_zone as zone', 'zone.id', 'terms.zoneId')
    .where('zone.organizationId', '=', organizations[0]!.id)
    .select([
      'zone.name',
      'weekMap',
      'fromMinute',
      'terms.priority',
      'minSumKopecks as sum',
      'durationMinutes as minutes',
    ])
    .orderBy('ordinal')
    .execute();
  expect(terms).toEqual([
    { name: 'Запад', weekMap: 127, fromMinute: null, priority: 1, sum: 70_000, minutes: 45 },
    { name: 'Восток', weekMap: 31, fromMinute: null, priority: 1, sum: 90_000, minutes: 60 },
    { name: 'Восток', weekMap: 96, fromMinute: null, priority: 1, sum: 120_000, minutes: 75 },
  ]);
  const [defaults] = await selectRows(
    fixture.db,
    'mirror_delivery_defaults',
    '*',
    {},
    { orderBy: 'organizationId' },
  );
  expect(defaults).toMatchObject({
    useSameMinSum: false,
    durationMinutes: 60,
    selfServiceMinutes: 20,
  });
});

test('[MIR-41] equal zones are not written again', async () => {
  await importNow();
  const before = await rows();

  const { result } = await importNow();

  expect(result).toMatchObject({ zones: 4, created: 0, updated: 0, deactivated: 0 });
  expect(await rows()).toEqual(before);
});

test('a second call of one run returns the result of the first, without a request to the ERP', async () => {
  const runId = await fixture.open('ZONES');
  const run = { runId, connectionId: fixture.connectionId };
  const first = await importZones(fixture.deps, run);
  const { calls } = await fixture.emulator.control<{ calls: unknown[] }>(
    `calls?endpoint=${ENDPOINT}`,
  );

  expect(await importZones(fixture.deps, run)).toEqual(first);
  const after = await fixture.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${ENDPOINT}`);
  expect(after.calls.length).toBe(calls.length);
});

test('new rules, a new polygon and new defaults replace only those of their zone', async () => {
  await importNow();
  const before = await rows();
  const maps = changed((map) => {
    map.restrictions[1]!['minSum'] = 950.5;
    Object.assign(map, { useSameMinSum: true, defaultMinSum: 1000 });
  });
  await answer(maps);

  const { result } = await importNow();

  expect(result).toMatchObject({ created: 0, updated: 1, renamed: 0, deactivated: 0 });
  const after = await rows();
  expect(
    after.zones.filter(
      (zone) => !before.zones.some((old) => old['xmin' as never] === zone['xmin' as never]),
    ),
  ).toHaveLength(1);
  expect(await countRows(fixture.db, 'mirror_zone_terms', { minSumKopecks: 95050 })).toBe(1);
  expect(
    await countRows(fixture.db, 'mirror_delivery_defaults', {
      useSameMinSum: true,
      minSumKopecks: 100000,
    }),
  ).toBe(1);
});

test('[MIR-40] a renamed zone keeps its id, and a new polygon under the old name is the old zone', async () => {
  await importNow();
  const { erpId } = organizations[0]!;
  const before = await readZones(erpId);
  await answer(
    changed((map) => {
      map.deliveryZones[0]!.name = '  Причал ';
      map.deliveryZones[1]!.coordinates = triangle(60);
    }),
  );

  const { result } = await importNow();
  const after = await readZones(erpId);

  expect(result).toMatchObject({ created: 0, updated: 2, renamed: 1, deactivated: 0 });
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after.map(({ name }) => name).toSorted()).toEqual(['Восток', 'Причал']);
});

test('a removed zone becomes inactive and returns with its id', async () => {
  await importNow();
  const { erpId } = organizations[0]!;
  const before = await readZones(erpId);
  await answer(changed((map) => map.deliveryZones.splice(0, 1)));
  const gone = await importNow();
  const without = await readZones(erpId);
  await fixture.emulator.control('reset');
  await importNow();

  expect(gone).toMatchObject({
    result: { deactivated: 1 },
    anomalies: [{ code: 'UNKNOWN_ZONE', count: 1 }],
  });
  expect(without.filter((zone) => zone.active)).toHaveLength(
    before.filter((zone) => zone.active).length - 1,
  );
  expect((await readZones(erpId)).filter((zone) => zone.active).map(({ id }) => id)).toEqual(
    before.filter((zone) => zone.active).map(({ id }) => id),
  );
});

test('[MIR-42] a broken polygon keeps the last one, and a new zone with a broken polygon has none', async () => {
  await importNow();
  const { erpId } = organizations[0]!;
  const before = await readZones(erpId);
  await answer(
    changed((map) => {
      map.deliveryZones[0]!.coordinates = [{ latitude: 1, longitude: 'east' }];
      map.deliveryZones.push({ name: 'Сломанная', coordinates: triangle(60).slice(0, 2) });
    }),
  );

  const { anomalies } = await importNow();
  const after = await readZones(erpId);

  expect(anomalies).toMatchObject([{ code: 'INVALID_ZONE_POLYGON', count: 2 }]);
  expect(after.find((zone) => zone.name === 'Сломанная')).toMatchObject({
    polygon: null,
    active: true,
  });
  expect(after.find((zone) => zone.name === 'Запад')).toEqual(
    before.find((zone) => zone.name === 'Запад'),
  );
});

test('[FUL-44] a broken map is reported to administrators until it is corrected', async () => {
  const told = () =>
    fixture.db.query<{ organization: string; details: object; open: boolean }>(
      `select organization.erp_id as organization, details, resolved_at is null as open from notification
         join mirror_organization organization on organization.id::text = subject_id where kind = 'DELIVERY_MAP_BROKEN'`,
    );
  await deleteRows(fixture.db, 'notification', { kind: 'DELIVERY_MAP_BROKEN' });
  const { erpId } = organizations[0]!;
  const broken = changed((map) => {
    map.deliveryZones[0]!.coordinates = [{ latitude: 1, longitude: 'east' }];
    map.deliveryZones.push(map.deliveryZones[1]!);
  });
  await answer(broken);
  await importNow();
  await answer(broken);
  await importNow();
  const raised = await told();
  await fixture.emulator.control('reset');
  await importNow();

  expect(raised).toEqual([
    {
      organization: erpId,
      details: {
        INVALID_ZONE_POLYGON: { count: 1, samples: [`${erpId}/Запад`] },
        ZONE_LISTED_TWICE: { count: 1, samples: [expect.stringContaining(erpId)] },
      },
      open: true,
    },
  ]);
  expect(await told()).toMatchObject([{ open: false }]);
});

test('[FUL-52] a border that crosses itself is served and reported with its size until it is corrected', async () => {
  await deleteRows(fixture.db, 'notification', { kind: 'DELIVERY_MAP_BROKEN' });
  const { erpId } = organizations[0]!;
  const [a, b, c, d] = [...triangle(60), { latitude: 61, longitude: 31 }] as [
    Corner,
    Corner,
    Corner,
    Corner,
  ];
  await answer(changed((map) => (map.deliveryZones[0]!.coordinates = [a, d, b, c])));
  const { anomalies } = await importNow();
  const crossed = (await readZones(erpId)).find((zone) => zone.name === 'Запад');
  const [notification] = await selectRows(fixture.db, 'notification', ['details', 'resolvedAt'], {
    kind: 'DELIVERY_MAP_BROKEN',
  });
  await fixture.emulator.control('reset');
  await importNow();

  expect(crossed?.polygon).toHaveLength(1);
  expect(anomalies).toMatchObject([
    {
      code: 'ZONE_CROSSES_ITSELF',
      count: 1,
      samples: [expect.stringMatching(/^[\w-]+\/Запад \(\d+ m²\)$/)],
    },
  ]);
  expect(notification).toMatchObject({
    resolvedAt: null,
    details: { ZONE_CROSSES_ITSELF: { count: 1 } },
  });
  expect(
    await countRows(fixture.db, 'notification', { kind: 'DELIVERY_MAP_BROKEN', resolvedAt: null }),
  ).toBe(0);
});

test('[MIR-41] unusual rows affect only themselves and are counted', async () => {
  const maps = changed((map) => {
    map.deliveryZones.push(
      { name: 'Запад ', coordinates: triangle(60) },
      { name: ' ', coordinates: triangle(60) },
    );
    const [rule] = map.restrictions;
    map.restrictions.push(
      { ...rule, zone: 'Нигде' },
      { ...rule, zone: null },
      { ...rule, organizationId: organizations[1]!.erpId },
      { ...rule, weekMap: 128 },
      { ...rule, from: 1441 },
      { ...rule, deliveryDurationInMinutes: -1 },
      { ...rule, minSum: -5, priority: 7 },
    );
  });
  maps.splice(1, 1);
  maps.push(structuredClone(maps[0]!), {
    ...maps[0]!,
    organizationId: '00000000-0000-4000-8000-0000000000ff',
  });
  await answer(maps);

  const { anomalies } = await importNow();

  expect(Object.fromEntries(anomalies.map(({ code, count }) => [code, count]))).toEqual({
    BLANK_NAME: 1,
    INVALID_PRICE: 1,
    INVALID_ZONE_TERMS: 3,
    ORGANIZATION_LISTED_TWICE: 1,
    ORGANIZATION_NOT_ANSWERED: 1,
    UNKNOWN_ORGANIZATION: 1,
    UNKNOWN_ZONE: 3,
    ZONE_LISTED_TWICE: 1,
  });
  expect(
    await selectRows(fixture.db, 'mirror_zone_terms', ['minSumKopecks as sum'], { priority: 7 }),
  ).toEqual([{ sum: null }]);
  expect((await readZones(organizations[1]!.erpId)).filter((zone) => zone.active)).toHaveLength(2);
});

describe('an unreadable answer about zones', () => {
  test('[MIR-41, MIR-65] changes nothing and appears in the run journal', async () => {
    await importNow();
    const before = await rows();
    await fixture.emulator.control('answer', {
      endpoint: ENDPOINT,
      body: { deliveryRestrictions: 'none' },
    });
    const runId = await fixture.open('ZONES');

    await expect(
      importZones(fixture.deps, { runId, connectionId: fixture.connectionId }),
    ).rejects.toMatchObject({
      kind: 'INVALID_ANSWER',
    });

    expect(await rows()).toEqual(before);
    expect(await getRun(fixture.db, runId)).toMatchObject({ organizations: 2, batches: 1 });
  });

  test('changes nothing if only one of several calls fails', async () => {
    await importNow();
    const before = await rows();
    await fixture.emulator.control('fault', { kind: '502-html', endpoint: ENDPOINT, times: 9 });
    const runId = await fixture.open('ZONES');

    await expect(
      importZones(fixture.deps, { runId, connectionId: fixture.connectionId }),
    ).rejects.toMatchObject({
      kind: 'SERVER',
    });

    expect(await rows()).toEqual(before);
  });
});

test('a connection without active organizations sends no request', async () => {
  await updateRows(fixture.db, 'mirror_organization', { inactiveAt: databaseNow() });
  const runId = await fixture.open('ZONES');

  const outcome = await importZones(fixture.deps, { runId, connectionId: fixture.connectionId });

  await updateRows(fixture.db, 'mirror_organization', { inactiveAt: null });
  expect(outcome).toEqual({ outcome: 'NO_ORGANIZATIONS' });
});

test('[MIR-87] a map with null or absent defaults and flags keeps its zones and rules', async () => {
  await importNow();
  const before = await rows();
  const isCommon = /^(useSame|default)/;
  const [nulls, absent] = [
    honest.map((map) =>
      Object.fromEntries(
        Object.entries(map).map(([name, value]) => [name, isCommon.test(name) ? null : value]),
      ),
    ),
    honest.map((map) =>
      Object.fromEntries(Object.entries(map).filter(([name]) => !isCommon.test(name))),
    ),
  ];
  for (const maps of [nulls, absent]) {
    await answer(maps);
    const { result, anomalies } = await importNow();

    expect(result).toMatchObject({ answered: 2, zones: 4, created: 0, deactivated: 0 });
    expect(anomalies).toEqual([]);
    expect(await countRows(fixture.db, 'mirror_zone_terms')).toBe(before.terms.length);
  }
});
