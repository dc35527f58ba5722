import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { withConstraintProblems } from '../../kernel/constraint-problems.ts';
import type { Database, Sql, Tx } from '../../platform/db/database.ts';

/** Channel on which every edit of ordering is announced to the API instances; without a payload, they compare by themselves. */
export const ORDERING_CHANNEL = 'carte_ordering';

/**
 * Runs one edit of ordering in one transaction and tells every API instance when it commits. A refused edit leaves nothing, a broken
 * unique rule is its Problem.
 */
export function commitOrderingEdit<T>({ db }: { db: Database }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() =>
    db.transaction(async (tx) => {
      const result = await work(tx);
      await sql`select pg_notify(${ORDERING_CHANNEL}, '')`.execute(tx.db);
      return result;
    }),
  );
}

/** Throws `not-found` for an organization that was never mirrored; an inactive one may be configured. */
export async function requireOrganization({ db }: Sql, id: number): Promise<{ timeZone: string | null }> {
  return db
    .selectFrom('mirror_organization')
    .select('timeZone')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such organization.' }));
}
