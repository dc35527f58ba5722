import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ScheduleOptions, WorkflowExecutionInfo, WorkflowHandle } from '@temporalio/client';
import { importStopLists } from '../../modules/mirror/import-stop-lists.ts';
import { pollingWorkflow } from '../../modules/mirror/messages/polling.ts';
import { upkeepWorkflow } from '../../modules/mirror/messages/upkeep.ts';
import { wakePolling } from '../../modules/mirror/polling/start-polling.ts';
import { startUpkeep } from '../../modules/mirror/start-upkeep.ts';
import { desiredSchedules, syncTargets } from '../../modules/mirror/schedules/desired-schedules.ts';
import { readEnv } from '../../modules/env.ts';
import { schedulePlan } from '../../modules/schedules.ts';
import { orderDesk } from '../support/orders.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { countRows, databaseNow, updateRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

const DAY_MS = 86_400_000;
/** Daily limits for a connection with one menu. */
const AIM = { executions: 600, events: 75_000 };
const SUGGESTED_EVENTS = 4_096;
const ENV = readEnv({
  DATABASE_URL: 'postgres://x/x',
  ERP_URL: 'http://x',
  ENCRYPTION_KEYS: `a:${'A'.repeat(43)}=`,
});
const EVERY_MS = 2_000;
/** Counted actions per schedule, and counted runs per task. */
const COUNTED = 4;
const PATIENCE_MS = 60_000;

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };

beforeAll(async () => {
  fixture = await mirrorFixture();
  // Uses a thirtieth of the product's intervals, so that equally many runs end together.
  sync = await syncWorker(fixture, undefined, {
    SYNC_STOP_LIST_EVERY: 1_500,
    SYNC_MENU_EVERY: 10_000,
    ORDER_WATCH_EVERY: 1_000,
    RECONCILE_EVERY: 2_000,
  });
  const menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  await importStopLists(fixture.deps, {
    runId: await fixture.open('STOP_LIST'),
    connectionId: fixture.connectionId,
  });
  await orderDesk(fixture);
  // Runs that a test opens directly have no execution.
  await updateRows(
    fixture.db,
    'sync_run',
    { status: 'SUCCESS', finishedAt: databaseNow() },
    { status: 'RUNNING' },
  );
  workers = await sync.start();
  await idle();
});
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});

const count = async (query: string) => (await sync.temporal.workflow.count(query)).count;
const idle = () =>
  eventually(
    'nothing is left to do',
    async () => {
      const left = [
        await countRows(fixture.db, 'outbox', { deliveredAt: null }),
        await count('ExecutionStatus = "Running" and WorkflowType != "polling"'),
      ];
      return left.every((value) => value === 0) ? true : undefined;
    },
    PATIENCE_MS,
  );

const total = { executions: 0, events: 0 };

