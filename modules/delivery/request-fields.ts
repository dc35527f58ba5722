import { invalidField } from '../../kernel/problem.ts';
import type { Sql } from '../../platform/db/database.ts';

/** A moment of a request as it is stored; null and a field that is left out stay what they are. */
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
