import type { Ending, Received } from './import-run.ts';

/** The end of a job of one call and one transaction, and what it received. */
export function jobEnding(
  outcome: { outcome: 'APPLIED'; bytes: number } | { outcome: 'RUN_CLOSED' },
  received: Received,
): Ending {
  if (outcome.outcome === 'RUN_CLOSED') return { status: 'FAILED', reason: 'RUN_CLOSED' };
  received.payloadBytes = outcome.bytes;
  return { status: 'SUCCESS', reason: null };
}
