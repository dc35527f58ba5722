import type { Sql } from '../../../platform/db/database.ts';

export type OwnerState = 'ACTIVE' | 'INACTIVE' | 'UNKNOWN';

/**
 * Returns whether a legal entity may do business now: it and its franchisee are both active. With
 * `hold`, inside a transaction, both rows stay as they are until it ends.
 */
export async function ownerState(
  sql: Sql,
  legalEntityId: number,
  options: { hold?: boolean } = {},
): Promise<OwnerState> {
  const query = sql.db
    .selectFrom('legal_entity as entity')
    .innerJoin('franchisee as owner', 'owner.id', 'entity.franchiseeId')
    .select(['entity.isActive as entityActive', 'owner.isActive as ownerActive'])
    .where('entity.id', '=', legalEntityId);
  const row = await (options.hold === true ? query.forShare() : query).executeTakeFirst();
  if (row === undefined) return 'UNKNOWN';
  return row.entityActive && row.ownerActive ? 'ACTIVE' : 'INACTIVE';
}

/** True when the legal entity exists and both it and its franchisee are active. */
export async function isOperationallyActive(sql: Sql, legalEntityId: number): Promise<boolean> {
  return (await ownerState(sql, legalEntityId)) === 'ACTIVE';
}
