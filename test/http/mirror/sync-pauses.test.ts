import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { reconcileImports } from '../../../modules/mirror/reconcile.ts';
import { isPaused } from '../../../modules/mirror/pauses/is-paused.ts';
import { hasDirtyStopLists } from '../../../modules/mirror/mark-stop-lists-dirty.ts';
import { drawRunId, openRun } from '../../../modules/mirror/runs/open-run.ts';
import type { Job, RunTrigger } from '../../../modules/mirror/rules/jobs.ts';
import { queuesWithPrefix } from '../../../kernel/pure/queues.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';
import { repetitions } from '../../support/repetitions.ts';
import { addRow, addRows, ago, databaseNow, selectRows, updateRows } from '../../support/rows.ts';

type Pause = {
  id: number;
  job: string;
  externalMenuId: number | null;
  endedAt: string | null;
  reason: string;
};

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  api.deps.db.query<T>(sql, params);
const connected = async () => (await aConnection(api.deps.db, 'login of pauses')).id;
const withMenus = async () => {
  const connectionId = await connected();
  const rows = [1, 2].map((at) => ({ connectionId, erpId: `menu-${at}`, name: `Menu ${at}` }));
  const menus = await addRows(api.deps.db, 'mirror_external_menu', rows);
  for (const { id } of menus)
    await addRow(api.deps.db, 'external_menu_setting', { externalMenuId: id });
  return { connectionId, menus };
};
const pause = (body: object) =>
  admin.raw('POST', '/sync/pauses', { reason: 'the kitchen moves', ...body });
const opened = async (
  connectionId: number,
  job: Job,
  trigger: RunTrigger,
  externalMenuId?: number,
) => {
  const runId = await drawRunId(api.deps.db);
  const menu = externalMenuId === undefined ? {} : { externalMenuId };
  return (
    await openRun(api.deps.db, { runId, connectionId, job, trigger, workflowId: 'w', ...menu })
  ).skip;
};

