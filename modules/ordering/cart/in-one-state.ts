import { Problem } from '../../../kernel/problem.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import {
  CONFLICTS_AND_TWINS,
  hasSqlState,
  retryConflicts,
} from '../../../platform/db/retry-conflicts.ts';

/** Several devices of one customer may sign in at once. */
const FURTHER_TRIES = 5;

/** Result of a transaction that must be rolled back. */
export class Undone<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Runs `work` on one snapshot and retries write conflicts. Throws `unavailable` after the last try,
 * without having written anything (rule ORD-81).
 */
export async function inOneState<T>(
  { db }: { db: Database },
  work: (tx: Tx) => Promise<T | Undone<T>>,
): Promise<T> {
  try {
    return await retryConflicts(() => committed(db, work), FURTHER_TRIES, CONFLICTS_AND_TWINS);
  } catch (error) {
    if (!hasSqlState(error, CONFLICTS_AND_TWINS)) throw error;
    const problem = new Problem('unavailable', {
      detail:
        'Too many requests change the same thing at once. Nothing was changed; repeat the request.',
      headers: { 'Retry-After': '1' },
    });

    // A unique constraint that always fails is not a race.
    problem.cause = error;

    throw problem;
  }
}

/** Only an exception rolls back. */
async function committed<T>(db: Database, work: (tx: Tx) => Promise<T | Undone<T>>): Promise<T> {
  let undone: Undone<T> | undefined;
  try {
    return await db.prepared.transaction(
      async (tx) => {
        const result = await work(tx);
        if (!(result instanceof Undone)) return result;
        undone = result;
        throw result;
      },
      { oneState: true },
    );
  } catch (error) {
    if (undone === undefined || error !== undone) throw error;
    return undone.value;
  }
}