test('[OPS-105, OPS-106, OPS-107] the loops of an idle connection start no execution', async () => {
  const { product, temporal } = sync;
  const { jobs, orderWatch } = schedulePlan(ENV);
  const perDay = {
    polls:
      DAY_MS / jobs.STOP_LIST.everyMs + DAY_MS / jobs.MENU.everyMs + DAY_MS / orderWatch.everyMs,
    rounds: DAY_MS / ENV.RECONCILE_EVERY,
  };
  // An event of the new connection has started its loop.
  await temporal.workflow.getHandle(pollingWorkflow.id(fixture)).terminate();
  // Upkeep creates the schedule of the media store, which runs at once.
  const before = await count('WorkflowType != "mediaSweep"');
  await startUpkeep(product);
  await wakePolling(product, fixture.connectionId);
  const handles = [pollingWorkflow.id(fixture), upkeepWorkflow.id({})].map((id) =>
    temporal.workflow.getHandle(id),
  );
  const activities = async (handle: WorkflowHandle) =>
    (await handle.fetchHistory()).events!.filter(
      (event) => event.activityTaskCompletedEventAttributes != null,
    ).length;
  for (const handle of handles)
    await eventually('it has run often', async () =>
      (await activities(handle)) > 3 * COUNTED ? true : undefined,
    );
  await eventually('the menus are polled', async () =>
    (await countRows(fixture.db, 'sync_run', {
      job: 'MENU',
      reason: 'UNCHANGED',
      trigger: 'SCHEDULE',
    })) > 0
      ? true
      : undefined,
  );
  const costs = await Promise.all(
    handles.map(
      async (handle) => (await handle.describe()).historyLength / (await activities(handle)),
    ),
  );
  for (const handle of handles) await handle.terminate();
  const started = (await count('WorkflowType != "mediaSweep"')) - before;
  const [perPoll, perRound] = costs as [number, number];
  const events = perPoll * perDay.polls + perRound * perDay.rounds;
  total.events += events;
  // A loop continues as new when Temporal suggests it.
  total.executions += events / SUGGESTED_EVENTS + 2;
  process.stderr.write(
    `the loops of an idle connection, a day: ${JSON.stringify({ perPoll, perRound, events })}\n`,
  );

  expect(started).toBe(handles.length);
  expect(
    await countRows(fixture.db, 'sync_run', {
      job: 'STOP_LIST',
      status: 'SUCCESS',
      trigger: 'SCHEDULE',
    }),
  ).toBeGreaterThanOrEqual(COUNTED);
});

test('[OPS-107] the schedules of an idle connection stay within the limits of executions and events', async () => {
  const schedules = desiredSchedules(await syncTargets(fixture.db), schedulePlan(ENV), sync.queues);
  const handles = new Map(
    schedules.map(({ scheduleId }) => [scheduleId, sync.temporal.schedule.getHandle(scheduleId)]),
  );
  for (const handle of handles.values()) await handle.delete().catch(() => undefined);
  const began = new Date();
  for (const schedule of schedules)
    await sync.temporal.schedule.create({
      ...schedule,
      spec: { intervals: [{ every: EVERY_MS }] },
      state: {},
    } as ScheduleOptions);
  for (const [id, handle] of handles)
    await eventually(
      `${id} has acted`,
      async () => ((await handle.describe()).info.numActionsTaken >= COUNTED ? true : undefined),
      PATIENCE_MS,
    );
  for (const handle of handles.values()) await handle.pause();
  await idle();
  const executions = await Array.fromAsync(
    sync.temporal.workflow.list({ query: `StartTime >= "${began.toISOString()}"` }),
  );
  const roots = new Map(
    executions.map((execution) => [execution.workflowId, scheduledBy(execution)]),
  );
  for (const { scheduleId, spec } of schedules) {
    const { numActionsTaken } = (await handles.get(scheduleId)!.describe()).info;
    const own = await sync.temporal.workflow
      .getHandle(`temporal-sys-scheduler:${scheduleId}`)
      .describe();
    const caused = executions.filter(
      ({ workflowId, parentExecution }) =>
        roots.get(workflowId) === scheduleId ||
        roots.get(parentExecution?.workflowId ?? '') === scheduleId,
    );
    const events = caused.reduce(
      (sum, { historyLength }) => sum + historyLength,
      own.historyLength,
    );
    const every = spec.intervals?.[0]?.every;
    const perAction = (typeof every === 'number' ? DAY_MS / every : 1) / numActionsTaken;
    total.executions += caused.length * perAction;
    total.events += events * perAction;
  }
  process.stderr.write(`an idle connection with upkeep, a day: ${JSON.stringify(total)}\n`);

  // The hourly imports have a tick and a run each.
  expect(total.executions).toBeGreaterThanOrEqual(4 * 24 * 2);
  expect(total.executions).toBeLessThanOrEqual(AIM.executions);
  expect(total.events).toBeLessThanOrEqual(AIM.events);
}, 180_000);

const scheduledBy = ({ searchAttributes }: WorkflowExecutionInfo): string | undefined =>
  (searchAttributes as Record<string, readonly string[] | undefined>)['TemporalScheduledById']?.[0];
