import { condition } from '@temporalio/workflow';
import { growing } from './polling-loop.ts';

/** Pauses between probes of a circuit that stays half-open. */
const AGAIN_MS = 5_000;
const LONGEST_MS = 60_000;

/**
 * The time of the next probe of the open circuits of a connection, from what polls report about
 * their rest (rule ERP-36).
 */
export function circuitProbes() {
  let dueAt: number | null = null;
  let isProbing = false;
  /** Probes in a row that have left a circuit half-open. */
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
    /** Takes the rest of the first circuit that may be probed, ms; null without an open one. */
    note,

    /** Waits until a probe is due. */
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

    /** Takes the rest that a probe has left: 0 for a circuit that is still half-open. */
    probed(restMs: number | null): void {
      isProbing = false;
      inVain = restMs === 0 ? inVain + 1 : 0;
      note(restMs);
    },
  };
}
