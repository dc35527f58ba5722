import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { upkeepNow } from '../../../modules/mirror/messages/upkeep.ts';
import { startUpkeep } from '../../../modules/mirror/start-upkeep.ts';
import { LIFE_TIMES, deleteOutdated, readOverdue } from '../../../modules/retention.ts';
import { parseSamples } from '../../support/metrics-text.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';
import { runStep } from '../../support/upkeep.ts';
import { asOwner } from '../../support/database-roles.ts';
import {
  addRow,
  addRows,
  ago,
  databaseNow,
  deleteRows,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
});
afterAll(async () => {
  await sync.close();
  await fixture.close();
});

const remaining = async () => ({
  keys: (await selectRows(fixture.db, 'idempotency_key', ['key'], {}, { orderBy: 'key' })).map(
    (row) => row.key,
  ),
  events: (await selectRows(fixture.db, 'outbox', ['payload']))
    .map(({ payload }) => (payload as { reason: string }).reason)
    .toSorted(),
  sessions: (
    await fixture.db.query<{ days: number }>(
      `select extract(day from now() - expires_at)::int as days from access_session order by 1`,
    )
  ).map((row) => row.days),
});

async function fill(): Promise<void> {
  await deleteRows(fixture.db, 'outbox');
  await addRows(fixture.db, 'idempotency_key', [
    { scope: 's', key: 'old', fingerprint: 'x', status: 201, createdAt: ago('25 hours') },
    { scope: 's', key: 'young', fingerprint: 'x', status: 201, createdAt: ago('23 hours') },
  ]);
  await addRows(fixture.db, 'outbox', [
    {
      event: 'CatalogChanged',
      payload: { reason: 'delivered long ago' },
      createdAt: ago('9 days'),
      deliveredAt: ago('8 days'),
    },
    {
      event: 'CatalogChanged',
      payload: { reason: 'delivered lately' },
      createdAt: ago('9 days'),
      deliveredAt: ago('6 days'),
    },
    {
      event: 'NewerEvent',
      payload: { reason: 'not delivered' },
      createdAt: ago('90 days'),
      deliveredAt: null,
    },
  ]);
  const { id: userId } = await addRow(fixture.db, 'access_user', {
    email: 'a@carte.test',
    fullName: 'A',
  });
  for (const days of [31, 29])
    await addRow(fixture.db, 'access_session', {
      id: randomUUID(),
      userId,
      expiresAt: ago(`${days} days`),
    });
}
const LEFT = { keys: ['young'], events: ['delivered lately', 'not delivered'], sessions: [29] };

test('outdated rows are deleted, and no others', async () => {
  await fill();
  const call = () => runStep(sync.upkeep, 'delete-outdated');

  expect(await call()).toMatchObject({ idempotency_key: 1, outbox: 1, access_session: 1 });
  expect(await call()).toMatchObject({ idempotency_key: 0, outbox: 0, access_session: 0 });

  expect(await remaining()).toEqual(LEFT);
});

test('upkeep deletes outdated rows', async () => {
  await importBasics(fixture);
  await updateRows(fixture.db, 'idempotency_key', { createdAt: ago('2 days') });
  const worker = await sync.start();
  try {
    await startUpkeep(sync.product);
    await sync.temporal.workflow.getHandle('upkeep').executeUpdate(upkeepNow, { args: [{}] });
  } finally {
    await worker.stop();
  }

  expect((await remaining()).keys).toEqual([]);
});

test('[OPS-80] the deletion continues if one table fails, and lists the failed tables', async () => {
  await addRow(fixture.db, 'idempotency_key', {
    scope: 's',
    key: 'refused',
    fingerprint: 'x',
    status: 201,
    createdAt: ago('25 hours'),
  });
  await addRow(fixture.db, 'outbox', {
    event: 'CatalogChanged',
    payload: { reason: 'outdated' },
    createdAt: ago('9 days'),
    deliveredAt: ago('8 days'),
  });
  await asOwner(
    fixture.db,
    `create function refuse_deletion() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse_deletion before delete on idempotency_key for each row execute function refuse_deletion()`,
  );
  try {
    await expect(deleteOutdated(fixture.db)).rejects.toThrow(
      'Outdated rows of idempotency_key could not be deleted',
    );
  } finally {
    await asOwner(fixture.db, 'drop function refuse_deletion cascade');
  }

  const { keys, events } = await remaining();
  expect(keys).toEqual(['refused']);
  expect(events).not.toContain('outdated');
  expect(await deleteOutdated(fixture.db)).toMatchObject({ idempotency_key: 1, outbox: 0 });
});

