import { sql } from 'kysely';
import { Problem, invalidField } from '../../../kernel/problem.ts';
import { commitEdit } from '../../../kernel/edits.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';

/**
 * Channel on which every edit of ordering is announced to the API instances; without a payload,
 * they compare by themselves.
 */
export const ORDERING_CHANNEL = 'carte_ordering';

/**
 * Runs one edit of ordering in one transaction and notifies every API instance when it commits. A
 * rejected edit leaves nothing, a broken unique rule is its Problem.
 */
export function commitOrderingEdit<T>(deps: { db: Database }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return commitEdit(deps, async (tx) => {
    const result = await work(tx);
    await announceOrdering(tx);
    return result;
  });
}

/** Announces a change of ordering to every API instance when the transaction commits. */
export async function announceOrdering({ db }: Sql): Promise<void> {
  await sql`select pg_notify(${ORDERING_CHANNEL}, '')`.execute(db);
}

/**
 * Throws `not-found` for an organization that was never mirrored; an inactive one may be
 * configured.
 */
export async function requireOrganization({ db }: Sql, id: number): Promise<{ timeZone: string | null }> {
  return db
    .selectFrom('mirror_organization')
    .select('timeZone')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such organization.' }));
}

/** A moment of a request as it is stored; null and an absent field are not changed. */
export const momentOf = (text: string | null | undefined): Date | null | undefined =>
  text == null ? text : new Date(text);

/** Throws `validation` when a request names an organization that does not exist. */
export async function requireNamedOrganization(
  { db }: Sql,
  id: number | null | undefined,
  field = 'organizationId',
): Promise<void> {
  if (id == null) return;
  const found = await db.selectFrom('mirror_organization').select('id').where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw invalidField(field, 'not_found', 'No such organization.');
}
