import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectionSyncWorkflow, importLock } from '../../modules/mirror/messages/sync.ts';
import { getRun } from '../../modules/mirror/runs/list-runs.ts';
import { startImport } from '../../modules/mirror/runs/start-import.ts';
import { Problem } from '../../kernel/problem.ts';
import { runningExecution } from '../../platform/executions.ts';
import type { Job } from '../../modules/mirror/rules/jobs.ts';
import { testActor } from '../support/connection.ts';
import {
  importingFixture,
  stopImportingFixture,
  type RunningImports,
} from '../support/importing-fixture.ts';
import { eventually } from '../support/processes.ts';
import { deleteRows, selectRows } from '../support/rows.ts';

const TERMINALS = '/api/1/terminal_groups';

let running: RunningImports;
beforeAll(async () => {
  running = await importingFixture();
});
afterAll(() => stopImportingFixture(running));
beforeEach(async () => {
  await eventually('imports that events of the test before have started are over', async () => {
    const { fixture, sync } = running;
    const [waiting] = await fixture.db.query<{ count: number }>(
      `select (select count(*) from outbox where delivered_at is null)
            + (select count(*) from sync_run where status = 'RUNNING') as count`,
    );
    // Between two of its imports, the sync of a connection has no run.
    const syncs = await runningExecution(sync.temporal, connectionSyncWorkflow.id(fixture));
    return (Number(waiting!.count) === 0 && syncs === undefined) || undefined;
  });
  await running.fixture.emulator.control('reset');
  await deleteRows(running.fixture.db, 'notification');
});

const answer = (endpoint: string, body?: object) =>
  running.fixture.emulator.control('answer', { endpoint, ...(body === undefined ? {} : { body }) });
/**
 * `pauseMs` is the pause before a suspicious list is requested again. First waits for an import of
 * the same kind that an earlier test has started.
 */
async function start(job: Job, pauseMs = 200): Promise<number> {
  const { fixture, sync } = running;
  const env = { ...sync.env, SYNC_ASK_AGAIN: pauseMs };
  const deps = { db: fixture.db, temporal: sync.temporal, queues: sync.queues, env };
  const scope = String(fixture.connectionId);
  return eventually(`an import of ${job} starts`, async () => {
    try {
      return (
        await startImport(deps, testActor, { job, scope, connectionId: fixture.connectionId })
      ).runId;
    } catch (error) {
      if (error instanceof Problem && error.kind === 'already-running') return undefined;
      throw error;
    }
  });
}
const ended = (runId: number) =>
  eventually(`run ${runId} has ended`, async () => {
    const run = await getRun(running.fixture.db, runId);
    return run.status === 'RUNNING' ? undefined : run;
  });
const importNow = async (job: Job) => ended(await start(job));
const countCalls = async (endpoint: string) =>
  (await running.fixture.emulator.control<{ calls: object[] }>(`calls?endpoint=${endpoint}`)).calls
    .length;
/** Waits until the list was requested once and not applied. */
const refusedOnce = (runId: number) =>
  eventually('the list is refused', async () => {
    const refused = await running.fixture.db.query(
      `select id from sync_run where id = $1 and result ? 'lost'`,
      [runId],
    );
    if (refused.length > 0) return true;
    expect(await getRun(running.fixture.db, runId)).toMatchObject({ status: 'RUNNING' });
    return undefined;
  });
const notified = async () =>
  (await selectRows(running.fixture.db, 'notification', ['kind'], { resolvedAt: null })).map(
    ({ kind }) => kind,
  );

test('[MIR-45] a suspicious list is requested again within its run and accepted if it is the same', async () => {
  await importNow('TERMINALS');
  await answer(TERMINALS, { terminalGroups: [] });
  const before = await countCalls(TERMINALS);

  const run = await importNow('TERMINALS');

  expect(run).toMatchObject({ status: 'SUCCESS', result: { deactivated: expect.any(Number) } });
  expect((await countCalls(TERMINALS)) - before).toBe(2);
  expect(await notified()).toEqual([]);
});

test('[MIR-45] a list that is complete again after the pause is applied', async () => {
  await importNow('TERMINALS');
  await answer(TERMINALS, { terminalGroups: [] });
  const runId = await start('TERMINALS', 3_000);
  await refusedOnce(runId);

  await answer(TERMINALS);

  expect(await ended(runId)).toMatchObject({ status: 'SUCCESS', result: { deactivated: 0 } });
});

test('[MIR-26] an empty list of organizations is accepted the second time, and administrators are notified', async () => {
  await answer('/api/1/organizations', { organizations: [] });

  expect(await importNow('ORGANIZATIONS')).toMatchObject({
    status: 'SUCCESS',
    result: { total: 0 },
  });
  expect(await notified()).toEqual(['EMPTY_LIST']);

  await answer('/api/1/organizations');
  await importNow('ORGANIZATIONS');
  expect(await notified()).toEqual([]);
});

test('[MIR-45] a run canceled during the pause ends, and its list changes nothing', async () => {
  await importNow('TERMINALS');
  const active = () =>
    selectRows(running.fixture.db, 'mirror_terminal_group', ['erpId'], { inactiveAt: null });
  const before = await active();
  await answer(TERMINALS, { terminalGroups: [] });
  const runId = await start('TERMINALS', 600_000);
  await refusedOnce(runId);

  const lock = importLock({ job: 'TERMINALS', connectionId: running.fixture.connectionId });
  await running.sync.temporal.workflow.getHandle(lock).cancel();

  expect(await ended(runId)).toMatchObject({ status: 'FAILED', reason: 'CANCELLED' });
  expect(await active()).toEqual(before);
});
