import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listExternalMenus, updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { lastSuccesses } from '../../../modules/mirror/runs/last-successes.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import type { SchedulePlan } from '../../../modules/mirror/schedules/schedule-plan.ts';
import { createStateReader } from '../../../modules/gauges/read-state.ts';
import { readOverdue } from '../../../modules/retention.ts';
import { readSyncStatus } from '../../../modules/sync-status/sync-status.ts';
import { JOBS, type Job } from '../../../modules/mirror/rules/jobs.ts';
import { queuesWithPrefix, type Queues } from '../../../kernel/pure/queues.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { releaseRights, reserveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { aConnection, testActor, testSecrets } from '../../support/connection.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { grantTo } from '../../support/rights.ts';
import { createErpCircuits } from '../../../modules/connections/erp-calls/erp-circuits.ts';
import { BLOCK, giftDesk } from '../../support/gifts/gift-desk.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { parseSamples, type Sample } from '../../support/metrics-text.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';
import { asOwner, inOwnerSession } from '../../support/database-roles.ts';
import { waitingSessions } from '../../support/whole-schema.ts';
import {
  addRow,
  addRows,
  ago,
  column,
  databaseNow,
  deleteRows,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let menuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  menuId = await importBasics(fixture);
  const { connectionId } = fixture;
  const other = await addRow(fixture.db, 'mirror_external_menu', {
    connectionId,
    erpId: '9999',
    name: 'Other',
  });
  await addRow(fixture.db, 'external_menu_setting', { externalMenuId: other.id });
});
afterAll(async () => {
  await sync.close();
  await fixture.close();
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const log = createLog({ service: 'test', level: 'silent' });

const intervals = Object.fromEntries(
  JOBS.map((job) => [job, { everyMs: 60_000 }]),
) as SchedulePlan['jobs'];

/** Seconds since the last success, to a tenth of a minute. Null when no import is due. */
async function readAge(job: Job): Promise<number | null> {
  const found = (await lastSuccesses(fixture.db)).find((success) => success.job === job);
  return found === undefined ? null : Math.round((Date.now() / 1000 - found.at) / 6) / 10;
}

describe('the gauge erp_last_success_timestamp', () => {
  beforeEach(async () => {
    await deleteRows(fixture.db, 'import_pause');
    await deleteRows(fixture.db, 'sync_run');
    await query(
      `update connection set status = case when id = $1 then 'ACTIVE' else 'DISABLED' end, created_at = now() - interval '1 day'`,
      [fixture.connectionId],
    );
    await updateRows(fixture.db, 'legal_entity', { isActive: true });
    await updateRows(fixture.db, 'franchisee', { isActive: true });
    await updateRows(fixture.db, 'mirror_external_menu', { inactiveAt: null });
    await updateRows(fixture.db, 'external_menu_setting', {
      isEnabled: true,
      dueSince: ago('1 day'),
    });
    for (const job of ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST', 'ZONES'] as const)
      await ran(job, '1 minute');
    for (const { id } of await selectRows(fixture.db, 'mirror_external_menu', ['id']))
      await ran('MENU', '1 minute', { menu: id });
  });

  type Ran = { menu?: number; status?: string; reason?: string; connection?: number };
  const ran = (job: Job, ago: string, { menu, status = 'SUCCESS', reason, connection }: Ran = {}) =>
    query(
      `insert into sync_run (id, job, connection_id, external_menu_id, trigger, status, reason, started_at, finished_at)
       values (nextval('sync_run_id_seq'), $1, $2, $3, 'SCHEDULE', $4, $5, now() - $6::interval, now() - $6::interval)`,
      [job, connection ?? fixture.connectionId, menu ?? null, status, reason ?? null, ago],
    );

  test('shows the last success of each job, unaffected by later failures', async () => {
    for (let failure = 0; failure < 3; failure += 1)
      await ran('STOP_LIST', '10 seconds', { status: 'FAILED' });

    const found = Object.fromEntries(
      (await lastSuccesses(fixture.db)).map(({ job }) => [job, true]),
    );
    expect(found).toEqual({
      ORGANIZATIONS: true,
      TERMINALS: true,
      MENU_LIST: true,
      MENU: true,
      STOP_LIST: true,
      ZONES: true,
    });
    expect(await readAge('STOP_LIST')).toBe(1);
    expect(await readAge('MENU')).toBe(1);
  });

  test('counts a SKIPPED run as success', async () => {
    const menus = await selectRows(fixture.db, 'mirror_external_menu', ['id']);
    await updateRows(fixture.db, 'sync_run', { finishedAt: ago('40 minutes') }, { job: 'MENU' });
    expect(await readAge('MENU')).toBe(40);

    for (const { id } of menus)
      await ran('MENU', '2 minutes', { menu: id, status: 'SKIPPED', reason: 'UNCHANGED' });

    expect(menus.length).toBeGreaterThan(1);
    expect(await readAge('MENU')).toBe(2);
  });

  test.each(['DISABLED', 'OWNER_INACTIVE', 'PAUSED', 'MENU_DISABLED', 'MENU_INACTIVE'])(
    '[OPS-4] ignores a run without a request to the ERP (%s), like the status',
    async (reason) => {
      await updateRows(
        fixture.db,
        'sync_run',
        { finishedAt: ago('7 minutes') },
        { job: 'STOP_LIST' },
      );
      await ran('STOP_LIST', '1 minute', { status: 'SKIPPED', reason });
      const { jobs } = await readSyncStatus(fixture.db, intervals);

      expect(await readAge('STOP_LIST')).toBe(7);
      expect(jobs.find((job) => job.job === 'STOP_LIST')?.ageSeconds).toBeGreaterThanOrEqual(420);
    },
  );

  test('shows one dead menu among live menus', async () => {
    await updateRows(
      fixture.db,
      'sync_run',
      { finishedAt: ago('50 minutes') },
      { job: 'MENU', externalMenuId: menuId },
    );
    expect(await readAge('MENU')).toBe(50);
  });

  test('shows one dead connection, counted from its creation if it never succeeded', async () => {
    const other = await aConnection(fixture.db, 'never worked');
    await updateRows(fixture.db, 'connection', { createdAt: ago('3 hours') }, { id: other.id });
    expect(await readAge('STOP_LIST')).toBe(180);

    await ran('STOP_LIST', '2 hours', { connection: other.id });
    expect(await readAge('STOP_LIST')).toBe(120);
  });

  test('counts a menu that never succeeded from the moment when it was due', async () => {
    await deleteRows(fixture.db, 'sync_run', { externalMenuId: menuId });
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { dueSince: ago('2 hours') },
      { externalMenuId: menuId },
    );
    expect(await readAge('MENU')).toBe(120);
  });

  test('counts a menu that is enabled again from then on, not from its last import', async () => {
    await updateRows(
      fixture.db,
      'sync_run',
      { finishedAt: ago('20 hours') },
      { job: 'MENU', externalMenuId: menuId },
    );
    const change = async (isEnabled: boolean) => {
      const { items } = await listExternalMenus(fixture.db, { page: 1, size: 50 });
      const { version } = items.find((item) => item.id === menuId)!;
      await updateExternalMenu({ db: fixture.db }, testActor, menuId, { version, isEnabled });
    };

    expect(await readAge('MENU')).toBe(1200);
    await change(false);
    expect(await readAge('MENU')).toBe(1);
    await change(true);
    expect(await readAge('MENU')).toBe(1);
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { dueSince: ago('10 hours') },
      { externalMenuId: menuId },
    );
    const { items } = await listExternalMenus(fixture.db, { page: 1, size: 50 });
    const { version } = items.find((item) => item.id === menuId)!;
    await updateExternalMenu({ db: fixture.db }, testActor, menuId, { version, priority: 7 });
    expect(await readAge('MENU')).toBe(600);
  });

  test.each([
    ['a disabled connection', `update connection set status = 'DISABLED' where id = $1`],
    [
      'a connection of an inactive legal entity',
      `update legal_entity set is_active = false where id = (select legal_entity_id from connection where id = $1)`,
    ],
    [
      'a connection of an inactive franchisee',
      `update franchisee set is_active = false where id = (select entity.franchisee_id from connection
         join legal_entity entity on entity.id = legal_entity_id where connection.id = $1)`,
    ],
    [
      'a paused import',
      `insert into import_pause (connection_id, job, reason) values ($1, 'STOP_LIST', 'test')`,
    ],
  ])('ignores %s', async (_name, statement) => {
    const other = await aConnection(fixture.db, 'dead');
    await updateRows(fixture.db, 'connection', { createdAt: ago('3 hours') }, { id: other.id });
    expect(await readAge('STOP_LIST')).toBe(180);

    await query(statement, [other.id]);

    expect(await readAge('STOP_LIST')).toBe(1);
  });

  test.each([
    [
      'a menu that is switched off',
      'update external_menu_setting set is_enabled = false where external_menu_id = $1',
    ],
    [
      'a menu that is no longer listed',
      'update mirror_external_menu set inactive_at = now() where id = $1',
    ],
    [
      'a paused menu',
      `insert into import_pause (connection_id, job, external_menu_id, reason)
       select connection_id, 'MENU', id, 'test' from mirror_external_menu where id = $1`,
    ],
  ])('ignores the disabled %s', async (_name, statement) => {
    await updateRows(
      fixture.db,
      'sync_run',
      { finishedAt: ago('5 hours') },
      { job: 'MENU', externalMenuId: menuId },
    );
    expect(await readAge('MENU')).toBe(300);

    await query(statement, [menuId]);

    expect(await readAge('MENU')).toBe(1);
  });

  test('counts an import from the end of its pause, whether it was ended or expired', async () => {
    await updateRows(fixture.db, 'sync_run', { finishedAt: ago('5 hours') }, { job: 'STOP_LIST' });
    const pause = (columns: string, values: string) =>
      query(
        `insert into import_pause (connection_id, job, reason, created_at, ${columns}) values ($1, 'STOP_LIST', 'test', now() - interval '4 hours', ${values})`,
        [fixture.connectionId],
      );
    await pause('ended_at', `now() - interval '30 minutes'`);
    expect(await readAge('STOP_LIST')).toBe(30);

    await pause('until', `now() - interval '10 minutes'`);
    expect(await readAge('STOP_LIST')).toBe(10);
  });

  test('omits the series if no import is due', async () => {
    await updateRows(fixture.db, 'connection', { status: 'DISABLED' });
    expect(await lastSuccesses(fixture.db)).toEqual([]);
  });

  test('uses the index of successes, for any number of later failures', async () => {
    await query(
      `insert into sync_run (id, job, connection_id, trigger, status, finished_at)
       select nextval('sync_run_id_seq'), 'STOP_LIST', $1, 'SCHEDULE', 'FAILED', now() from generate_series(1, 5000)`,
      [fixture.connectionId],
    );
    await asOwner(fixture.db, 'analyze sync_run');
    const plan = await query<{ 'QUERY PLAN': string }>(
      `explain select finished_at from sync_run run where run.connection_id = $1 and run.job = 'STOP_LIST'
          and run.external_menu_id is not distinct from null::bigint and run.status in ('SUCCESS', 'SKIPPED') order by run.id desc limit 1`,
      [fixture.connectionId],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('sync_run_success_index');
    expect(await readAge('STOP_LIST')).toBe(1);
  });
});

describe('a scrape of the gauges', () => {
  /** Returns the samples of a fresh process after its first reading. */
  async function samples(
    options: {
      db?: TestFixture['db'];
      sendsNotifications?: boolean;
      temporal?: SyncWorker['temporal'];
      queues?: Queues;
    } = {},
  ): Promise<Sample[]> {
    const metrics = createMetrics('test');
    const {
      db = fixture.db,
      sendsNotifications = true,
      temporal = sync.temporal,
      queues = sync.queues,
    } = options;
    await createStateReader({
      db,
      temporal,
      queues,
      metrics,
      log,
      sendsNotifications,
      readOverdue,
    })();
    return parseSamples(await metrics.registry.metrics());
  }
  const findValue = (found: Sample[], name: string, labels: Record<string, string> = {}) =>
    found.find(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value;

  test('[OPS-116] shows the size of the cart table growing with its carts', async () => {
    const before = findValue(await samples(), 'carte_cart_bytes')!;
    const [{ id: organizationId }] = (await selectRows(
      fixture.db,
      'mirror_organization',
      ['id'],
      {},
      { limit: 1 },
    )) as [{ id: number }];
    const carts = Array.from({ length: 200 }, () => ({
      id: randomUUID(),
      organizationId,
      options: {} as never,
      answered: randomUUID().repeat(20),
    }));
    await addRows(fixture.db, 'cart', carts);

    expect(findValue(await samples(), 'carte_cart_bytes')! - before).toBeGreaterThan(100_000);
    await deleteRows(fixture.db, 'cart');
  });

  test('reports the age and the number of all waiting objects', async () => {
    await deleteRows(fixture.db, 'outbox');
    await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });
    await deleteRows(fixture.db, 'notification');
    const quiet = await samples();
    await appendOutbox(fixture.db, 'CatalogChanged', { organizationIds: null, reason: 'test' });
    await updateRows(fixture.db, 'outbox', { createdAt: ago('70 seconds') });
    await updateRows(
      fixture.db,
      'snapshot_request',
      { dirtySeq: plus('dirtySeq', 1), dirtyAt: ago('80 seconds') },
      {
        organizationId: fixture.db.db
          .selectFrom('snapshot_request')
          .select((row) => row.fn.min('organizationId').as('min'))
          .$asScalar(),
      },
    );
    await addRow(fixture.db, 'webhook_event', {
      eventKey: 'a',
      eventType: 'StopListUpdate',
      raw: {},
      receivedAt: ago('90 seconds'),
    });
    await updateRows(fixture.db, 'mirror_stop_list_state', { dirtyAt: ago('100 seconds') });
    await query(
      `insert into mirror_stop_list_state (organization_id, dirty_at) select min(id), now() - interval '100 seconds'
         from mirror_organization on conflict (organization_id) do update set dirty_at = excluded.dirty_at`,
    );
    const run = await fixture.open('TERMINALS');
    await updateRows(fixture.db, 'sync_run', { startedAt: ago('110 seconds') }, { id: run });
    await addRow(fixture.db, 'import_pause', {
      connectionId: fixture.connectionId,
      job: 'TERMINALS',
      reason: 'test',
    });
    const raise = (subjectId: number) =>
      raiseNotification(fixture.db, {
        kind: 'SUSPICIOUS_SHRINK',
        subjectType: 'external-menu',
        subjectId,
        details: {},
      });
    await updateRows(
      fixture.db,
      'notification',
      { raisedAt: ago('120 seconds') },
      { id: await raise(1) },
    );
    await updateRows(
      fixture.db,
      'notification',
      { sendEndedAt: databaseNow() },
      { id: await raise(2) },
    );
    const sent = await raise(3);
    await updateRows(fixture.db, 'notification', { sentAt: databaseNow() }, { id: sent });
    const gone = await raise(4);
    await updateRows(fixture.db, 'notification', { resolvedAt: databaseNow() }, { id: gone });

    const busy = await samples();

    for (const [name, before, least] of [
      ['carte_outbox_pending', 0, 5],
      ['carte_outbox_oldest_pending_seconds', 0, 70],
      ['carte_snapshot_dirty', 0, 1],
      ['carte_snapshot_oldest_dirty_seconds', 0, 80],
      ['carte_webhook_pending', 0, 1],
      ['carte_webhook_oldest_pending_seconds', 0, 90],
      ['carte_stop_list_oldest_dirty_seconds', 0, 100],
      ['carte_sync_oldest_running_seconds', 0, 110],
      ['carte_imports_paused', 0, 1],
      ['carte_notification_oldest_unsent_seconds', 0, 120],
    ] as const) {
      expect([name, findValue(quiet, name)]).toEqual([name, before]);
      expect([name, Math.floor(findValue(busy, name)! / 10) * 10 || findValue(busy, name)]).toEqual(
        [name, least],
      );
    }
    expect(
      findValue(quiet, 'carte_notifications_open', { kind: 'SUSPICIOUS_SHRINK' }),
    ).toBeUndefined();
    expect(findValue(busy, 'carte_notifications_open', { kind: 'SUSPICIOUS_SHRINK' })).toBe(3);
    expect(findValue(busy, 'carte_notifications_unsent', { state: 'waiting' })).toBe(1);
    expect(findValue(busy, 'carte_notifications_unsent', { state: 'given_up' })).toBe(1);
    expect(
      findValue(await samples({ sendsNotifications: false }), 'carte_notifications_unsent', {
        state: 'given_up',
      }),
    ).toBe(0);
    expect(findValue(busy, 'carte_incidents_open', { severity: 'CRITICAL' })).toBe(0);
    expect(findValue(busy, 'carte_state_up')).toBe(1);
  });

  test('[CMP-21] reports remaining markers and cards without promises, except those of erased clients', async () => {
    const gifts = await giftDesk(fixture, sync);
    const [stays, gone] = [
      await gifts.promised('ERP_COMMENT', { comment: BLOCK }),
      await gifts.promised('ERP_COMMENT', { comment: BLOCK }),
    ];
    await stays.redeem();
    await gone.redeem();
    const waits = `update marker_clearing set state = 'HELD', held_by = $2, waits_since = now() - $3::interval where compensation_id = $1`;
    await query(waits, [stays.right, 'DAMAGED', '2 hours']);
    await query(waits, [gone.right, 'CLIENT_GONE', '9 hours']);
    const read = { readAt: databaseNow(), promisesReadAt: databaseNow() };
    await addRows(fixture.db, 'client_card', [
      { ...read, clientId: stays.clientId, damaged: 1, withoutReward: 0 },
      { ...read, clientId: gone.clientId, damaged: 2, withoutReward: 1 },
    ]);

    const found = await samples();

    expect(Math.round(findValue(found, 'carte_gift_marker_oldest_waiting_seconds')! / 100)).toBe(
      72,
    );
    expect(
      ['DAMAGED', 'CLIENT_GONE', 'NOTHING'].map((by) =>
        findValue(found, 'carte_gift_markers_waiting', { held_by: by }),
      ),
    ).toEqual([1, 1, 0]);
    expect(
      ['DAMAGED', 'UNKNOWN', 'WITHOUT_REWARD'].map((fault) =>
        findValue(found, 'carte_gift_cards_faulty', { fault }),
      ),
    ).toEqual([2, 0, 1]);
  });

  test('[MIR-46] reports the time since the last run of the reconciler', async () => {
    await updateRows(fixture.db, 'mirror_reconciled', { at: ago('700 seconds') });
    expect(Math.round(findValue(await samples(), 'carte_reconcile_age_seconds')! / 10)).toBe(70);
  });

  test('reports security events of the last hour by kind', async () => {
    await query(
      `insert into security_event (kind, occurred_at)
       select kind, now() - minutes * interval '1 minute'
         from (values ('FORBIDDEN', 1), ('FORBIDDEN', 59), ('FORBIDDEN', 61), ('TOKEN_REUSED', 5)) found (kind, minutes)`,
    );
    const found = await samples();
    const counted = ['FORBIDDEN', 'TOKEN_REUSED', 'WEBHOOK_REFUSED'].map(
      (kind) =>
        found.find(
          ({ name, labels }) => name === 'carte_security_events_recent' && labels.kind === kind,
        )?.value,
    );
    expect(counted).toEqual([2, 1, 0]);
  });

  test('[CMP-27] reports undecided phrases, and the age of the oldest', async () => {
    const before = await samples();
    await query(
      `with client as (
         insert into compensation_client (id, connection_id, erp_customer_id) values (gen_random_uuid(), $1, gen_random_uuid()) returning id)
       insert into compensation_candidate (client_id, phrase, generation, is_present, status, found_at, seen_at, closed_at)
       select client.id, 'free gift', hours, true, status, now() - hours * interval '1 hour', now(), closed_at::timestamptz
         from client, (values (1, 'OPEN', null), (2, 'OPEN', null), (3, 'DISMISSED', 'now')) found (hours, status, closed_at)`,
      [fixture.connectionId],
    );
    const after = await samples();

    expect([before, after].map((found) => findValue(found, 'carte_gift_candidates_open'))).toEqual([
      0, 2,
    ]);
    expect(
      [before, after].map((found) =>
        Math.round(findValue(found, 'carte_gift_candidate_oldest_seconds')! / 100),
      ),
    ).toEqual([0, 72]);
  });

  test('[CMP-62] counts reservations that returned automatically within a day, and none that staff returned', async () => {
    const returned = async () => findValue(await samples(), 'carte_gifts_returned_last_day');
    const keys = { connectionId: fixture.connectionId, erpCustomerId: randomUUID() };
    const clientId = await fixture.db.transaction((tx) =>
      ensureClient(tx, { secrets: testSecrets }, keys),
    );
    const gift = { code: 'came-back', name: 'Тарт', erp_item_id: randomUUID() };
    const rewardId = await menuRows(fixture.db).insert('reward', gift);
    const back = async (hoursAgo: number, settling: { actor?: Actor } = {}) => {
      const at = new Date(Date.now() - hoursAgo * 3_600_000);
      const [orderId, id] = [randomUUID(), await grantTo(fixture.db, { clientId, rewardId, at })];
      await fixture.db.transaction(async (tx) => {
        await reserveRights(tx, { orderId, rights: [id], at });
        await releaseRights(tx, orderId, 'FAILED', { at, ...settling });
      });
    };
    const before = await returned();
    await back(1);
    await back(23);
    await back(25);
    await back(2, { actor: { type: 'USER', userId: 1, requestId: null } });

    expect([before, await returned()]).toEqual([0, 2]);
  });

  test('[CMP-76] shows the time without gift comparison of a connection, at first since its first right', async () => {
    const hours = async () =>
      Math.round(findValue(await samples(), 'carte_gifts_oldest_check_seconds')! / 3600);
    await deleteRows(fixture.db, 'gift_reconciliation');
    const right = `update compensation set granted_at = now() - $1::interval where client_id in (
      select id from compensation_client where connection_id = $2)`;
    const keys = { connectionId: fixture.connectionId, erpCustomerId: randomUUID() };
    const clientId = await fixture.db.transaction((tx) =>
      ensureClient(tx, { secrets: testSecrets }, keys),
    );
    const gift = { code: 'never-compared', name: 'Тарт', erp_item_id: randomUUID() };
    await grantTo(fixture.db, {
      clientId,
      rewardId: await menuRows(fixture.db).insert('reward', gift),
    });
    await query(right, ['31 hours', fixture.connectionId]);
    const never = await hours();
    await query(
      `insert into gift_reconciliation values (current_date - 1, gen_random_uuid(), $1, 0, 0, 0, 0, now() - interval '2 hours')`,
      [fixture.connectionId],
    );
    const compared = await hours();
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    await deleteRows(fixture.db, 'gift_reconciliation');
    const disabled = await hours();
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });

    expect([never, compared, disabled]).toEqual([31, 2, 0]);
  });

  test('omits outdated stop-lists that are not imported now', async () => {
    await query(
      `insert into mirror_stop_list_state (organization_id, dirty_at) select min(id), now() - interval '400 seconds'
         from mirror_organization on conflict (organization_id) do update set dirty_at = excluded.dirty_at`,
    );
    const waits = async () =>
      findValue(await samples(), 'carte_stop_list_oldest_dirty_seconds')! > 300;
    const imported = await waits();
    const silent: [string, boolean][] = [];
    for (const [why, begins, ends] of [
      [
        'paused',
        `insert into import_pause (connection_id, job, reason) values (${fixture.connectionId}, 'STOP_LIST', 'works')`,
        'update import_pause set ended_at = now() where ended_at is null',
      ],
      [
        'entity',
        'update legal_entity set is_active = false',
        'update legal_entity set is_active = true',
      ],
      [
        'franchisee',
        'update franchisee set is_active = false',
        'update franchisee set is_active = true',
      ],
    ] as const) {
      await query(begins);
      silent.push([why, await waits()]);
      await query(ends);
    }

    expect([imported, silent, await waits()]).toEqual([
      true,
      [
        ['paused', false],
        ['entity', false],
        ['franchisee', false],
      ],
      true,
    ]);
  });

  test('reports the open circuit breakers of every connection', async () => {
    const circuits = createErpCircuits({ db: fixture.db });
    const { id: other } = await aConnection(fixture.db, 'login');
    await circuits.open({ connectionId: fixture.connectionId, group: 'ORDERS' }, 60_000);
    const states = async () => {
      const found = await samples();
      return [fixture.connectionId, other].map((id) =>
        findValue(found, 'carte_erp_circuit_state', { connection: String(id), group: 'ORDERS' }),
      );
    };
    const open = await states();
    await updateRows(fixture.db, 'erp_circuit', { openUntil: ago('1 ms') });
    const trying = await states();
    await circuits.close({ connectionId: fixture.connectionId, group: 'ORDERS' });

    expect([open, trying, await states()]).toEqual([
      [2, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  test('[OPS-73] reports the age of the last poll of orders of each connection', async () => {
    const connectionId = fixture.connectionId;
    const age = async () =>
      findValue(await samples(), 'carte_order_poll_age_seconds', {
        connection: String(connectionId),
      })!;
    await updateRows(fixture.db, 'connection', { createdAt: ago('1 hour') }, { id: connectionId });
    const never = await age();
    await addRow(fixture.db, 'order_poll', { connectionId, succeededAt: ago('10 minutes') });
    const old = await age();
    await updateRows(fixture.db, 'order_poll', { succeededAt: ago('5 seconds') }, { connectionId });

    expect([never, old].map((seconds) => Math.round(seconds / 60))).toEqual([60, 10]);
    expect(await age()).toBeLessThan(60);
    await deleteRows(fixture.db, 'order_poll');
  });

  test('[OPS-119] counts the orders of the last hour and of the same hour a week ago', async () => {
    const { connectionId } = fixture;
    const counts = async () => {
      const found = await samples();
      return ['last', 'week_ago'].map((hour) =>
        findValue(found, 'carte_orders_recent', { connection: String(connectionId), hour }),
      );
    };
    const { id: organizationId } = await selectRow(fixture.db, 'mirror_organization', ['id'], {
      connectionId,
    });
    const before = await counts();
    for (const [number, age] of [
      ['now', '1 minute'],
      ['today', '61 minutes'],
      ['begins', '168 hours 59 minutes'],
      ['ends', '168 hours 1 minute'],
      ['later', '167 hours 59 minutes'],
      ['earlier', '169 hours 1 minute'],
    ] as const)
      await addRow(fixture.db, 'customer_order', {
        connectionId,
        organizationId,
        number,
        acceptedAt: ago(age),
      });

    expect([before, await counts()]).toEqual([
      [0, 0],
      [1, 2],
    ]);
    await deleteRows(fixture.db, 'customer_order');
  });

  test('reports the number of tasks that wait for a worker', async () => {
    // The server caches the answers of earlier queries.
    const queues = queuesWithPrefix('waiting-');
    const started = { workflowId: 'nobody-works', taskQueue: queues.workflows, args: [] };
    await sync.temporal.workflow.start('mediaSweep', started);
    const backlog = await eventually('the task is counted', async () => {
      const found = findValue(await samples({ queues }), 'carte_task_queue_backlog', {
        queue: 'workflows',
        type: 'workflow',
      });
      return found === 0 ? undefined : found;
    });
    expect(backlog).toBe(1);
    await sync.temporal.workflow.getHandle('nobody-works').terminate();
  });

  test('reports the rows even without Temporal', async () => {
    const broken = {
      withDeadline: () => Promise.reject(new Error('unreachable')),
    } as unknown as SyncWorker['temporal'];
    const found = await samples({ temporal: broken });

    expect(findValue(found, 'carte_state_up')).toBe(1);
    expect(findValue(found, 'carte_outbox_pending')).toBeGreaterThan(0);
    expect(found.filter(({ name }) => name.startsWith('carte_task_queue'))).toEqual([]);
  });

  test('[OPS-79] omits and reports a group of gauges that cannot be read, and returns the others', async () => {
    const before = await samples();
    const found = await inOwnerSession(fixture.db, async (client) => {
      await client.query('begin');
      await client.query('lock table gift_reconciliation in access exclusive mode');
      const during = await samples();
      // The slow statement has timed out.
      expect(await waitingSessions(fixture.db)).toBe(0);
      await client.query('rollback');
      return during;
    });
    const listGroups = (read: readonly Sample[], value: number) =>
      read
        .filter((sample) => sample.name === 'carte_state_group_up' && sample.value === value)
        .map(({ labels }) => String(labels['group']))
        .toSorted((a, b) => a.localeCompare(b));

    expect(listGroups(before, 0)).toEqual([]);
    expect(listGroups(found, 0)).toEqual(['comparisons']);
    expect(listGroups(found, 1)).toEqual(
      listGroups(before, 1).filter((group) => group !== 'comparisons'),
    );
    expect(findValue(before, 'carte_gift_days_differing')).toBeDefined();
    expect(findValue(found, 'carte_gift_days_differing')).toBeUndefined();
    expect(findValue(found, 'carte_outbox_pending')).toBe(
      findValue(before, 'carte_outbox_pending'),
    );
    expect(findValue(found, 'carte_state_up')).toBe(1);
  });

  test('[OPS-120] uses at most three connections', async () => {
    let [open, most] = [0, 0];
    const db = {
      ...fixture.db,
      transaction: async (...work: Parameters<typeof fixture.db.transaction>) => {
        open += 1;
        most = Math.max(most, open);
        return fixture.db.transaction(...work).finally(() => (open -= 1));
      },
    } as typeof fixture.db;
    const found = await samples({ db });

    expect(
      found.filter(({ name, value }) => name === 'carte_state_group_up' && value === 1).length,
    ).toBeGreaterThan(3);
    expect(most).toBe(3);
  });

  test('answers without the database, reports the outage and repeats no old value', async () => {
    const metrics = createMetrics('test');
    let isUp = true;
    const transaction: TestFixture['db']['transaction'] = async (work, options) => {
      if (!isUp) throw new Error('the database is gone');
      return fixture.db.transaction(work, options);
    };
    const read = createStateReader({
      db: { ...fixture.db, transaction },
      temporal: sync.temporal,
      queues: sync.queues,
      metrics,
      log,
      sendsNotifications: true,
      readOverdue,
    });
    await read();
    const before = parseSamples(await metrics.registry.metrics());
    isUp = false;
    await read();
    const after = parseSamples(await metrics.registry.metrics());

    expect(findValue(before, 'carte_outbox_pending')).toBeGreaterThan(0);
    expect(findValue(after, 'carte_state_up')).toBe(0);
    const fromRows = after.filter(
      ({ name }) =>
        name === 'erp_last_success_timestamp' ||
        /^carte_(outbox_p|outbox_o|snapshot_[do]|webhook_[po]|notif.*(open|unsent))/.test(name),
    );
    expect(fromRows.map(({ name }) => name)).toEqual([]);
  });
});

describe('the metric erp_sync_items_total', () => {
  test('counts what each job wrote, by action', async () => {
    const items = async () =>
      parseSamples(await fixture.metrics.registry.metrics())
        .filter(({ name }) => name === 'erp_sync_items_total')
        .map(({ labels, value }) => [`${labels['job']} ${labels['action']}`, value] as const);
    await deleteRows(fixture.db, 'import_pause');
    await importMenu(fixture, menuId, 'FULL');
    const found = Object.fromEntries(await items());

    expect(found['ORGANIZATIONS created']).toBe(2);
    expect(found['MENU_LIST created']).toBeGreaterThan(0);
    expect(found['MENU created']).toBeGreaterThan(10);
    expect(Object.keys(found).toSorted()).toEqual([
      'MENU created',
      'MENU deleted',
      'MENU updated',
      'MENU_LIST created',
      'MENU_LIST deactivated',
      'MENU_LIST updated',
      'ORGANIZATIONS created',
      'ORGANIZATIONS deactivated',
      'ORGANIZATIONS updated',
    ]);
  });

  test('measures a run once even if it is closed twice', async () => {
    const runId = await fixture.open('TERMINALS');
    const count = async () =>
      parseSamples(await fixture.metrics.registry.metrics()).find(
        ({ name, labels }) =>
          name === 'erp_sync_duration_seconds_count' && labels['job'] === 'TERMINALS',
      )?.value;
    await closeRun(fixture.deps, { runId, status: 'FAILED', reason: 'TEST' });
    const once = await count();
    await closeRun(fixture.deps, { runId, status: 'FAILED', reason: 'TEST' });

    expect(once).toBe(1);
    expect(await count()).toBe(1);
  });
});
