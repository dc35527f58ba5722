import { condition } from '@temporalio/workflow';
import { growing } from './polling-loop.ts';

/** While a circuit stays half-open. */
const AGAIN_MS = 5_000;
const LONGEST_MS = 60_000;

/** Tracks when open circuits must be probed, from the remaining times in poll results (ERP-36). */
export function circuitProbes() {
  let dueAt: number | null = null;
  let isProbing = false;
  /** Consecutive probes that left a circuit half-open. */
  let inVain = 0;

  function note(restMs: number | null): void {
    // The running probe has a newer result.
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
    /** Takes the time until the first circuit may be probed, ms; null without an open circuit. */
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

    /** Takes the remaining time after a probe, 0 for a half-open circuit. */
    probed(restMs: number | null): void {
      isProbing = false;
      inVain = restMs === 0 ? inVain + 1 : 0;
      note(restMs);
    },
  };
}
