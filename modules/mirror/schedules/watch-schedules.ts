import { setTimeout as delay } from 'node:timers/promises';
import { loggable, type Log } from '../../../platform/log.ts';
import { isTemporalUnavailable } from '../../../platform/temporal.ts';
import { applySchedules, CLAIM, isScheduleMissing, type ScheduleDeps } from './apply-schedules.ts';

/**
 * Applies the schedules, then checks every `everyMs` that the schedule that claims the namespace
 * exists. If it does not, Temporal has lost all schedules, and they are applied again (rule
 * MIR-46). Failures are logged and retried after `everyMs`, so a worker that cannot change
 * schedules does its other work (rule MIR-61). While Temporal does not answer, nothing is applied.
 * Resolves after the first try with a function that ends the watch.
 */
export async function watchSchedules(deps: ScheduleDeps & { log: Log }, everyMs: number): Promise<() => Promise<void>> {
  const { log } = deps;
  const stopped = new AbortController();
  let areApplied = await attempt(log, async () => log.info(await applySchedules(deps), 'schedules applied'));
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      const isDone = await attempt(log, async () => {
        if (areApplied && !(await isScheduleMissing(deps.temporal, CLAIM))) return;
        log.warn(await applySchedules(deps), 'differing schedules were corrected');
      });
      areApplied ||= isDone;
    }
  })();
  return async () => {
    stopped.abort();
    await ended;
  };
}

/** True when `work` has succeeded. */
async function attempt(log: Log, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const level = isTemporalUnavailable(error) ? 'warn' : 'error';
    log[level]({ error: loggable(error) }, 'the schedules could not be checked; the check is retried');
    return false;
  }
}
