import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listStaffOrganizations } from '../../../modules/delivery/configuration/staff-organizations.ts';
import { findActive } from '../../../modules/mirror/organizations.ts';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { aConnection } from '../../support/connection.ts';
import { mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { asOwner } from '../../support/database-roles.ts';
import { addRow, databaseNow, deleteRows, selectRows } from '../../support/rows.ts';

const ENDPOINT = '/api/1/organizations';
const TERMINALS = '/api/1/terminal_groups';
const uuid = (number: number) => `a0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await mirrorFixture();
  // The lists have nothing in common, and each must be accepted.
  await addRow(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent', value: 100 });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.emulator.control('reset');
  await importNow();
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const owner = (sql: string) => asOwner(fixture.db, sql);
const rows = () => query('select xmin::text, * from mirror_organization order by id');
const listed = (organizations: unknown) =>
  fixture.emulator.control('answer', {
    endpoint: ENDPOINT,
    body: { correlationId: uuid(1), organizations },
  });

/** Imports like the workflow: the run is closed even if the import fails. */
async function importNow(connectionId = fixture.connectionId) {
  const runId = await fixture.open('ORGANIZATIONS', { connectionId });
  try {
    const outcome = await importOrganizations(fixture.deps, { runId, connectionId });
    await closeRun(fixture.deps, { runId, status: 'SUCCESS', reason: null });
    return { outcome, record: await getRun(fixture.db, runId) };
  } catch (error) {
    const { reason, kind = 'INTERNAL' } = error as { reason?: string; kind?: string };
    await closeRun(fixture.deps, { runId, status: 'FAILED', reason: reason ?? kind });
    throw error;
  }
}

describe('[MIR-22] an answer that breaks a rule changes nothing', () => {
  const good = { id: uuid(7), name: 'Quay' };

  test.each([
    ['no id', [good, { name: 'No id' }]],
    ['an empty id', [good, { id: '', name: 'Empty' }]],
    ['a blank id', [good, { id: '   ', name: 'Blank' }]],
    ['a number as id', [good, { id: 17, name: 'Number' }]],
    ['no name', [good, { id: uuid(8) }]],
    ['a null name', [good, { id: uuid(8), name: null }]],
    ['a blank name', [good, { id: uuid(8), name: '  ' }]],
    ['a number as name', [good, { id: uuid(8), name: 5 }]],
    ['an element that is no object', [good, 'text']],
    ['no list', null],
  ])('%s', async (_name, organizations) => {
    await listed(organizations);
    const before = await rows();

    await expect(importNow()).rejects.toMatchObject({ kind: 'INVALID_ANSWER', retryable: false });

    expect(await rows()).toEqual(before);
  });

  test('a failure of the database rolls the whole import back', async () => {
    await listed([
      { id: uuid(20), name: 'New' },
      { id: uuid(21), name: 'Broken' },
    ]);
    await owner(
      `create function break_organization() returns trigger language plpgsql as $$
       begin if new.name = 'Broken' then raise exception 'the disk is full'; end if; return new; end $$`,
    );
    await owner(
      'create trigger break_organization before insert on mirror_organization for each row execute function break_organization()',
    );
    const before = await rows();
    const outbox = () =>
      fixture.db.db
        .selectFrom('outbox')
        .select((row) => row.fn.countAll<number>().as('count'))
        .execute();
    const events = await outbox();

    await expect(importNow()).rejects.toThrow('the disk is full');

    expect(await rows()).toEqual(before);
    expect(await outbox()).toEqual(events);
    await owner('drop trigger break_organization on mirror_organization');
  });
});

test('[MIR-23] no transaction is open during a request to the ERP', async () => {
  await fixture.emulator.control('fault', { kind: 'slow', endpoint: ENDPOINT, delayMs: 3_600_000 });
  const running = importNow();
  await eventually('the ERP is asked', async () => {
    const { calls } = await fixture.emulator.control<{ calls: { status: number | null }[] }>(
      `calls?endpoint=${ENDPOINT}`,
    );
    return calls.at(-1)?.status === null ? true : undefined;
  });

  const open = await query(
    `select state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
  );

  await fixture.emulator.control('clear-faults');
  expect(open).toEqual([]);
  expect((await running).outcome).toMatchObject({ outcome: 'APPLIED' });
});

