import { setTimeout as delay } from 'node:timers/promises';
import { loggable, type Log } from '../../../platform/log.ts';
import { isTemporalUnavailable } from '../../../platform/temporal.ts';
import { reconcilePolling, type PollingDeps } from '../polling/start-polling.ts';
import { startUpkeep } from '../start-upkeep.ts';
import {
  applySchedules,
  CLAIM,
  isScheduleMissing,
  type AppliedSchedules,
  type ScheduleDeps,
} from './apply-schedules.ts';

type WatchDeps = ScheduleDeps & PollingDeps & { log: Log };

/**
 * Applies schedules and starts loops, then checks every `everyMs` that the media schedule exists.
 * If it is missing, Temporal has lost its data, and everything is restored (MIR-46). Failures are
 * logged and retried: a worker without access to schedules does its other work (MIR-61). Resolves
 * after the first try; the returned function ends the watch.
 */
export async function watchSchedules(
  deps: WatchDeps,
  everyMs: number,
): Promise<() => Promise<void>> {
  const { log } = deps;
  const stopped = new AbortController();
  let areApplied = await attempt(log, async () =>
    log.info(await restore(deps), 'schedules applied'),
  );
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      const isDone = await attempt(log, async () => {
        const isLost = !areApplied || (await isScheduleMissing(deps.temporal, CLAIM));
        if (isLost) log.warn(await restore(deps), 'differing schedules were corrected');
        else await startUpkeep(deps);
      });

      areApplied ||= isDone;
    }
  })();

  return async () => {
    stopped.abort();
    await ended;
  };
}

/** Makes the loops read the environment again. Failures are only logged. */
export async function wakeLoops(deps: WatchDeps): Promise<void> {
  await attempt(deps.log, async () => void (await reconcilePolling(deps, { isRead: true })));
}

async function restore(deps: WatchDeps): Promise<AppliedSchedules & { loopsStarted: number }> {
  const applied = await applySchedules(deps);
  await startUpkeep(deps);
  const { started } = await reconcilePolling(deps, { isRead: true });
  return { ...applied, loopsStarted: started };
}

async function attempt(log: Log, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const level = isTemporalUnavailable(error) ? 'warn' : 'error';
    log[level](
      { error: loggable(error) },
      'the schedules could not be checked; the check is retried',
    );

    return false;
  }
}
