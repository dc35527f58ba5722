import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createUpkeepActivities } from '../../../activities/upkeep.ts';
import { LIFE_TIMES, deleteOutdated as deleteRows } from '../../../modules/retention.ts';
import { samplesOf } from '../../support/metrics-text.ts';
import { importBasics, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';

let world: MirrorWorld;
let sync: SyncWorker;
beforeAll(async () => {
  world = await mirrorWorld();
  sync = await syncWorker(world);
});
afterAll(async () => {
  await sync.close();
  await world.close();
});

const remaining = async () => ({
  keys: (await world.db.query<{ key: string }>('select key from idempotency_key order by key')).map((row) => row.key),
  events: (
    await world.db.query<{ reason: string }>(`select payload ->> 'reason' as reason from outbox order by 1`)
  ).map((row) => row.reason),
  sessions: (
    await world.db.query<{ days: number }>(
      `select extract(day from now() - expires_at)::int as days from access_session order by 1`,
    )
  ).map((row) => row.days),
});

async function fill(): Promise<void> {
  await world.db.query('delete from outbox');
  await world.db.query(
    `insert into idempotency_key (scope, key, fingerprint, status, created_at)
     values ('s', 'old', 'x', 201, now() - interval '25 hours'), ('s', 'young', 'x', 201, now() - interval '23 hours')`,
  );
  await world.db.query(
    `insert into outbox (event, payload, created_at, delivered_at)
     values ('CatalogChanged', '{"reason":"delivered long ago"}', now() - interval '9 days', now() - interval '8 days'),
            ('CatalogChanged', '{"reason":"delivered lately"}', now() - interval '9 days', now() - interval '6 days'),
            ('NewerEvent', '{"reason":"not delivered"}', now() - interval '90 days', null)`,
  );
  await world.db.query(
    `with member as (insert into access_user (email, full_name) values ('a@carte.test', 'A') returning id)
     insert into access_session (id, user_id, expires_at)
     select gen_random_uuid(), member.id, now() - days * interval '1 day' from member, unnest(array[31, 29]) as days`,
  );
}
const LEFT = { keys: ['young'], events: ['delivered lately', 'not delivered'], sessions: [29] };

test('what nobody needs any more is deleted, and nothing else', async () => {
  await fill();
  const { deleteOutdated } = createUpkeepActivities(sync.upkeep);
  const call = () => new MockActivityEnvironment().run(deleteOutdated);

  expect(await call()).toMatchObject({ idempotency_key: 1, outbox: 1, access_session: 1 });
  expect(await call()).toMatchObject({ idempotency_key: 0, outbox: 0, access_session: 0 });

  expect(await remaining()).toEqual(LEFT);
});

test('the reconciler does it', async () => {
  await importBasics(world);
  await world.db.query(`update idempotency_key set created_at = now() - interval '2 days'`);
  const worker = await sync.start();
  try {
    await sync.temporal.workflow.execute('reconcile', {
      workflowId: 'reconcile',
      taskQueue: sync.queues.workflows,
      args: [{ queues: sync.queues }],
    });
  } finally {
    await worker.stop();
  }

  expect((await remaining()).keys).toEqual([]);
});

describe('runs', () => {
  const MENU = 7;
  /** Every run of this table, oldest first: what it is, and whether it stays. */
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
    world.db.query(
      `insert into sync_run (id, job, connection_id, external_menu_id, trigger, detail, status, mode, reason, started_at, finished_at)
       select nextval('sync_run_id_seq'), 'MENU', $1, $2, 'SCHEDULE', name, status, mode, reason,
              now() - days * interval '1 day', now() - days * interval '1 day'
         from jsonb_to_recordset($3::jsonb) as run (name text, days int, status text, mode text, reason text)`,
      [
        world.connectionId,
        menu,
        JSON.stringify(runs.map(([name, days, status, mode, reason]) => ({ name, days, status, mode, reason }))),
      ],
    );
  const left = async (menu: number) =>
    (
      await world.db.query<{ name: string }>(
        'select detail as name from sync_run where external_menu_id = $1 order by id',
        [menu],
      )
    ).map((row) => row.name);

  test('[OPS-7] are deleted after 30 days, but never the last run, the last success or the last full success of an import', async () => {
    await insert(RUNS, MENU);
    // The runs of another menu replace nothing.
    await insert(RUNS.slice(0, 1), MENU + 1);
    const { metrics } = world;
    const { deleteOutdated } = createUpkeepActivities({ ...sync.upkeep, metrics });

    await new MockActivityEnvironment().run(deleteOutdated);

    expect(await left(MENU)).toEqual(RUNS.filter(([, , , , , stays]) => stays).map(([name]) => name));
    expect(await left(MENU + 1)).toEqual([RUNS[0]![0]]);
    const counted = samplesOf(await metrics.registry.metrics()).find(
      ({ name, labels }) => name === 'carte_retention_deleted_total' && labels['what'] === 'sync_run',
    );
    expect(counted?.value).toBe(RUNS.filter(([, , , , , stays]) => !stays).length);
  });

  test('a large backlog goes in steps', async () => {
    await world.db.query('delete from sync_run');
    await insert(
      [
        ...Array<(typeof RUNS)[number]>(24).fill(['old', 40, 'SUCCESS', 'FULL', null, false]),
        ['new', 1, 'SUCCESS', 'FULL', null, true],
      ],
      MENU,
    );
    const steps: (number | undefined)[] = [];
    for (let step = 0; step < 4; step += 1) steps.push((await deleteRows(world.db, 10))['sync_run']);

    expect(steps).toEqual([10, 10, 4, 0]);
    expect(await left(MENU)).toEqual(['new']);
  });
});

test('notifications, pauses and exceptions of schedules stay while they last, and 90 days longer; webhooks until they are processed', async () => {
  await world.db.query('delete from notification');
  await world.db.query(
    `insert into notification (kind, severity, subject_type, subject_id, raised_at, read_at, resolved_at)
     select 'SUSPICIOUS_SHRINK', 'CRITICAL', 't', id, now() - interval '400 days', now(), now() - days * interval '1 day'
       from (values ('open', null), ('gone lately', 89), ('gone long ago', 91)) as row (id, days)`,
  );
  await world.db.query(
    `insert into import_pause (connection_id, job, reason, created_at, until, ended_at)
     select $1, 'STOP_LIST', reason, now() - interval '400 days', now() - until * interval '1 day', now() - ended * interval '1 day'
       from (values ('in force', null, null), ('ended lately', null, 89), ('ended long ago', null, 91), ('ran out long ago', 91, null))
            as row (reason, until, ended) where reason <> 'ran out long ago'`,
    [world.connectionId],
  );
  await world.db.query(
    `insert into import_pause (connection_id, job, reason, until) values ($1, 'TERMINALS', 'ran out long ago', now() - interval '91 days')`,
    [world.connectionId],
  );
  await world.db.query(
    `insert into webhook_event (event_key, event_type, raw, received_at, processed_at)
     values ('waits', 'StopListUpdate', '{}', now() - interval '90 days', null),
            ('late', 'StopListUpdate', '{}', now() - interval '6 days', now()),
            ('old', 'StopListUpdate', '{}', now() - interval '8 days', now())`,
  );

  const [organization] = await world.db.query<{ id: number }>('select min(id) as id from mirror_organization');
  await world.db.query(
    `insert into schedule_exception (organization_id, kind, date, starts_at, ends_at, reason)
     values ($1, 'CLOSED', current_date - 80, null, null, 'lately'), ($1, 'CLOSED', current_date - 100, null, null, 'long ago'),
            ($1, 'INTAKE_STOPPED', null, now() - interval '400 days', null, 'stopped still'),
            ($1, 'INTAKE_STOPPED', null, now() - interval '400 days', now() - interval '399 days', 'stopped once')`,
    [organization!.id],
  );

  await deleteRows(world.db);

  const names = async (sql: string) => (await world.db.query<{ name: string }>(sql)).map((row) => row.name);
  expect(await names('select subject_id as name from notification order by id')).toEqual(['open', 'gone lately']);
  expect(await names('select reason as name from import_pause order by id')).toEqual(['in force', 'ended lately']);
  expect(await names('select event_key as name from webhook_event order by id')).toEqual(['waits', 'late']);
  expect(await names('select reason as name from schedule_exception order by id')).toEqual(['lately', 'stopped still']);
});

test('[OPS-7] what is known of the guest of an ended order stays for the days of the setting', async () => {
  const left = async () =>
    (
      await world.db.query<{ days: number }>(
        `select extract(day from now() - created_at)::int as days from personal_data order by 1`,
      )
    ).map((row) => row.days);
  await world.db.query(
    `insert into personal_data (id, purpose, data_encrypted, created_at)
     select gen_random_uuid(), 'ORDER', 'sealed', now() - days * interval '1 day' - interval '1 hour' from unnest(array[364, 365, 40]) as days`,
  );
  await deleteRows(world.db);
  const afterAYear = await left();
  await world.db.query(`insert into setting (key, value) values ('order_personal_days', '30')`);
  await deleteRows(world.db);
  const afterAMonth = await left();
  await world.db.query('delete from setting');

  expect(afterAYear).toEqual([40, 364]);
  expect(afterAMonth).toEqual([]);
});

test('[OPS-7] the page of decision 10 says the life time of every table', async () => {
  const page = await readFile(new URL('../../../docs/decisions/0010-retention.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w+)` +\| (\d+ \w+)/gm)].map(([, table, kept]) => `${table} ${kept}`);

  expect(documented).toEqual(LIFE_TIMES.map(({ table, kept }) => `${table} ${kept}`));
});