describe('[MIR-64] the organizations of a connection', () => {
  test('appear as active ones by name in normalized fields, of the first connection by default', async () => {
    const { id: other } = await aConnection(fixture.db, fixture.emulator.apiLogin);
    await listed([
      { id: uuid(41), name: 'Бар', code: '7' },
      { id: uuid(42), name: 'Аптека' },
      { id: uuid(43), name: 'Кафе' },
    ]);
    await importNow(other);
    await listed([
      { id: uuid(41), name: 'Бар', code: '7' },
      { id: uuid(42), name: 'Аптека' },
    ]);
    await importNow(other).catch(() => importNow(other));
    const active = await findActive(fixture.db, other);
    const listOrganizations = (filter: { connectionId?: number; active?: boolean | undefined }) =>
      listStaffOrganizations(
        { db: fixture.db, env: { SYNC_TIME_ZONE: 'Europe/Moscow' } },
        { page: 1, size: 50, scope: null, ...filter },
      );
    const filtered = async (isActive?: boolean) =>
      (await listOrganizations({ connectionId: other, active: isActive })).items.map(
        ({ name }) => name,
      );

    expect(active.map(({ name }) => name)).toEqual(['Аптека', 'Бар']);
    expect(active[1]).toEqual({
      erpId: uuid(41),
      connectionId: other,
      name: 'Бар',
      code: '7',
      address: null,
      latitude: null,
      longitude: null,
      synchronizedAt: expect.any(Date),
    });
    expect(await findActive(fixture.db)).toEqual(await findActive(fixture.db, 1));
    const all = (await listOrganizations({})).items;
    expect(all.map(({ connectionId }) => connectionId)).toEqual(
      expect.arrayContaining([fixture.connectionId, other]),
    );
    expect([await filtered(true), await filtered(false), await filtered()]).toEqual([
      ['Аптека', 'Бар'],
      ['Кафе'],
      ['Аптека', 'Бар', 'Кафе'],
    ]);
  });
});

describe('[WIRE-3] pitfall 3: an empty list', () => {
  test('succeeds for an account without earlier restaurants', async () => {
    const { id } = await aConnection(fixture.db, fixture.emulator.apiLogin);
    await listed([]);

    const { outcome } = await importNow(id);

    expect(outcome).toMatchObject({ result: { total: 0, created: 0, updated: 0, deactivated: 0 } });
  });

  test('fails once for an account that had restaurants, and is accepted if it is repeated', async () => {
    const active = () => findActive(fixture.db, fixture.connectionId);
    const before = await active();
    await listed([]);

    await expect(importNow()).rejects.toMatchObject({
      name: 'ImportRefused',
      reason: 'EMPTY_LIST',
    });
    const afterFirst = await active();
    const { outcome } = await importNow();

    expect(before).toHaveLength(2);
    expect(afterFirst).toEqual(before);
    expect(outcome).toMatchObject({ result: { total: 0, deactivated: 2 } });
    expect(await active()).toEqual([]);
  });

  test('[MIR-26] notifies administrators until a list contains an organization again', async () => {
    const notifications = () =>
      fixture.db.db
        .selectFrom('notification')
        .where('kind', '=', 'EMPTY_LIST')
        .where('subjectId', '=', String(fixture.connectionId))
        .select((row) => [row('resolvedAt', 'is', null).as('open'), 'repeated'])
        .orderBy('id')
        .execute();
    await deleteRows(fixture.db, 'notification');
    await listed([]);
    await expect(importNow()).rejects.toMatchObject({ reason: 'EMPTY_LIST' });
    const refused = await notifications();
    await importNow();
    const believed = await notifications();
    await fixture.emulator.control('answer', { endpoint: ENDPOINT });
    await importNow();

    expect(refused).toEqual([{ open: true, repeated: 0 }]);
    expect(believed).toEqual([{ open: true, repeated: 1 }]);
    expect(await notifications()).toEqual([{ open: false, repeated: 1 }]);
  });

  test('fails again if a complete list came in between', async () => {
    await listed([]);
    await expect(importNow()).rejects.toMatchObject({ reason: 'EMPTY_LIST' });
    await fixture.emulator.control('answer', { endpoint: ENDPOINT });
    await importNow();
    await listed([]);

    await expect(importNow()).rejects.toMatchObject({ reason: 'EMPTY_LIST' });
  });
});

