import type { Sql } from '../../../platform/db/database.ts';

export type OwnerState = 'ACTIVE' | 'INACTIVE' | 'UNKNOWN';

/**
 * ACTIVE if legal entity and franchisee are both active. With `hold`, both rows stay locked until
 * the transaction ends.
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

export async function isOperationallyActive(sql: Sql, legalEntityId: number): Promise<boolean> {
  return (await ownerState(sql, legalEntityId)) === 'ACTIVE';
}