test('[OPS-82] the deletion reports for each table how long its oldest outdated row has been kept', async () => {
  const overdue = async () =>
    Object.fromEntries(
      (await readOverdue(fixture.db)).map(({ table, seconds }) => [
        table,
        Math.round(seconds / 3_600),
      ]),
    );
  await deleteOutdated(fixture.db);
  const before = await overdue();
  await addRows(fixture.db, 'personal_data', [
    { id: randomUUID(), purpose: 'COMMENT', dataEncrypted: 'x', createdAt: ago('366 days') },
    { id: randomUUID(), purpose: 'REASON', dataEncrypted: 'x', createdAt: ago('367 days') },
    { id: randomUUID(), purpose: 'COMMENT', dataEncrypted: 'x', createdAt: ago('364 days') },
    // No column stores when an address lost its cart.
    { id: randomUUID(), purpose: 'ADDRESS', dataEncrypted: 'x', createdAt: ago('400 days') },
  ]);
  await addRow(fixture.db, 'idempotency_key', {
    scope: 's',
    key: 'overdue',
    fingerprint: 'x',
    status: 201,
    createdAt: ago('27 hours'),
  });

  expect(Object.keys(before).toSorted()).toEqual(
    [...new Set([...LIFE_TIMES.map(({ table }) => table), 'erp_order'])].toSorted(),
  );
  expect(Object.values(before).filter((hours) => hours > 0)).toEqual([]);
  expect(await overdue()).toEqual({ ...before, personal_data: 48, idempotency_key: 3 });
  await deleteOutdated(fixture.db);
  expect(await overdue()).toEqual(before);
  await deleteRows(fixture.db, 'personal_data');
});

describe('the deletion of runs', () => {
  const MENU = 7;
  /** Runs of this table, oldest first, and whether each run is kept. */
  const RUNS: readonly [
    name: string,
    days: number,
    status: string,
    mode: string,
    reason: string | null,
    stays: boolean,
  ][] = [
    ['a full success that a later one replaces', 90, 'SUCCESS', 'FULL', null, false],
    ['the last full success', 80, 'SUCCESS', 'FULL', null, true],
    ['an old success', 70, 'SUCCESS', 'INCREMENTAL', null, false],
    ['a run that never ended, before a success', 65, 'RUNNING', 'INCREMENTAL', null, true],
    ['the last success', 60, 'SKIPPED', 'INCREMENTAL', 'UNCHANGED', true],
    ['a failure after it', 50, 'FAILED', 'INCREMENTAL', 'HTTP_500', false],
    ['a run that asked nobody', 45, 'SKIPPED', 'INCREMENTAL', 'OWNER_INACTIVE', false],
    ['a run of a menu that is off', 45, 'SKIPPED', 'INCREMENTAL', 'MENU_DISABLED', false],
    ['an old comparison', 44, 'SUCCESS', 'PLAN', null, false],
    ['a run that never ended', 43, 'RUNNING', 'INCREMENTAL', null, true],
    ['the last run', 40, 'FAILED', 'FULL', 'SUSPICIOUS_SHRINK', true],
    ['a young comparison', 2, 'SUCCESS', 'PLAN', null, true],
  ];
  const insert = (runs: typeof RUNS, menu: number) =>
    fixture.db.query(
      `insert into sync_run (id, job, connection_id, external_menu_id, trigger, detail, status, mode, reason, started_at, finished_at)
       select nextval('sync_run_id_seq'), 'MENU', $1, $2, 'SCHEDULE', name, status, mode, reason,
              now() - days * interval '1 day', now() - days * interval '1 day'
         from jsonb_to_recordset($3::jsonb) as run (name text, days int, status text, mode text, reason text)`,
      [
        fixture.connectionId,
        menu,
        JSON.stringify(
          runs.map(([name, days, status, mode, reason]) => ({ name, days, status, mode, reason })),
        ),
      ],
    );
  const left = async (menu: number) =>
    (
      await selectRows(
        fixture.db,
        'sync_run',
        ['detail as name'],
        { externalMenuId: menu },
        { orderBy: 'id' },
      )
    ).map((row) => row.name);

  test('[OPS-7] happens after 30 days, except for the last run, success and full success of an import', async () => {
    await insert(RUNS, MENU);
    // The runs of another menu replace nothing.
    await insert(RUNS.slice(0, 1), MENU + 1);
    const { metrics } = fixture;

    await runStep({ ...sync.upkeep, metrics }, 'delete-outdated');

    expect(await left(MENU)).toEqual(
      RUNS.filter(([, , , , , stays]) => stays).map(([name]) => name),
    );
    expect(await left(MENU + 1)).toEqual([RUNS[0]![0]]);
    const counted = parseSamples(await metrics.registry.metrics()).find(
      ({ name, labels }) =>
        name === 'carte_retention_deleted_total' && labels['what'] === 'sync_run',
    );
    expect(counted?.value).toBe(RUNS.filter(([, , , , , stays]) => !stays).length);
  });

  test('works in batches for a large backlog', async () => {
    await deleteRows(fixture.db, 'sync_run');
    await insert(
      [
        ...Array<(typeof RUNS)[number]>(24).fill(['old', 40, 'SUCCESS', 'FULL', null, false]),
        ['new', 1, 'SUCCESS', 'FULL', null, true],
      ],
      MENU,
    );
    const steps: (number | undefined)[] = [];
    for (let step = 0; step < 4; step += 1)
      steps.push((await deleteOutdated(fixture.db, 10))['sync_run']);

    expect(steps).toEqual([10, 10, 4, 0]);
    expect(await left(MENU)).toEqual(['new']);
  });
});