test('an organization listed twice is imported once, from its first row, and counted', async () => {
  await listed([
    { id: uuid(30), name: 'First' },
    { id: uuid(30).toUpperCase(), name: 'Second' },
    { id: uuid(31), name: 'Other' },
  ]);

  const { outcome, record } = await importNow();

  expect(outcome).toMatchObject({ result: { total: 2, created: 2, deactivated: 2 } });
  expect(record.anomalies).toEqual([
    { code: 'ORGANIZATION_LISTED_TWICE', count: 1, samples: [uuid(30)] },
  ]);
  expect((await findActive(fixture.db, fixture.connectionId)).map(({ name }) => name)).toEqual([
    'First',
    'Other',
  ]);
});

test('[MIR-24, MIR-51] coordinates as text are accepted, and invalid text affects only its organization', async () => {
  await listed([
    { id: uuid(50), name: 'Lost', latitude: '55,75', longitude: '37,62' },
    {
      id: uuid(51),
      name: 'Placed',
      additionalInfo: { latitude: 59.9, longitude: 30.3 },
      latitude: 'x',
      longitude: 'y',
    },
    { id: uuid(52), name: 'Written', latitude: '55.75', longitude: '37.62' },
  ]);

  const { record } = await importNow();

  expect(await findActive(fixture.db, fixture.connectionId)).toMatchObject([
    { name: 'Lost', latitude: null, longitude: null },
    { name: 'Placed', latitude: 59.9, longitude: 30.3 },
    { name: 'Written', latitude: 55.75, longitude: 37.62 },
  ]);
  expect(record.anomalies).toEqual([
    { code: 'INVALID_COORDINATES', count: 1, samples: [uuid(50)] },
  ]);
});

test('[MIR-24] unknown fields, nulls and zero coordinates are harmless, and the raw object is stored', async () => {
  const strange = {
    id: uuid(40),
    name: ' Strange ',
    code: null,
    latitude: 0,
    longitude: 0,
    novelty: { deep: [1] },
  };
  await listed([strange]);

  await importNow();

  expect(await findActive(fixture.db, fixture.connectionId)).toMatchObject([
    {
      erpId: uuid(40),
      name: 'Strange',
      code: null,
      address: null,
      latitude: null,
      longitude: null,
    },
  ]);
  expect(await selectRows(fixture.db, 'mirror_organization', ['raw'], { erpId: uuid(40) })).toEqual(
    [{ raw: strange }],
  );
});

describe('a listed organization', () => {
  test('[MIR-28] contains normalized fields and the time of the list', async () => {
    await listed([
      { id: uuid(51), name: 'Бета', code: 'B', address: 'Street 1', latitude: 1.5, longitude: 2.5 },
      { id: uuid(50), name: 'Альфа' },
    ]);
    const { record } = await importNow();

    const found = await findActive(fixture.db, fixture.connectionId);

    expect(found).toEqual([
      expect.objectContaining({ name: 'Альфа', address: null }),
      {
        erpId: uuid(51),
        connectionId: fixture.connectionId,
        name: 'Бета',
        code: 'B',
        address: 'Street 1',
        latitude: 1.5,
        longitude: 2.5,
        synchronizedAt: expect.any(Date),
      },
    ]);
    expect(Number(found[0]!.synchronizedAt)).toBeGreaterThanOrEqual(Number(record.startedAt));
  });
});

describe('an organization with several connections', () => {
  test('remains one active row after two concurrent imports, in ten rounds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [first, second] = [
        await aConnection(fixture.db, fixture.emulator.apiLogin),
        await aConnection(fixture.db, fixture.emulator.apiLogin),
      ];
      await listed([{ id: uuid(100 + round), name: 'Contested' }]);

      const results = await Promise.all([importNow(first.id), importNow(second.id)]);

      const active = await selectRows(fixture.db, 'mirror_organization', ['id'], {
        erpId: uuid(100 + round),
        inactiveAt: null,
      });
      expect(active).toHaveLength(1);
      expect(results.flatMap(({ record }) => record.anomalies)).toEqual([
        { code: 'ORGANIZATION_CLAIMED_TWICE', count: 1, samples: [uuid(100 + round)] },
      ]);
    }
  });

  test('cannot have a second active row in the database', async () => {
    const { id } = await aConnection(fixture.db, fixture.emulator.apiLogin);
    const twin = query(
      `insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at)
       select $1, erp_id, name, raw, now() from mirror_organization where inactive_at is null limit 1`,
      [id],
    );
    await expect(twin).rejects.toMatchObject({ constraint: 'mirror_organization_active_unique' });
  });
});

