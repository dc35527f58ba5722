import { setTimeout as delay } from 'node:timers/promises';
import { readClock } from './clock.ts';
import type { Sql } from './database.ts';
import { loggable, type Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ReadyCheck } from '../ops-server.ts';

const MOST_SKEW_MS = 30_000;
const EVERY_MS = 60_000;

/**
 * Measures the difference from the database clock every minute (OPS-74). `ready` fails above 30 s.
 */
export async function watchClock(
  { db, log, metrics }: { db: Sql; log: Log; metrics: Pick<Metrics, 'clockSkew'> },
  everyMs = EVERY_MS,
): Promise<{ ready: ReadyCheck; stop: () => Promise<void> }> {
  let skewMs = 0;
  const isTooFar = () => Math.abs(skewMs) > MOST_SKEW_MS;
  const inWords = () =>
    `The clock of this process is ${Math.abs(skewMs) / 1000} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of the database.`;

  async function measure(): Promise<void> {
    try {
      skewMs = await readSkew(db);
      metrics.clockSkew.set(skewMs / 1000);
      if (isTooFar()) log.error({ skewMs }, inWords());
    } catch (error) {
      log.warn(
        { error: loggable(error) },
        'cannot compare the clock with the clock of the database',
      );
    }
  }

  await measure();
  const stopped = new AbortController();
  const ended = (async () => {
    while (!stopped.signal.aborted) {
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) await measure();
    }
  })();

  return {
    ready: { name: 'clock', check: () => !isTooFar(), reason: inWords },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/**
 * Returns the minimum difference in ms, positive if this process is ahead. The real difference may
 * be larger, because the request took time.
 */
async function readSkew(db: Sql): Promise<number> {
  const requestMs = Date.now();
  const at = await readClock(db);
  const answered = Date.now();
  return Math.max(0, requestMs - at.getTime()) + Math.min(0, answered - at.getTime());
}
