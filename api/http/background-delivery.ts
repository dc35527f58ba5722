import { latestRun } from '../../platform/latest-run.ts';
import { loggable, type Log } from '../../platform/log.ts';

export type BackgroundDelivery = {
  /** Asks for a delivery; resolves at once and never rejects. */
  request: () => Promise<void>;
  /** Resolves when nothing is being delivered any more. */
  drained: () => Promise<void>;
};

/**
 * Delivers outbox rows behind admin commands, one delivery at a time. Requests during a delivery are joined into one
 * more: the rows say what is to be done, a request is only a hint. A failure is logged; the sweep delivers what is left.
 */
export function createBackgroundDelivery(deliver: () => Promise<unknown>, log: Log): BackgroundDelivery {
  const run = latestRun<'outbox'>(async () => {
    try {
      await deliver();
    } catch (error) {
      log.warn({ error: loggable(error) }, 'events stay in the outbox until the next sweep');
    }
  });
  let last = Promise.resolve();
  return {
    async request() {
      last = run('outbox');
    },
    drained: () => last,
  };
}
