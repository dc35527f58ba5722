import { withConstraintProblems } from '../../kernel/constraint-problems.ts';
import type { Database, Tx } from '../../platform/db/database.ts';

/** Runs one edit of staff in one transaction; a refused edit leaves nothing, a broken rule of the database is its Problem. */
export function commitEdit<T>({ db }: { db: Database }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => db.transaction(work));
}
