import { RESULT_TYPE_CHANGED } from './prepared.ts';

/** Deadlock, serialization failure, or a changed result of a prepared statement. */
const CONFLICTS = new Set<unknown>(['40P01', '40001', RESULT_TYPE_CHANGED]);

/**
 * Retries a transaction after a conflict. `work` must open it. Not for activities, which Temporal
 * retries.
 */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  furtherTries = 2,
  conflicts: ReadonlySet<unknown> = CONFLICTS,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (furtherTries === 0 || !hasSqlState(error, conflicts)) throw error;
    return retryConflicts(work, furtherTries - 1, conflicts);
  }
}

/** 23505: two transactions that saw no row have both inserted it. */
export const CONFLICTS_AND_TWINS: ReadonlySet<unknown> = new Set([...CONFLICTS, '23505']);

/** Also checks the cause. */
export function hasSqlState(error: unknown, states: ReadonlySet<unknown>): boolean {
  return (
    error instanceof Error &&
    (states.has((error as { code?: unknown }).code) || hasSqlState(error.cause, states))
  );
}
