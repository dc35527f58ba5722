import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { routes } from '../../../api/routes.ts';
import type { Job, RunStatus } from '../../../modules/mirror/rules/jobs.ts';
import { queuesWithPrefix } from '../../../kernel/pure/queues.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';
import { testTemporal } from '../../support/temporal.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { holdRow } from '../../support/races.ts';
import { addRow, selectRows } from '../../support/rows.ts';

let temporal: Awaited<ReturnType<typeof testTemporal>>;
let connection: Connection;
let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  temporal = await testTemporal();
  connection = await Connection.connect({ address: temporal.address });
  api = await startTestApi({
    routes,
    deps: {
      temporal: new Client({ connection, namespace: temporal.namespace }),
      queues: queuesWithPrefix(`${randomUUID()}-`),
    },
  });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(async () => {
  await api.stop();
  await connection.close();
  await temporal.stop();
});

type Run = {
  id: number;
  job: string;
  status: string;
  trigger: string;
  requestedBy: { id: number; name: string } | null;
};

describe('POST /sync/run', () => {
  test('[MIR-36, ACC-56] answers 202 with a run that can be read immediately, and 409 while it runs', async () => {
    const { id } = await aConnection(api.deps.db, 'login one');
    const request = { job: 'ORGANIZATIONS', scope: String(id) };
    const started = await admin.raw('POST', '/sync/run', request);
    const { runId } = (await started.json()) as { runId: number };
    const run = await admin.get<Run>(`/sync/runs/${runId}`);
    const again = await admin.raw('POST', '/sync/run', request);
    const other = await admin.raw('POST', '/sync/run', { ...request, job: 'TERMINALS' });

    const entries = await selectRows(
      api.deps.db,
      'audit_entry',
      ['actorType as actor', 'actorId', 'action'],
      {
        entityType: 'sync-run',
        entityId: String(runId),
      },
    );

    expect(started.status).toBe(202);
    expect(entries).toEqual([{ actor: 'USER', actorId: run.requestedBy?.id, action: 'start' }]);
    expect(run).toMatchObject({
      id: runId,
      job: 'ORGANIZATIONS',
      status: 'RUNNING',
      trigger: 'MANUAL',
      mode: 'FULL',
    });
    expect(run.requestedBy).toEqual({ id: expect.any(Number), name: expect.any(String) });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ type: '/problems/already-running' });
    expect(other.status).toBe(202);
  });

  test('[HTTP-6] returns the started run for a repeated request', async () => {
    const { id } = await aConnection(api.deps.db, 'login of a key');
    const start = (job: string) =>
      fetch(`${api.url}/api/admin/v1/sync/run`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.accessToken}`,
          'content-type': 'application/json',
          'idempotency-key': `run-${id}`,
        },
        body: JSON.stringify({ job, scope: String(id) }),
      });
    const [first, again, other] = [
      await start('TERMINALS'),
      await start('TERMINALS'),
      await start('ORGANIZATIONS'),
    ];

    expect([first, again, other].map(({ status }) => status)).toEqual([202, 202, 422]);
    expect(await again.json()).toEqual(await first.json());
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ]);
    expect(await selectRows(api.deps.db, 'sync_run', ['id'], { connectionId: id })).toHaveLength(1);
  });

  test('[MIR-35] starts one run for two concurrent requests', async () => {
    const { id } = await aConnection(api.deps.db, 'login two');
    const start = () => admin.raw('POST', '/sync/run', { job: 'STOP_LIST', scope: String(id) });
    const answers = await Promise.all([start(), start(), start(), start()]);

    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      202, 409, 409, 409,
    ]);
  });

  test.each([
    [{ job: 'ORGANIZATIONS', scope: '999999' }, 'scope'],
    [{ job: 'ORGANIZATIONS', scope: 'all' }, 'scope'],
    [{ job: 'MENU', scope: 'unknown' }, 'scope'],
    [{ job: 'EVERYTHING', scope: '1' }, 'job'],
    [{ job: 'MENU', scope: '1', mode: 'PARTIAL' }, 'mode'],
    [{ job: 'STOP_LIST', scope: '1', mode: 'PLAN' }, 'mode'],
  ])('rejects %j with an error of %s', async (body, field) => {
    const response = await admin.raw('POST', '/sync/run', body);

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ field }] });
  });
});

describe('a connectionId in addition to the scope', () => {
  test('may repeat the scope but not contradict it', async () => {
    const { id } = await aConnection(api.deps.db, 'login of two words');
    const start = (connectionId: number) =>
      admin.raw('POST', '/sync/run', { job: 'MENU_LIST', scope: String(id), connectionId });
    const contradicting = await start(id + 1);
    const repeating = await start(id);

    expect(contradicting.status).toBe(422);
    expect(await contradicting.json()).toMatchObject({
      errors: [{ field: 'connectionId', code: 'invalid' }],
    });
    expect(repeating.status).toBe(202);
  });
});

describe('POST /sync/runs/{id}/accept-shrink', () => {
  test('[MIR-13] fails for a run that was not rejected, an unknown one, and an empty reason', async () => {
    const { id } = await aConnection(api.deps.db, 'login of nobody');
    const { runId } = await admin.post<{ runId: number }>('/sync/run', {
      job: 'ORGANIZATIONS',
      scope: String(id),
    });
    const accept = (run: number, reason: string) =>
      admin.raw('POST', `/sync/runs/${run}/accept-shrink`, { reason });
    const answers = await Promise.all([
      accept(runId, 'because'),
      accept(999_999, 'because'),
      accept(runId, '  '),
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([409, 404, 422]);
    expect(await answers[0]!.json()).toMatchObject({ type: '/problems/invalid-transition' });
    expect(await answers[2]!.json()).toMatchObject({ errors: [{ field: 'reason' }] });
  });
});

describe('POST /sync/runs/{id}/cancel', () => {
  const cancel = (id: number, reason = 'The ERP does not answer') =>
    admin.raw('POST', `/sync/runs/${id}/cancel`, { reason });

  test('[MIR-99] ends a run that no worker processes, and releases its lock', async () => {
    const { id } = await aConnection(api.deps.db, 'login of a hanging one');
    const start = () => admin.raw('POST', '/sync/run', { job: 'ZONES', scope: String(id) });
    const { runId } = (await (await start()).json()) as { runId: number };

    const canceled = await cancel(runId);

    expect(canceled.status).toBe(200);
    expect(await canceled.json()).toMatchObject({
      status: 'FAILED',
      reason: 'CANCELLED',
      detail: 'The ERP does not answer',
      canceledBy: { id: expect.any(Number), name: expect.any(String) },
      finishedAt: expect.any(String),
    });
    expect((await start()).status).toBe(202);
    const audit = await selectRows(api.deps.db, 'audit_entry', ['action', 'reason'], {
      entityType: 'sync-run',
      entityId: String(runId),
      action: 'cancel',
    });
    expect(audit).toEqual([{ action: 'cancel', reason: 'The ERP does not answer' }]);
  });

  test('[MIR-99] fails for a run that has ended, that writes, that does not exist, and for a blank reason', async () => {
    const { db } = api.deps;
    const { id: connectionId } = await aConnection(db, 'login of a finished one');
    const run = { job: 'ZONES', connectionId, mode: 'FULL', trigger: 'SCHEDULE' } as const;
    await addRow(db, 'sync_run', { ...run, id: 811, status: 'SUCCESS' });
    await addRow(db, 'sync_run', {
      ...run,
      id: 812,
      status: 'RUNNING',
      result: { applied: { result: {} } },
    });
    const answers = [
      await cancel(811),
      await cancel(812),
      await cancel(999_999),
      await cancel(812, ' '),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 404, 422]);
    expect(await answers[0]!.json()).toMatchObject({
      type: '/problems/invalid-transition',
      detail: 'The run has ended as SUCCESS.',
    });
    expect(await answers[1]!.json()).toMatchObject({
      detail: expect.stringContaining('is writing its data'),
    });
    expect(await selectRows(db, 'sync_run', ['status'], { id: 812 })).toEqual([
      { status: 'RUNNING' },
    ]);
  });
});

test('[MIR-13, MIR-99] the cancellation of an import withdraws the acceptance for which it was started', async () => {
  const { db } = api.deps;
  const { id: connectionId } = await aConnection(db, 'login of a hesitant one');
  const menus = menuRows(db);
  const externalMenuId = await menus.externalMenu(connectionId, {});
  const run = {
    job: 'MENU',
    connectionId,
    externalMenuId,
    mode: 'FULL',
    trigger: 'MANUAL',
  } as const;
  const menuShare = { before: 100, vanished: 60, percent: 60, thresholdPercent: 30 };
  await addRow(db, 'sync_run', {
    ...run,
    id: 820,
    status: 'FAILED',
    result: { shrink: menuShare },
  });
  const part = { reason: 'Winter', organizationIds: [] as number[] };
  const { id: organizationId } = await menus.organization(connectionId);
  part.organizationIds.push(organizationId);
  const refused = await admin.raw('POST', '/sync/runs/820/accept-shrink', part);
  const { runId } = await admin.post<{ runId: number }>('/sync/runs/820/accept-shrink', {
    reason: 'Winter',
  });
  await admin.post(`/sync/runs/${runId}/cancel`, { reason: 'By mistake' });

  expect(refused.status).toBe(409);
  expect(
    await selectRows(db, 'sync_shrink_acceptance', ['runId', 'outcome'], { externalMenuId }),
  ).toEqual([{ runId, outcome: 'WITHDRAWN' }]);
});

test('[MIR-99] a run that is writing its data cannot be canceled', async () => {
  const { db } = api.deps;
  const { id: connectionId } = await aConnection(db, 'login of a writing one');
  const run = { job: 'ZONES', connectionId, mode: 'FULL', trigger: 'SCHEDULE' } as const;
  await addRow(db, 'sync_run', { ...run, id: 813, status: 'RUNNING' });
  const writing = await holdRow(db, 'sync_run', 813);
  const refused = await admin.raw('POST', '/sync/runs/813/cancel', { reason: 'Too slow' });
  await writing.release();

  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    detail: expect.stringContaining('is writing its data'),
  });
  expect(await selectRows(db, 'sync_run', ['status'], { id: 813 })).toEqual([
    { status: 'RUNNING' },
  ]);
});

describe('GET /sync/runs', () => {
  test('filters by job and status and returns pages, newest first', async () => {
    const page = await admin.get<{ items: Run[]; total: number }>(
      '/sync/runs?job=TERMINALS&status=RUNNING&size=1',
    );
    const none = await admin.get<{ items: Run[]; total: number }>(
      '/sync/runs?status=FAILED&job=TERMINALS',
    );

    expect(page.items.map((run) => run.job)).toEqual(['TERMINALS']);
    expect(none).toMatchObject({ items: [], total: 0 });
  });

  test('[MIR-98] filters by several states, and by what any job has written', async () => {
    const { db } = api.deps;
    const { id: connectionId } = await aConnection(db, 'login of a chatty one');
    const run = (id: number, status: RunStatus, job: Job, result: Record<string, unknown>) =>
      addRow(db, 'sync_run', {
        id,
        job,
        connectionId,
        mode: 'FULL',
        trigger: 'SCHEDULE',
        status,
        result,
      });
    await run(801, 'SUCCESS', 'STOP_LIST', { applied: { result: { rows: 9, changed: 0 } } });
    await run(802, 'SUCCESS', 'STOP_LIST', { applied: { result: { rows: 9, changed: 2 } } });
    await run(803, 'SKIPPED', 'STOP_LIST', {});
    await run(804, 'SUCCESS', 'MENU_LIST', {
      applied: { result: { menus: { total: 2, deactivated: 1 } } },
    });
    await run(805, 'FAILED', 'MENU_LIST', {});
    const ids = async (filter: string) => {
      const { items } = await admin.get<{ items: Run[] }>(
        `/sync/runs?connection_id=${connectionId}&${filter}`,
      );
      return items.map(({ id }) => id);
    };

    expect(await ids('changed=true')).toEqual([804, 802]);
    expect(await ids('changed=false')).toEqual([805, 803, 801]);
    expect(await ids('status=FAILED&status=SKIPPED')).toEqual([805, 803]);
  });

  test('answers 404 for an unknown run', async () => {
    expect((await admin.raw('GET', '/sync/runs/999999')).status).toBe(404);
  });
});

test('a start without Temporal answers 503 with Retry-After, and leaves no run', async () => {
  const alone = await startTestApi({ routes });
  const client = await adminClient(alone.url, ADMIN.email, ADMIN.password);
  const { id } = await aConnection(alone.deps.db, 'login three');
  const response = await client.raw('POST', '/sync/run', { job: 'TERMINALS', scope: String(id) });
  const runs = await client.get<{ total: number }>('/sync/runs');
  await alone.stop();

  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(runs.total).toBe(0);
});