test('notifications, pauses and exceptions stay 90 days after their end, webhooks until processed', async () => {
  await deleteRows(fixture.db, 'notification');
  const raised = {
    kind: 'SUSPICIOUS_SHRINK',
    severity: 'CRITICAL',
    subjectType: 't' as never,
  } as const;
  const read = { ...raised, raisedAt: ago('400 days'), readAt: databaseNow() };
  await addRows(fixture.db, 'notification', [
    { ...read, subjectId: 'open', resolvedAt: null },
    { ...read, subjectId: 'gone lately', resolvedAt: ago('89 days') },
    { ...read, subjectId: 'gone long ago', resolvedAt: ago('91 days') },
  ]);
  const pause = {
    connectionId: fixture.connectionId,
    job: 'STOP_LIST',
    createdAt: ago('400 days'),
  } as const;
  await addRows(fixture.db, 'import_pause', [
    { ...pause, reason: 'in force', endedAt: null },
    { ...pause, reason: 'ended lately', endedAt: ago('89 days') },
    { ...pause, reason: 'ended long ago', endedAt: ago('91 days') },
  ]);
  await addRow(fixture.db, 'import_pause', {
    connectionId: fixture.connectionId,
    job: 'TERMINALS',
    reason: 'ran out long ago',
    until: ago('91 days'),
  });
  await addRows(fixture.db, 'webhook_event', [
    {
      eventKey: 'waits',
      eventType: 'StopListUpdate',
      raw: {},
      receivedAt: ago('90 days'),
      processedAt: null,
    },
    {
      eventKey: 'late',
      eventType: 'StopListUpdate',
      raw: {},
      receivedAt: ago('6 days'),
      processedAt: databaseNow(),
    },
    {
      eventKey: 'old',
      eventType: 'StopListUpdate',
      raw: {},
      receivedAt: ago('8 days'),
      processedAt: databaseNow(),
    },
  ]);

  const organization = await fixture.db.db
    .selectFrom('mirror_organization')
    .select((row) => row.fn.min('id').as('id'))
    .executeTakeFirstOrThrow();
  await fixture.db.query(
    `insert into schedule_exception (organization_id, kind, date, starts_at, ends_at, reason)
     values ($1, 'CLOSED', current_date - 80, null, null, 'lately'), ($1, 'CLOSED', current_date - 100, null, null, 'long ago'),
            ($1, 'INTAKE_STOPPED', null, now() - interval '400 days', null, 'stopped still'),
            ($1, 'INTAKE_STOPPED', null, now() - interval '400 days', now() - interval '399 days', 'stopped once')`,
    [organization.id],
  );

  await deleteOutdated(fixture.db);

  const { db } = fixture;
  const byId = { orderBy: 'id' } as const;
  const notifications = await selectRows(db, 'notification', ['subjectId'], {}, byId);
  const pauses = await selectRows(db, 'import_pause', ['reason'], {}, byId);
  const events = await selectRows(db, 'webhook_event', ['eventKey'], {}, byId);
  const exceptions = await selectRows(db, 'schedule_exception', ['reason'], {}, byId);
  expect(notifications.map((row) => row.subjectId)).toEqual(['open', 'gone lately']);
  expect(pauses.map((row) => row.reason)).toEqual(['in force', 'ended lately']);
  expect(events.map((row) => row.eventKey)).toEqual(['waits', 'late']);
  expect(exceptions.map((row) => row.reason)).toEqual(['lately', 'stopped still']);
});

test('[OPS-7] guest data of an ended order stays for the days of the setting', async () => {
  const left = async () =>
    (
      await fixture.db.query<{ days: number }>(
        `select extract(day from now() - created_at)::int as days from personal_data order by 1`,
      )
    ).map((row) => row.days);
  for (const days of [364, 365, 40])
    await addRow(fixture.db, 'personal_data', {
      id: randomUUID(),
      purpose: 'ORDER',
      dataEncrypted: 'sealed',
      createdAt: ago(`${days} days 1 hour`),
    });
  await deleteOutdated(fixture.db);
  const afterAYear = await left();
  await addRow(fixture.db, 'setting', { key: 'order_personal_days', value: 30 });
  await deleteOutdated(fixture.db);
  const afterAMonth = await left();
  await deleteRows(fixture.db, 'setting');

  expect(afterAYear).toEqual([40, 364]);
  expect(afterAMonth).toEqual([]);
});

test('[OPS-7] the page of decision 10 lists the lifetime of every table', async () => {
  const page = await readFile(
    new URL('../../../docs/decisions/0010-retention.md', import.meta.url),
    'utf8',
  );
  const documented = [...page.matchAll(/^\| `(\w+)` +\| (\d+ \w+)/gm)].map(
    ([, table, kept]) => `${table} ${kept}`,
  );

  expect(documented).toEqual(LIFE_TIMES.map(({ table, kept }) => `${table} ${kept}`));
});
