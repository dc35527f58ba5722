import { anyOf, type Sql } from '../platform/db/database.ts';
import { Problem } from './problem.ts';
import { listErrors } from './pure/field-errors.ts';

/**
 * Throws `validation` for unknown or duplicate organizations, with fields
 * `{field}.{index}{suffix}`.
 */
export async function requireOrganizations(
  { db }: Sql,
  ids: readonly number[] | null | undefined,
  field = 'organizationIds',
  suffix = '',
): Promise<void> {
  if (ids == null || ids.length === 0) return;
  const rows = await db
    .selectFrom('mirror_organization')
    .select('id')
    .where('id', '=', anyOf(ids))
    .execute();

  const errors = listErrors(field, ids, new Set(rows.map(({ id }) => id)), 'organization');
  if (errors.length > 0)
    throw new Problem('validation', {
      errors: errors.map((error) => ({ ...error, field: error.field + suffix })),
    });
}
