import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../platform/db/database.ts';
import { loggable, type Log } from '../../platform/log.ts';
import { withLogContext } from '../../platform/log-context.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { kindOf, type PeriodicTask, type TaskLane } from './periodic-task.ts';
import { claimTasks, endTask, releaseTask, renewLease, type ClaimedTask } from './task-rows.ts';

export type PeriodicDeps = { db: Sql; log: Log; metrics: Pick<Metrics, 'periodicTaskDuration'> };

/** Interval at which the tasks of a process are compared with the rows. */
const LOOK_MS = 1_000;
/** Time after which another process takes over the task of a process that died. */
const LEASE_MS = 15_000;
const RENEWALS_PER_LEASE = 3;

/**
 * Runs the tasks of the lanes when they are due, each in one process at a time (rule OPS-102).
 * Failures are logged and counted; the task is retried in its next interval. Returns a function
 * that starts no more runs, aborts running ones, and resolves when they have ended.
 */
export function runPeriodicTasks(
  deps: PeriodicDeps,
  lanes: readonly TaskLane[],
  { lookMs = LOOK_MS, leaseMs = LEASE_MS } = {},
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const ended = Promise.all(
    lanes.map(async (lane) => {
      const running = new Set<Promise<void>>();
      let isFailing = false;
      while (!stopped.signal.aborted) {
        isFailing = await look(deps, lane, { running, leaseMs, stopped: stopped.signal }).then(
          () => false,
          (error: unknown) => {
            if (!isFailing) deps.log.warn({ error: loggable(error) }, 'the periodic tasks could not be read');
            return true;
          },
        );
        await delay(lookMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
      await Promise.all(running);
    }),
  );
  return {
    async stop() {
      stopped.abort(new Error('the process stops'));
      await ended;
    },
  };
}

type Looking = { running: Set<Promise<void>>; leaseMs: number; stopped: AbortSignal };

/** Starts due runs while slots are free. */
async function look(deps: PeriodicDeps, lane: TaskLane, { running, leaseMs, stopped }: Looking): Promise<void> {
  const limit = lane.slots - running.size;
  if (limit === 0) return;
  const tasks = new Map((await lane.tasks()).map((task) => [task.name, task]));
  for (const claimed of await claimTasks(deps.db, [...tasks.values()], { limit, leaseMs })) {
    const run = perform(deps, tasks.get(claimed.name)!, claimed, { leaseMs, limitMs: lane.limitMs, stopped }).finally(
      () => running.delete(run),
    );
    running.add(run);
  }
}

/** Never rejects: a run whose end cannot be recorded is repeated after its lease. */
async function perform(
  { db, log, metrics }: PeriodicDeps,
  task: PeriodicTask,
  claimed: ClaimedTask,
  { leaseMs, limitMs, stopped }: { leaseMs: number; limitMs: number; stopped: AbortSignal },
): Promise<void> {
  const lost = new AbortController();
  const renewal = setInterval(
    () =>
      void renewLease(db, claimed, leaseMs).then(
        (isOurs) => isOurs || lost.abort(new Error('another process has taken the task')),
        (error: unknown) => log.warn({ error: loggable(error), task: task.name }, 'a lease was not renewed'),
      ),
    leaseMs / RENEWALS_PER_LEASE,
  );
  const began = performance.now();
  try {
    const over = AbortSignal.any([lost.signal, AbortSignal.timeout(limitMs)]);
    const failure = await withLogContext({ activity: task.name }, () => failureOf(task, { stopped, over }));
    if (failure !== null && stopped.aborted) return await releaseTask(db, claimed);
    if (failure !== null) log.warn({ error: failure, task: task.name }, 'a periodic task has failed; it is repeated');
    const outcome = failure === null ? 'succeeded' : 'failed';
    metrics.periodicTaskDuration.observe({ task: kindOf(task.name), outcome }, (performance.now() - began) / 1000);
    await endTask(db, claimed, task, failure === null ? null : String(failure['message'] ?? failure['code']));
  } catch (error) {
    log.warn({ error: loggable(error), task: task.name }, 'the end of a periodic task was not recorded');
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Loggable parts of the failure; null after success. A run that ignores the signal when it is
 * `over` releases its slot and lease; only the stop of the process waits for it.
 */
async function failureOf(
  task: PeriodicTask,
  { stopped, over }: { stopped: AbortSignal; over: AbortSignal },
): Promise<Record<string, unknown> | null> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  over.addEventListener('abort', () => reject(over.reason), { once: true });
  try {
    await Promise.race([task.run(AbortSignal.any([stopped, over])), ended]);
    return null;
  } catch (error) {
    return loggable(error);
  }
}
