import type { SyncStatus } from '../../../modules/mirror/schemas/sync-status.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { readSyncStatus } from '../../../modules/sync-status/sync-status.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';
import { watched } from '../../support/watched.ts';
import { asOwner } from '../../support/database-roles.ts';
import {
  addRow,
  addRows,
  ago,
  databaseNow,
  deleteRows,
  fromNow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  // No Temporal and no ERP: the answer comes from the rows.
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  api.deps.db.query<T>(sql, params);
const owner = (sql: string) => asOwner(api.deps.db, sql);
const status = () => admin.get<SyncStatus>('/sync/status');
/** Matches an age that is at most 50 s older when it is read. */
const aged = (seconds: number) => expect.closeTo(seconds, -2);
const connected = async (organizations = 1) => {
  const { id } = await aConnection(api.deps.db, 'login of status');
  const rows = Array.from({ length: organizations }, (_, at) => ({
    connectionId: id,
    name: `Restaurant ${at + 1}`,
  }));
  await addRows(api.deps.db, 'mirror_organization', rows);
  return id;
};
const createMenu = async (connectionId: number, erpId: string) => {
  const menu = await addRow(api.deps.db, 'mirror_external_menu', {
    connectionId,
    erpId,
    name: erpId,
    synchronizedAt: databaseNow(),
  });
  await addRow(api.deps.db, 'external_menu_setting', { externalMenuId: menu.id });
  return menu.id;
};
const ran = async (
  connectionId: number,
  run: {
    job: string;
    status: string;
    reason?: string;
    ago: string;
    menuId?: number;
    mode?: string;
  },
) => {
  const [row] = await query<{ id: number }>(
    `insert into sync_run (id, job, connection_id, external_menu_id, mode, trigger, status, reason, started_at, finished_at)
     values (nextval('sync_run_id_seq'), $1, $2, $3, $4, 'SCHEDULE', $5, $6, now() - $7::interval,
             case when $5 = 'RUNNING' then null else now() - $7::interval end) returning id`,
    [
      run.job,
      connectionId,
      run.menuId ?? null,
      run.mode ?? 'FULL',
      run.status,
      run.reason ?? null,
      run.ago,
    ],
  );
  return row!.id;
};
const findImport = (
  all: SyncStatus,
  connectionId: number,
  job: string,
  externalMenuErpId: string | null = null,
) =>
  all.connections
    .find((connection) => connection.id === connectionId)!
    .imports.find((entry) => entry.job === job && entry.externalMenuErpId === externalMenuErpId)!;

describe('the status of imports', () => {
  test('[OPS-3] contains one entry per job and menu, in order, with the last run and the last success', async () => {
    const id = await connected();
    const menuId = await createMenu(id, 'menu-a');
    await ran(id, { job: 'STOP_LIST', status: 'SUCCESS', ago: '400 seconds' });
    const failed = await ran(id, {
      job: 'STOP_LIST',
      status: 'FAILED',
      reason: 'HTTP',
      ago: '10 seconds',
    });
    await ran(id, { job: 'MENU', status: 'SUCCESS', ago: '27 hours', menuId });
    await ran(id, {
      job: 'MENU',
      status: 'SKIPPED',
      reason: 'UNCHANGED',
      ago: '100 seconds',
      menuId,
      mode: 'INCREMENTAL',
    });
    const running = await ran(id, {
      job: 'MENU',
      status: 'RUNNING',
      ago: '5 seconds',
      menuId,
      mode: 'INCREMENTAL',
    });
    await updateRows(api.deps.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    await updateRows(
      api.deps.db,
      'external_menu_setting',
      { dueSince: ago('9 days') },
      { externalMenuId: menuId },
    );
    await updateRows(api.deps.db, 'connection', { createdAt: ago('9 days') }, { id });

    const all = await status();
    const jobs = all.connections
      .find((connection) => connection.id === id)!
      .imports.map((entry) => entry.job);

    expect(jobs).toEqual(['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'MENU', 'STOP_LIST', 'ZONES']);
    expect(findImport(all, id, 'STOP_LIST')).toMatchObject({
      ageSeconds: aged(400),
      isStale: true,
      missedRuns: 0,
      lastRun: { id: failed, status: 'FAILED', reason: 'HTTP' },
      isRunning: false,
      pause: null,
    });
    expect(findImport(all, id, 'MENU', 'menu-a')).toMatchObject({
      ageSeconds: aged(100),
      isStale: false,
      isRunning: true,
      lastRun: { id: running, status: 'RUNNING', finishedAt: null },
      isFullDue: true,
      isFullOverdue: true,
    });
    expect(findImport(all, id, 'ORGANIZATIONS')).toMatchObject({
      lastSuccessAt: null,
      lastRun: null,
      isStale: true,
    });
    expect(findImport(all, id, 'ORGANIZATIONS').missedRuns).toBeGreaterThan(200);
    expect(all.running.find((run) => run.id === running)).toMatchObject({
      job: 'MENU',
      externalMenuErpId: 'menu-a',
      ageSeconds: aged(5),
    });
  });

  test('ignores plans, and counts no freshness for a run without a request to the ERP', async () => {
    const id = await connected();
    for (const reason of ['MENU_INACTIVE', 'MENU_DISABLED', 'PAUSED', 'DISABLED', 'OWNER_INACTIVE'])
      await ran(id, { job: 'TERMINALS', status: 'SKIPPED', reason, ago: '1 second' });
    await ran(id, { job: 'TERMINALS', status: 'SUCCESS', ago: '1 second', mode: 'PLAN' });

    expect(findImport(await status(), id, 'TERMINALS')).toMatchObject({
      lastSuccessAt: null,
      lastRun: { reason: 'OWNER_INACTIVE' },
    });
  });

  test('shows the reason of a paused import, which misses nothing and does not count for its job', async () => {
    const id = await connected();
    await updateRows(api.deps.db, 'connection', { createdAt: ago('1 day') }, { id });
    const before = await status();
    const pause = await admin.post<{ id: number }>('/sync/pauses', {
      connectionId: id,
      job: 'STOP_LIST',
      reason: 'repairs',
    });
    const after = await status();
    const count = (all: SyncStatus) => all.jobs.find((job) => job.job === 'STOP_LIST')!;

    expect(findImport(before, id, 'STOP_LIST').missedRuns).toBeGreaterThan(1000);
    expect(findImport(after, id, 'STOP_LIST')).toMatchObject({
      pause: { id: pause.id, reason: 'repairs', until: null },
      missedRuns: 0,
      isStale: true,
    });
    expect([
      count(after).imports - count(before).imports,
      count(after).paused - count(before).paused,
    ]).toEqual([-1, 1]);
    await admin.raw('DELETE', `/sync/pauses/${pause.id}`);
    // Missed runs count from the end of the pause.
    expect(findImport(await status(), id, 'STOP_LIST')).toMatchObject({
      pause: null,
      missedRuns: 0,
    });
  });

  test('counts for a job the oldest success of its imports', async () => {
    await deleteRows(api.deps.db, 'sync_run');
    await updateRows(api.deps.db, 'connection', { status: 'DISABLED' });
    const [one, other] = [await connected(), await connected()];
    await ran(one, { job: 'ORGANIZATIONS', status: 'SUCCESS', ago: '10 seconds' });
    await ran(other, { job: 'ORGANIZATIONS', status: 'SUCCESS', ago: '1000 seconds' });
    await ran(one, { job: 'TERMINALS', status: 'SUCCESS', ago: '10 seconds' });
    const { jobs } = await status();

    expect(jobs.map((job) => job.job)).toEqual([
      'ORGANIZATIONS',
      'TERMINALS',
      'MENU_LIST',
      'MENU',
      'STOP_LIST',
      'ZONES',
    ]);
    expect(jobs[0]).toMatchObject({ imports: 2, ageSeconds: aged(1000), stale: 0 });
    expect(jobs[1]).toMatchObject({ imports: 2, lastSuccessAt: null, ageSeconds: null });
    expect(jobs[3]).toMatchObject({ imports: 0, lastSuccessAt: null });
  });
});

describe('the status of connections', () => {
  test('shows disabled connections and inactive owners, which miss nothing', async () => {
    const [disabled, ownerless] = [await connected(), await connected()];
    await updateRows(
      api.deps.db,
      'connection',
      { status: 'DISABLED', createdAt: ago('1 day') },
      { id: disabled },
    );
    await updateRows(
      api.deps.db,
      'legal_entity',
      { isActive: false },
      {
        id: api.deps.db.db
          .selectFrom('connection')
          .where('id', '=', ownerless)
          .select('legalEntityId')
          .$asScalar(),
      },
    );
    const all = await status();
    const shown = (id: number) => all.connections.find((connection) => connection.id === id);

    expect(shown(disabled)).toMatchObject({
      status: 'DISABLED',
      isOwnerActive: true,
      isImported: false,
    });
    expect(shown(ownerless)).toMatchObject({
      status: 'ACTIVE',
      isOwnerActive: false,
      isImported: false,
    });
    expect(findImport(all, disabled, 'STOP_LIST')).toMatchObject({ missedRuns: 0, isStale: true });
  });

  test('[CON-11] shows open circuit breakers and a rejected credential', async () => {
    const [id, healthy] = [await connected(), await connected()];
    await addRow(api.deps.db, 'erp_circuit', {
      connectionId: id,
      endpointGroup: 'LOYALTY',
      openedAt: databaseNow(),
      openUntil: fromNow('1 minute'),
    });
    await query(
      `insert into erp_token (connection_id, refused_at) values ($1, now()) on conflict (connection_id) do update set refused_at = now()`,
      [id],
    );
    await addRow(api.deps.db, 'erp_refusal', {
      connectionId: id,
      endpoint: '/api/1/stop_lists',
      generation: 1,
    });
    const { connections } = await status();

    expect(connections.find((connection) => connection.id === id)).toMatchObject({
      circuit: 'OPEN',
      openUntil: expect.any(String),
      circuits: expect.arrayContaining([
        expect.objectContaining({
          group: 'LOYALTY',
          circuit: 'OPEN',
          openUntil: expect.any(String),
        }),
        { group: 'ORDERS', circuit: 'CLOSED', openedAt: null, openUntil: null },
      ]),
      credentialRefusedAt: expect.any(String),
      refusedEndpoints: ['/api/1/stop_lists'],
    });
    expect(connections.find((connection) => connection.id === healthy)).toMatchObject({
      circuit: 'CLOSED',
      refusedEndpoints: [],
    });
  });

  test('omits former connections without an owner', async () => {
    const id = await connected();
    await owner(`alter table connection disable trigger user`);
    await updateRows(
      api.deps.db,
      'connection',
      { status: 'DISABLED', legalEntityId: null },
      { id },
    );
    await owner(`alter table connection enable trigger user`);
    const all = await status();

    expect(all.connections.map((connection) => connection.id)).not.toContain(id);
    expect(all.organizations.map((organization) => organization.connectionId)).not.toContain(id);
  });
});

test('organizations show the age of their stop-list and menu, and since when either is outdated', async () => {
  const id = await connected(2);
  const [first, second] = await selectRows(
    api.deps.db,
    'mirror_organization',
    ['id'],
    { connectionId: id },
    { orderBy: 'id' },
  );
  await addRow(api.deps.db, 'mirror_stop_list_state', {
    organizationId: first!.id,
    synchronizedAt: ago('301 seconds'),
    dirtySeq: 1,
    dirtyAt: ago('7 seconds'),
  });
  await addRows(api.deps.db, 'snapshot_request', [
    { organizationId: first!.id, dirtySeq: 2, builtSeq: 1, dirtyAt: databaseNow() },
    { organizationId: second!.id, dirtySeq: 1, builtSeq: 1, dirtyAt: databaseNow() },
  ]);
  const { organizations } = await status();
  const shown = (organizationId: number) =>
    organizations.find((organization) => organization.id === organizationId);

  expect(shown(first!.id)).toMatchObject({
    stopListAgeSeconds: aged(301),
    isStopListStale: true,
    stopListDirtySince: expect.any(String),
    menuRevision: null,
    menuDirtySince: expect.any(String),
  });
  expect(shown(second!.id)).toMatchObject({
    stopListAt: null,
    isStopListStale: true,
    menuDirtySince: null,
  });
});

test('queues show their length and age', async () => {
  await deleteRows(api.deps.db, 'webhook_event');
  await updateRows(api.deps.db, 'outbox', { deliveredAt: databaseNow() });
  await addRow(api.deps.db, 'webhook_event', {
    eventKey: 'k',
    eventType: 'StopListUpdate',
    raw: {},
    receivedAt: ago('90 seconds'),
  });
  await addRow(api.deps.db, 'outbox', {
    event: 'ErpStopListsMarked',
    payload: { connectionId: 1 },
    createdAt: ago('60 seconds'),
  });
  const { queues } = await status();

  expect(queues.webhook.pending).toBe(1);
  expect(Math.floor(queues.webhook.oldestAgeSeconds! / 10)).toBe(9);
  expect(queues.outbox.pending).toBe(1);
});

test('schedules paused in Temporal itself are shown as last seen', async () => {
  await addRow(api.deps.db, 'schedule_paused_elsewhere', {
    scheduleId: 'schedule/reconcile',
    note: 'maintenance',
  });

  expect((await status()).schedulesPausedElsewhere).toEqual([
    { scheduleId: 'schedule/reconcile', note: 'maintenance' },
  ]);
});

describe('several menus with a price for one size', () => {
  test('appear with the deciding one first, without menus of other organizations', async () => {
    const id = await connected(2);
    const [first, second] = await selectRows(
      api.deps.db,
      'mirror_organization',
      ['id'],
      { connectionId: id },
      { orderBy: 'id' },
    );
    const [lunch, dinner, delivery] = [
      await createMenu(id, 'lunch'),
      await createMenu(id, 'dinner'),
      await createMenu(id, 'delivery'),
    ];
    await updateRows(
      api.deps.db,
      'external_menu_setting',
      { priority: 5 },
      { externalMenuId: dinner },
    );
    const item = await addRow(api.deps.db, 'mirror_item', { name: 'Soup', type: null });
    const size = await addRow(api.deps.db, 'mirror_item_size', { itemId: item.id });
    for (const [menu, organization] of [
      [lunch, first],
      [dinner, first],
      [delivery, second],
    ] as const) {
      await addRow(api.deps.db, 'mirror_size_menu', {
        externalMenuId: menu,
        itemSizeId: size.id,
        synchronizedRun: 1,
      });
      await addRow(api.deps.db, 'mirror_price', {
        externalMenuId: menu,
        itemSizeId: size.id,
        organizationId: organization!.id,
        priceKopecks: 100,
        changedAt: databaseNow(),
      });
    }
    const overlaps = async () =>
      (await status()).severalMenusPriceOneSize.filter((entry) => entry.connectionId === id);
    const found = await overlaps();
    // The price in the other organization has no effect, and stays until the next import.
    await query(
      'update external_menu_setting set organization_ids = array[$2::bigint] where external_menu_id = $1',
      [lunch, second!.id],
    );
    expect(await overlaps()).toEqual([]);
    await updateRows(
      api.deps.db,
      'external_menu_setting',
      { organizationIds: null },
      { externalMenuId: lunch },
    );
    await updateRows(
      api.deps.db,
      'mirror_price',
      { lostAt: databaseNow() },
      { externalMenuId: lunch },
    );

    expect(found).toEqual([
      {
        connectionId: id,
        externalMenuErpIds: ['dinner', 'lunch'],
        externalMenuIds: [expect.any(Number), expect.any(Number)],
        itemName: 'Soup',
        erpItemSizeId: size.id,
      },
    ]);
    expect(await overlaps()).toEqual([]);
  });
});

test('[OPS-3] 300 organizations on 30 connections need as many statements as one', async () => {
  const statements = async (): Promise<number> => {
    let count = 0;
    const counting = watched(api.deps.db, () => (count += 1));
    await readSyncStatus(counting, api.deps.intervals);
    return count;
  };
  const before = await statements();
  for (let made = 0; made < 30; made += 1) await createMenu(await connected(10), `menu-${made}`);
  const all = await status();

  expect(all.organizations.length).toBeGreaterThanOrEqual(300);
  expect(await statements()).toBe(before);
  expect(before).toBeLessThan(12);
});
