import { condition } from '@temporalio/workflow';
import { growing } from './polling-loop.ts';

/** Interval of probes while a circuit stays half-open. */
const AGAIN_MS = 5_000;
const LONGEST_MS = 60_000;

/**
 * Tracks when open circuits must be probed (ERP-36), based on the remaining times in poll results.
 */
export function circuitProbes() {
  let dueAt: number | null = null;
  let isProbing = false;
  /** Number of consecutive probes after which a circuit stayed half-open. */
  let inVain = 0;

  function note(restMs: number | null): void {
    // The running probe will report a newer result.
    if (isProbing) return;
    if (restMs === null) {
      dueAt = null;
      inVain = 0;
      return;
    }

    const again = inVain === 0 ? 0 : growing(AGAIN_MS, inVain, LONGEST_MS);
    dueAt = Math.min(dueAt ?? Infinity, Date.now() + Math.max(restMs, again));
  }

  return {
    /** Records the time until the first circuit may be probed, ms. Null if no circuit is open. */
    note,

    async untilDue(): Promise<void> {
      for (;;) {
        await condition(() => dueAt !== null);
        const at = dueAt!;
        const restMs = at - Date.now();
        if (restMs <= 0) break;
        await condition(() => dueAt !== at, restMs, { summary: 'Until an open circuit is probed' });
      }

      dueAt = null;
      isProbing = true;
    },

    /** Records the remaining time after a probe, 0 for a half-open circuit. */
    probed(restMs: number | null): void {
      isProbing = false;
      inVain = restMs === 0 ? inVain + 1 : 0;
      note(restMs);
    },
  };
}
