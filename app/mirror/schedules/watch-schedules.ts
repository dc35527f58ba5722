import { setTimeout as delay } from 'node:timers/promises';
import { scheduleIds } from '../../../contracts/ids.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import { isTemporalUnavailable } from '../../../platform/temporal.ts';
import { applySchedules, isScheduleMissing, type ScheduleDeps } from './apply-schedules.ts';

/**
 * Looks every `everyMs` whether the schedule of the reconciler is still there, and makes all schedules anew when it is not (rule MIR-46): it
 * keeps all others, and nobody else keeps it. While Temporal does not answer there is nothing to see. Returns how to end that.
 */
export function watchSchedules(deps: ScheduleDeps & { log: Log }, everyMs: number): () => Promise<void> {
  const stopped = new AbortController();
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) await look(deps);
    }
  })();
  return async () => {
    stopped.abort();
    await ended;
  };
}

async function look({ log, ...deps }: ScheduleDeps & { log: Log }): Promise<void> {
  try {
    if (!(await isScheduleMissing(deps.temporal, scheduleIds.reconcile()))) return;
    log.warn(await applySchedules(deps), 'the schedules were gone and are there again');
  } catch (error) {
    if (!isTemporalUnavailable(error)) log.error({ error: loggable(error) }, 'the schedules could not be looked at');
  }
}
