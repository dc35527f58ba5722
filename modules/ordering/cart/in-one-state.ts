import { Problem } from '../../../kernel/problem.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { CONFLICTS_AND_TWINS, hasSqlState, retryConflicts } from '../../../platform/db/retry-conflicts.ts';

/** A customer who signs in on several devices at once loses a race with each of them. */
const FURTHER_TRIES = 5;

/**
 * A result whose transaction is rolled back: `inOneState` returns the value, and nothing was
 * written.
 */
export class Undone<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Runs `work` in a transaction that sees one state, and again if another transaction has written
 * the same cart in the meantime. Problem `unavailable` if others were first each time (rule
 * ORD-81): nothing was written.
 */
export async function inOneState<T>({ db }: { db: Database }, work: (tx: Tx) => Promise<T | Undone<T>>): Promise<T> {
  try {
    return await retryConflicts(() => committed(db, work), FURTHER_TRIES, CONFLICTS_AND_TWINS);
  } catch (error) {
    if (!hasSqlState(error, CONFLICTS_AND_TWINS)) throw error;
    const problem = new Problem('unavailable', {
      detail: 'Too many requests change the same thing at once. Nothing was changed; repeat the request.',
      headers: { 'Retry-After': '1' },
    });
    // A unique rule that is violated each time is no race: it is logged.
    problem.cause = error;
    throw problem;
  }
}

/**
 * Commits the work, or rolls it back if its result is undone: the database rolls back only on an
 * exception.
 */
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