test('[CON-6] organizations of a connection without an owner do not change', async () => {
  const old = await addRow(fixture.db, 'connection', {
    name: 'old',
    apiLoginEncrypted: 'x',
    status: 'DISABLED',
  });
  await addRow(fixture.db, 'mirror_organization', {
    connectionId: old.id,
    erpId: uuid(60),
    name: 'Old',
    raw: {},
    synchronizedAt: databaseNow(),
  });

  await importNow();

  await expect(importNow(old.id)).rejects.toMatchObject({ kind: 'not-found' });
  expect(await findActive(fixture.db, old.id)).toMatchObject([{ name: 'Old' }]);
});

describe('the terminal groups of a list', () => {
  const terminalsNow = async () =>
    importTerminals(fixture.deps, {
      runId: await fixture.open('TERMINALS'),
      connectionId: fixture.connectionId,
    });
  const group = (number: number, name: string, timeZone: string | null) => ({
    id: uuid(number),
    name,
    timeZone,
  });
  async function answered(awake: object[], asleep: object[] = [], organizationId?: string) {
    const [organization] = await findActive(fixture.db, fixture.connectionId);
    const wrapped = (items: object[]) => [
      { organizationId: organizationId ?? organization!.erpId, items },
    ];
    const body = { terminalGroups: wrapped(awake), terminalGroupsInSleep: wrapped(asleep) };
    await fixture.emulator.control('answer', { endpoint: TERMINALS, body });
  }
  const stored = () =>
    fixture.db.db
      .selectFrom('mirror_terminal_group')
      .where('name', 'like', 'T%')
      .select((row) => ['name', 'timeZone', 'isAsleep', row('inactiveAt', 'is', null).as('listed')])
      .orderBy('name')
      .execute();

  test('[MIR-29] become asleep, active, missing and active again', async () => {
    await answered([group(71, 'T1', 'Europe/Moscow')], [group(72, 'T2', 'UTC')]);
    await terminalsNow();
    const first = await stored();
    await answered([group(72, 'T2', 'UTC')]);
    const gone = await terminalsNow();
    const second = await stored();
    await answered([], [group(71, 'T1 again', 'Europe/Moscow')]);
    await terminalsNow();

    expect(first).toEqual([
      { name: 'T1', timeZone: 'Europe/Moscow', isAsleep: false, listed: true },
      { name: 'T2', timeZone: 'UTC', isAsleep: true, listed: true },
    ]);
    expect(gone).toMatchObject({ result: { total: 1, created: 0, updated: 1, deactivated: 1 } });
    expect(second).toMatchObject([
      { name: 'T1', listed: false },
      { name: 'T2', isAsleep: false, listed: true },
    ]);
    expect(await stored()).toMatchObject([
      { name: 'T1 again', isAsleep: true, listed: true },
      { name: 'T2', listed: false },
    ]);
  });

  test('pitfall 31: may have an offset as time zone, or an invalid one, which is counted', async () => {
    await answered([
      group(73, 'T3', '03:00:00'),
      group(74, 'T4', 'Mars/Olympus'),
      group(75, 'T5', null),
    ]);
    const runId = await fixture.open('TERMINALS');
    await importTerminals(fixture.deps, { runId, connectionId: fixture.connectionId });

    expect((await stored()).slice(-3)).toMatchObject([
      { timeZone: '+03:00' },
      { timeZone: null },
      { timeZone: null },
    ]);
    expect((await getRun(fixture.db, runId)).anomalies).toEqual([
      { code: 'UNKNOWN_TIME_ZONE', count: 1, samples: [uuid(74)] },
    ]);
  });

  test('exclude and count groups of an unknown organization', async () => {
    await answered([group(76, 'T6', 'UTC')], [], uuid(999));
    const runId = await fixture.open('TERMINALS');

    const outcome = await importTerminals(fixture.deps, {
      runId,
      connectionId: fixture.connectionId,
    });

    expect(outcome).toMatchObject({ result: { total: 0, created: 0 } });
    expect((await getRun(fixture.db, runId)).anomalies).toMatchObject([
      { code: 'UNKNOWN_ORGANIZATION' },
    ]);
  });
});
