import { RESULT_TYPE_CHANGED } from './prepared.ts';

/**
 * PostgreSQL ended the transaction for the sake of another one (deadlock, serialization failure),
 * or because a migration has changed what a prepared statement returns.
 */
const CONFLICTS = new Set<unknown>(['40P01', '40001', RESULT_TYPE_CHANGED]);

/**
 * Runs a whole transaction again when PostgreSQL chose it as the victim of a conflict, at most
 * twice: it was rolled back, and the other one has continued. `work` must open its transaction
 * itself. Throws everything else, and a third conflict, as it is. Activities do not use it:
 * Temporal runs them again.
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

/**
 * The same, and 23505: two transactions that each saw no row of a unique rule have both inserted
 * one.
 */
export const CONFLICTS_AND_TWINS: ReadonlySet<unknown> = new Set([...CONFLICTS, '23505']);

/**
 * True when the error, or what it was caused by, is an answer of PostgreSQL with one of these
 * states.
 */
export function hasSqlState(error: unknown, states: ReadonlySet<unknown>): boolean {
  return error instanceof Error && (states.has((error as { code?: unknown }).code) || hasSqlState(error.cause, states));
}