describe('a pause of imports', () => {
  test('[MIR-37] creates a row with its reason and author, audited, and updates the schedules', async () => {
    const connectionId = await connected();
    const answer = await pause({ connectionId, job: 'STOP_LIST', reason: '  the kitchen moves ' });
    const created = (await answer.json()) as Pause;
    const list = await admin.get<{ items: Pause[] }>('/sync/pauses');

    expect(answer.status).toBe(201);
    expect(created).toMatchObject({
      connectionId,
      job: 'STOP_LIST',
      externalMenuId: null,
      reason: 'the kitchen moves',
      until: null,
      createdBy: { id: expect.any(Number), name: expect.any(String) },
      endedAt: null,
    });
    expect(list.items[0]).toEqual(created);
    expect(
      await selectRows(api.deps.db, 'audit_entry', ['action', 'reason'], {
        entityType: 'import-pause',
        entityId: String(created.id),
      }),
    ).toEqual([{ action: 'create', reason: 'the kitchen moves' }]);
    expect(
      await query(
        `select payload from outbox where event = 'ImportPausesChanged' and payload ->> 'connectionId' = $1`,
        [String(connectionId)],
      ),
    ).toHaveLength(1);
  });

  test('exists once per idempotency key', async () => {
    const body = { connectionId: await connected(), job: 'TERMINALS', reason: 'work' };
    const key = { 'Idempotency-Key': 'one-pause' };
    const created = await admin.post<Pause>('/sync/pauses', body, key);

    expect(await admin.post('/sync/pauses', body, key)).toEqual(created);
    expect((await admin.raw('POST', '/sync/pauses', body)).status).toBe(409);
  });

  test('[MIR-37] stops schedules, webhooks and reconcilers, but no manual run', async () => {
    const connectionId = await connected();
    await pause({ connectionId, job: 'STOP_LIST' });
    const skips = await Promise.all(
      (['SCHEDULE', 'WEBHOOK', 'EVENT', 'MANUAL'] as const).map((trigger) =>
        opened(connectionId, 'STOP_LIST', trigger),
      ),
    );

    expect(skips).toEqual(['PAUSED', 'PAUSED', 'PAUSED', null]);
    expect(await opened(connectionId, 'TERMINALS', 'SCHEDULE')).toBeNull();
    expect(await opened(await connected(), 'STOP_LIST', 'SCHEDULE')).toBeNull();
  });

  test('[HTTP-108] affects one menu, or all menus if it is of MENU', async () => {
    const { connectionId, menus } = await withMenus();
    const skips = () =>
      Promise.all(menus.map((menu) => opened(connectionId, 'MENU', 'SCHEDULE', menu.id)));
    const one = (await (
      await pause({ connectionId, job: 'MENU', externalMenuId: menus[0]!.id })
    ).json()) as Pause;
    const single = await skips();
    await admin.raw('DELETE', `/sync/pauses/${one.id}`);
    await pause({ connectionId, job: 'MENU' });

    expect(one).toMatchObject({ externalMenuId: menus[0]!.id, externalMenuErpId: 'menu-1' });
    expect(single).toEqual(['PAUSED', null]);
    expect(await skips()).toEqual(['PAUSED', 'PAUSED']);
  });

  test('expires, and can then be created again', async () => {
    const connectionId = await connected();
    const until = new Date(Date.now() + 60_000).toISOString();
    const { id } = (await (await pause({ connectionId, job: 'MENU_LIST', until })).json()) as Pause;
    const before = await isPaused(api.deps.db, { connectionId, job: 'MENU_LIST' });
    await updateRows(api.deps.db, 'import_pause', { until: ago('1 second') }, { id });
    const after = await isPaused(api.deps.db, { connectionId, job: 'MENU_LIST' });
    const again = await pause({ connectionId, job: 'MENU_LIST' });
    const all = await admin.get<{ items: Pause[] }>('/sync/pauses?all=true&size=200');

    expect([before, after, again.status]).toEqual([true, false, 201]);
    expect(all.items.find((item) => item.id === id)?.endedAt).toEqual(expect.any(String));
    expect(
      (await admin.get<{ items: Pause[] }>('/sync/pauses?size=200')).items.map((item) => item.id),
    ).not.toContain(id);
  });

  test('ends manually once, and a second call changes nothing', async () => {
    const connectionId = await connected();
    const { id } = (await (await pause({ connectionId, job: 'TERMINALS' })).json()) as Pause;
    const answers = [
      await admin.raw('DELETE', `/sync/pauses/${id}`),
      await admin.raw('DELETE', `/sync/pauses/${id}`),
      await admin.raw('DELETE', '/sync/pauses/999999'),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 404]);
    expect(
      await query(
        `select payload from outbox where event = 'ImportPausesChanged' and payload ->> 'connectionId' = $1 order by id`,
        [String(connectionId)],
      ),
    ).toEqual([{ payload: { connectionId } }, { payload: { connectionId, ended: 'TERMINALS' } }]);
    expect(await isPaused(api.deps.db, { connectionId, job: 'TERMINALS' })).toBe(false);
    expect(
      await selectRows(
        api.deps.db,
        'audit_entry',
        ['action'],
        { entityType: 'import-pause', entityId: String(id) },
        { orderBy: 'id' },
      ),
    ).toEqual([{ action: 'create' }, { action: 'end' }]);
  });

  test('exists once after concurrent requests', async () => {
    for (let round = 0; round < repetitions(3); round += 1) {
      const connectionId = await connected();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => pause({ connectionId, job: 'ORGANIZATIONS' })),
      );

      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
        201, 409, 409, 409, 409,
      ]);
      expect(await answers.find((answer) => answer.status === 409)!.json()).toMatchObject({
        type: '/problems/duplicate',
      });
    }
  });

  test.each([
    [{ job: 'EVERYTHING' }, 'job'],
    [{ job: 'STOP_LIST', externalMenuId: 1 }, 'externalMenuId'],
    [{ job: 'MENU', externalMenuId: 999_999 }, 'externalMenuId'],
    [{ job: 'MENU', reason: '   ' }, 'reason'],
    [{ job: 'MENU', until: '2020-01-01T00:00:00Z' }, 'until'],
    [{ job: 'MENU', until: 'tomorrow' }, 'until'],
  ])('cannot be created with %j, an error of its field', async (body, field) => {
    const answer = await pause({ connectionId: await connected(), ...body });

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field }] });
  });

  test('fails with 404 for an unknown connection', async () => {
    expect((await pause({ connectionId: 999_999, job: 'MENU' })).status).toBe(404);
  });
});

test('outdated stop-lists wait for the end of a pause, for the refresh and for the reconciler', async () => {
  const { connectionId, menus } = await withMenus();
  const { id: organizationId } = await addRow(api.deps.db, 'mirror_organization', { connectionId });
  await addRow(api.deps.db, 'mirror_stop_list_state', {
    organizationId,
    dirtySeq: 1,
    dirtyAt: ago('1 hour'),
  });
  await updateRows(api.deps.db, 'mirror_external_menu', { fullDue: true }, { id: menus[0]!.id });
  const { db, temporal, metrics } = api.deps;
  // There is no Temporal, so any start of a workflow would fail.
  const reconcile = () =>
    reconcileImports({ db, temporal, metrics, queues: queuesWithPrefix(''), timings: {} });
  await updateRows(api.deps.db, 'sync_run', { status: 'SKIPPED' }, { status: 'RUNNING' });
  await pause({ connectionId, job: 'STOP_LIST' });
  await pause({ connectionId, job: 'MENU', externalMenuId: menus[0]!.id });
  const paused = await hasDirtyStopLists(db, connectionId);

  expect(paused).toBe(false);
  expect(await reconcile()).toEqual({ restarted: 0, abandoned: 0, started: 0, woken: 0 });
  await updateRows(api.deps.db, 'import_pause', { endedAt: databaseNow() });
  expect(await hasDirtyStopLists(db, connectionId)).toBe(true);
  await expect(reconcile()).rejects.toThrow('Failed to start Workflow');
});
