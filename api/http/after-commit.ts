import type { Deps } from '../deps.ts';
import { loggable } from './error-problem.ts';

/**
 * Delivers outbox rows behind admin commands. Calls during a delivery are joined into one more: the rows say what is
 * to be done, the call is only a hint. A failure is logged; `outboxSweep` delivers what is left.
 */
export function createAfterCommit({ deliverEvents, log }: Pick<Deps, 'deliverEvents' | 'log'>): {
  trigger: () => void;
  /** Resolves when nothing is being delivered. */
  drained: () => Promise<void>;
} {
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await deliverEvents().catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'events stay in the outbox until the next sweep');
      });
    } while (again);
  }

  return {
    trigger() {
      if (running !== undefined) again = true;
      else running = run().finally(() => (running = undefined));
    },
    drained: async () => running,
  };
}
