import { sql } from 'kysely';
import { Problem, invalidField } from '../../../kernel/problem.ts';
import { commitEdit } from '../../../kernel/edits.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';

/** Notifications have no payload; API instances compare versions. */
export const ORDERING_CHANNEL = 'carte_ordering';

/**
 * Runs an edit in one transaction and notifies API instances. Violated unique constraints become
 * problems.
 */
export function commitOrderingEdit<T>(
  deps: { db: Database },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return commitEdit(deps, async (tx) => {
    const result = await work(tx);
    await announceOrdering(tx);
    return result;
  });
}

/** Notifies API instances on commit. */
export async function announceOrdering({ db }: Sql): Promise<void> {
  await sql`select pg_notify(${ORDERING_CHANNEL}, '')`.execute(db);
}

/** Returns an organization, even an inactive one. Problem `not-found`. */
export async function requireOrganization(
  { db }: Sql,
  id: number,
): Promise<{ timeZone: string | null }> {
  return db
    .selectFrom('mirror_organization')
    .select('timeZone')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such organization.' }));
}

/** Keeps null and undefined. */
export const parseMoment = (text: string | null | undefined): Date | null | undefined =>
  text == null ? text : new Date(text);

export async function requireNamedOrganization(
  { db }: Sql,
  id: number | null | undefined,
  field = 'organizationId',
): Promise<void> {
  if (id == null) return;
  const organization = await db
    .selectFrom('mirror_organization')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (organization === undefined) throw invalidField(field, 'not_found', 'No such organization.');
}
