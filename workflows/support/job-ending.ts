import type { Ending } from './import-run.ts';

/** The end of a job of one call and one transaction. */
export function jobEnding({ outcome }: { outcome: 'APPLIED' | 'RUN_CLOSED' }): Ending {
  return outcome === 'RUN_CLOSED' ? { status: 'FAILED', reason: 'RUN_CLOSED' } : { status: 'SUCCESS', reason: null };
}
