import type { Sql } from '../database.ts';

export type OwnerState = 'ACTIVE' | 'INACTIVE' | 'UNKNOWN';

/**
 * Whether a legal entity may do business now: it and its franchisee are both active (spec 2, Organization import).
 * With `hold`, inside a transaction, both rows stay as they are until it ends.
 */
export async function ownerState(
  sql: Sql,
  legalEntityId: number,
  options: { hold?: boolean } = {},
): Promise<OwnerState> {
  const [row] = await sql.query<{ active: boolean }>(
    `select entity.is_active and owner.is_active as active
       from legal_entity entity join franchisee owner on owner.id = entity.franchisee_id
      where entity.id = $1 ${options.hold === true ? 'for share' : ''}`,
    [legalEntityId],
  );
  if (row === undefined) return 'UNKNOWN';
  return row.active ? 'ACTIVE' : 'INACTIVE';
}

/** True when the legal entity exists and both it and its franchisee are active. */
export async function isOperationallyActive(sql: Sql, legalEntityId: number): Promise<boolean> {
  return (await ownerState(sql, legalEntityId)) === 'ACTIVE';
}
