import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ScheduleOptions, WorkflowExecutionInfo } from '@temporalio/client';
import { runPeriodicTasks } from '../../kernel/periodic/run-periodic-tasks.ts';
import { importStopLists } from '../../modules/mirror/import-stop-lists.ts';
import { desiredSchedules, syncTargets } from '../../modules/mirror/schedules/desired-schedules.ts';
import { readEnv } from '../../modules/env.ts';
import { schedulePlan } from '../../modules/schedules.ts';
import { createLog } from '../../platform/log.ts';
import { taskLanes } from '../../workers/periodic-tasks.ts';
import { samplesOf } from '../support/metrics-text.ts';
import { orderDesk } from '../support/orders.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, importMenu, mirrorWorld, type TestWorld } from '../support/mirror.ts';
import { countRows, databaseNow, selectRows, updateRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

const DAY_MS = 86_400_000;
/** Daily limits for one connection with one menu and the product's own schedules. */
const AIM = { executions: 500, events: 20_000 };
/** Interval of each schedule in the test. */
const EVERY_MS = 2_000;
/** Number of actions of each schedule, and of runs of each task, that are counted. */
const COUNTED = 4;
const PATIENCE_MS = 60_000;

let world: TestWorld;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };

beforeAll(async () => {
  world = await mirrorWorld();
  sync = await syncWorker(world);
  const menuId = await importBasics(world);
  await importMenu(world, menuId, 'FULL');
  await importStopLists(world.deps, { runId: await world.open('STOP_LIST'), connectionId: world.connectionId });
  await orderDesk(world);
  // Runs that a test opens directly have no execution.
  await updateRows(world.db, 'sync_run', { status: 'SUCCESS', finishedAt: databaseNow() }, { status: 'RUNNING' });
  workers = await sync.start();
  await idle();
});
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await world?.close();
});

const count = async (query: string) => (await sync.temporal.workflow.count(query)).count;
/** Waits until no event and no execution of earlier steps is left. */
const idle = () =>
  eventually(
    'nothing is left to do',
    async () => {
      const left = [
        await countRows(world.db, 'outbox', { deliveredAt: null }),
        await count('ExecutionStatus = "Running"'),
      ];
      return left.every((value) => value === 0) ? true : undefined;
    },
    PATIENCE_MS,
  );

test('[OPS-102, OPS-105, OPS-106, OPS-107, ERP-36] maintenance and unchanged polls start no execution', async () => {
  const { product } = sync;
  const often = { everyMs: 100, offsetMs: 0, jitterMs: 0, catchupMs: 1_000 };
  const plan = {
    ...product.plan,
    jobs: { ...product.plan.jobs, MENU: often, STOP_LIST: often },
    orderWatch: often,
  };
  const env = { ...product.env, OUTBOX_SWEEP_EVERY: 100, RECONCILE_EVERY: 500 };
  const log = createLog({ service: 'test', level: 'silent' });
  // The schedule of the media store, which the maintenance creates, runs at once.
  const executions = () => count('WorkflowType != "mediaSweep"');
  const before = await executions();
  const tasks = runPeriodicTasks(
    { ...product, log },
    taskLanes({ ...product, plan, env, failpoint: world.deps.failpoint }, 'all'),
    { lookMs: 50 },
  );
  const kinds = ['deliver-events', 'reconcile-orders', 'refresh-tokens', 'stop-list', 'menu', 'order-watch'];
  const succeeded = async (task: string) => {
    const found = samplesOf(await world.metrics.registry.metrics()).find(
      ({ name, labels }) =>
        name === 'carte_periodic_task_duration_seconds_count' &&
        labels['task'] === task &&
        labels['outcome'] === 'succeeded',
    );
    return found?.value ?? 0;
  };
  for (const kind of kinds)
    await eventually(`${kind} has run often`, async () => ((await succeeded(kind)) >= COUNTED ? true : undefined));
  await eventually('circuits are watched', async () => ((await succeeded('watch-circuits')) > 0 ? true : undefined));
  await tasks.stop();
  await idle();

  expect(await selectRows(world.db, 'periodic_task', ['name', 'lastError'], { failures: 1 })).toEqual([]);
  expect(
    await countRows(world.db, 'sync_run', { job: 'STOP_LIST', status: 'SUCCESS', trigger: 'SCHEDULE' }),
  ).toBeGreaterThanOrEqual(COUNTED);
  expect(
    await countRows(world.db, 'sync_run', { job: 'MENU', reason: 'UNCHANGED', trigger: 'SCHEDULE' }),
  ).toBeGreaterThanOrEqual(COUNTED);
  expect(await executions()).toBe(before);
});

test('[OPS-107] the schedules of an idle connection stay within the limits of executions and events', async () => {
  const env = readEnv({ DATABASE_URL: 'postgres://x/x', ERP_URL: 'http://x', ENCRYPTION_KEYS: `a:${'A'.repeat(43)}=` });
  const schedules = desiredSchedules(await syncTargets(world.db), schedulePlan(env), sync.queues);
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
  const roots = new Map(executions.map((execution) => [execution.workflowId, scheduledBy(execution)]));
  const total = { executions: 0, events: 0 };
  for (const { scheduleId, spec } of schedules) {
    const { numActionsTaken } = (await handles.get(scheduleId)!.describe()).info;
    const own = await sync.temporal.workflow.getHandle(`temporal-sys-scheduler:${scheduleId}`).describe();
    const caused = executions.filter(
      ({ workflowId, parentExecution }) =>
        roots.get(workflowId) === scheduleId || roots.get(parentExecution?.workflowId ?? '') === scheduleId,
    );
    const events = caused.reduce((sum, { historyLength }) => sum + historyLength, own.historyLength);
    const every = spec.intervals?.[0]?.every;
    const perAction = (typeof every === 'number' ? DAY_MS / every : 1) / numActionsTaken;
    total.executions += caused.length * perAction;
    total.events += events * perAction;
  }
  process.stderr.write(`an idle connection, a day: ${JSON.stringify(total)}\n`);

  // The hourly imports have a tick and a run each.
  expect(total.executions).toBeGreaterThanOrEqual(4 * 24 * 2);
  expect(total.executions).toBeLessThanOrEqual(AIM.executions);
  expect(total.events).toBeLessThanOrEqual(AIM.events);
}, 180_000);

/** The schedule that has started an execution. */
const scheduledBy = ({ searchAttributes }: WorkflowExecutionInfo): string | undefined =>
  (searchAttributes as Record<string, readonly string[] | undefined>)['TemporalScheduledById']?.[0];
