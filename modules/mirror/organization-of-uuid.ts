import { anyOf, type Sql } from '../../platform/db/database.ts';

/**
 * Our numbers of the organizations with these UUIDs of the ERP (in small letters), by UUID; one
 * that nobody has is left out. The one that guests see under it; when guests see none, the one that
 * was mirrored last, because staff look at what has ended as well.
 */
export async function organizationsOfUuids(
  { db }: Sql,
  erpIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await db
    .selectFrom('mirror_organization as organization')
    .leftJoin('served_organization as served', 'served.id', 'organization.id')
    .distinctOn('organization.erpId')
    .select(['organization.erpId', 'organization.id'])
    .where('organization.erpId', '=', anyOf(erpIds, 'uuid'))
    .orderBy('organization.erpId')
    .orderBy('served.id', (order) => order.desc().nullsLast())
    .orderBy('organization.id', 'desc')
    .execute();
  return new Map(found.map(({ erpId, id }) => [erpId, id]));
}
