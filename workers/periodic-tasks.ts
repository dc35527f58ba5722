import { createEventActivities, createUpkeepActivities } from '../activities/upkeep.ts';
import type { PeriodicTask, TaskLane } from '../kernel/periodic/periodic-task.ts';
import { forgetTasks } from '../kernel/periodic/task-rows.ts';
import { dispatchWebhooks } from '../modules/events/dispatch-webhooks.ts';
import { refreshTokens } from '../modules/connections/refresh-tokens.ts';
import { watchCircuits } from '../modules/connections/watch-circuits.ts';
import { pollImport } from '../modules/mirror/poll-import.ts';
import { phaseOf, shiftedMs, syncTargets, type SyncTarget } from '../modules/mirror/schedules/desired-schedules.ts';
import type { ScheduleInterval } from '../modules/mirror/schedules/schedule-plan.ts';
import { watchOrders } from '../modules/ordering/polling/watch-orders.ts';
import type { Product } from '../modules/wire-product.ts';
import type { Failpoint } from '../platform/failpoint.ts';
import { ROLES, type PolledQueue, type Role } from './roles.ts';

const MINUTE_MS = 60_000;
/** Longest delay until an event is numbered and its webhooks are started. */
const DISPATCH_MS = 1_000;
/** Longest delay between the rest of a circuit and its probe. */
const CIRCUITS_MS = 5_000;
/** Longest delay until a new connection is polled. */
const TARGETS_MS = 5_000;

/**
 * Tasks of a lane run in workers that poll its queue, together with the activities of that queue.
 */
type QueueLane = TaskLane & { queue: PolledQueue };
type TaskDeps = Product & { failpoint: Failpoint };

/** Tasks that workers of this role repeat without Temporal (rule OPS-102). */
export function taskLanes(deps: TaskDeps, role: Role): TaskLane[] {
  // Tasks of other roles are registered too.
  const registered = async (): Promise<string[]> => {
    const tasks = await Promise.all(lanes.map(async (lane) => lane.tasks()));
    return tasks.flat().map(({ name }) => name);
  };
  const lanes: QueueLane[] = [...upkeepLanes(deps, registered), ...pollLanes(deps)];
  return lanes.filter(({ queue }) => (ROLES[role] as readonly PolledQueue[]).includes(queue));
}

function upkeepLanes(deps: TaskDeps, registered: () => Promise<string[]>): QueueLane[] {
  const { env, delivery } = deps;
  const upkeep = createUpkeepActivities(deps);
  const every = (everyMs: number, tasks: Readonly<Record<string, PeriodicTask['run']>>): PeriodicTask[] =>
    Object.entries(tasks).map(([name, run]) => ({ name, run, everyMs, offsetMs: 0, isImmediate: true }));
  const sweep = every(env.OUTBOX_SWEEP_EVERY, { 'deliver-events': createEventActivities(delivery).deliverEvents });
  const reconcile = every(env.RECONCILE_EVERY, {
    'apply-schedules': upkeep.applySchedules,
    'reconcile-imports': upkeep.reconcileImports,
    'reconcile-snapshots': upkeep.reconcileSnapshots,
    'reconcile-notifications': upkeep.reconcileNotifications,
    'reconcile-bindings': upkeep.reconcileBindings,
    'reconcile-busy-modes': upkeep.reconcileBusyModes,
    'reconcile-orders': upkeep.reconcileOrders,
    'reconcile-rights': upkeep.reconcileRights,
    'reconcile-gifts': upkeep.reconcileGifts,
    'delete-outdated': upkeep.deleteOutdated,
    'seal-audit': upkeep.sealAudit,
    'forget-tasks': async () => forgetTasks(deps.db, await registered()),
  });
  const tokens = every(env.RECONCILE_EVERY, { 'refresh-tokens': (signal) => refreshTokens(deps, { signal }) });
  const circuits = every(CIRCUITS_MS, { 'watch-circuits': (signal) => watchCircuits(deps, { signal }) });
  const webhooks = every(DISPATCH_MS, { 'dispatch-webhooks': () => dispatchWebhooks(deps) });
  return [
    { queue: 'live', slots: 1, limitMs: 2 * MINUTE_MS, tasks: () => sweep },
    { queue: 'webhooks', slots: 1, limitMs: MINUTE_MS, tasks: () => webhooks },
    { queue: 'workflows', slots: 4, limitMs: 10 * MINUTE_MS, tasks: () => reconcile },
    { queue: 'erp', slots: 1, limitMs: 3 * MINUTE_MS, tasks: () => tokens },
    { queue: 'erp', slots: 1, limitMs: MINUTE_MS, tasks: () => circuits },
  ];
}

/** Polls of the ERP for each enabled connection (rules OPS-105, OPS-106). */
function pollLanes(deps: TaskDeps): QueueLane[] {
  const { jobs, orderWatch } = deps.plan;
  const targets = rereadAfter(TARGETS_MS, () => syncTargets(deps.db));
  const polled = (tasks: (target: SyncTarget) => PeriodicTask[]) => async () => (await targets()).flatMap(tasks);
  return [
    {
      queue: 'erp',
      slots: 4,
      limitMs: 3 * MINUTE_MS,
      tasks: polled(({ connectionId }) => [
        pollOf(`stop-list/${connectionId}`, jobs.STOP_LIST, connectionId, (signal) =>
          pollImport(deps, { connectionId }, { signal }),
        ),
      ]),
    },
    {
      queue: 'import',
      // Few, because a changed answer is a whole menu in memory.
      slots: 2,
      limitMs: 4 * MINUTE_MS,
      tasks: polled(({ connectionId, externalMenuIds }) =>
        externalMenuIds.map((externalMenuId) =>
          pollOf(`menu/${connectionId}/${externalMenuId}`, jobs.MENU, connectionId, (signal) =>
            pollImport(deps, { connectionId, externalMenuId }, { signal }),
          ),
        ),
      ),
    },
    {
      queue: 'order',
      slots: 8,
      limitMs: 2 * MINUTE_MS,
      tasks: polled(({ connectionId }) => [
        pollOf(`order-watch/${connectionId}`, orderWatch, connectionId, (signal) =>
          watchOrders(deps, connectionId, { signal }),
        ),
      ]),
    },
  ];
}

/** A poll at the offset of its connection in the interval (rule MIR-49). */
const pollOf = (
  name: string,
  times: ScheduleInterval,
  connectionId: number,
  run: PeriodicTask['run'],
): PeriodicTask => ({
  name,
  everyMs: times.everyMs,
  offsetMs: shiftedMs(times, phaseOf(connectionId)),
  isImmediate: false,
  run,
});

/** Caches the result of `read` for `ms`; failures are not cached. */
function rereadAfter<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { value: T; at: number } | null = null;
  return async () => {
    if (kept === null || performance.now() - kept.at > ms) kept = { value: await read(), at: performance.now() };
    return kept.value;
  };
}
