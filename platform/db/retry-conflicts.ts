import { RESULT_TYPE_CHANGED } from './prepared.ts';

/**
 * Deadlock, serialization failure, or a migration has changed the result of a prepared statement.
 */
const CONFLICTS = new Set<unknown>(['40P01', '40001', RESULT_TYPE_CHANGED]);

/**
 * Retries a transaction after a conflict, at most twice. `work` must open the transaction itself.
 * Throws other errors and a third conflict. Activities do not use it: Temporal retries them.
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

/** Also 23505: two transactions that each saw no row have both inserted a unique row. */
export const CONFLICTS_AND_TWINS: ReadonlySet<unknown> = new Set([...CONFLICTS, '23505']);

/** Returns true if the error or its cause has one of these SQL states. */
export function hasSqlState(error: unknown, states: ReadonlySet<unknown>): boolean {
  return (
    error instanceof Error &&
    (states.has((error as { code?: unknown }).code) || hasSqlState(error.cause, states))
  );
}
