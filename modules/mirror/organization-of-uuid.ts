import { anyOf, type Sql } from '../../platform/db/database.ts';

/** The UUIDs of the ERP of these organizations. */
export async function erpIdsOfOrganizations({ db }: Sql, ids: readonly number[]): Promise<string[]> {
  const rows = await db.selectFrom('mirror_organization').select('erpId').where('id', '=', anyOf(ids)).execute();
  return rows.map(({ erpId }) => erpId);
}

/**
 * Our numbers of the organizations with these UUIDs of the ERP (in lower case), by UUID; unknown
 * ones are omitted. The one that is visible to guests; if there is none, the one that was mirrored
 * last, because staff also see ended ones.
 */
export async function organizationsOfUuids(from: Sql, erpIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = await namedOrganizationsOfUuids(from, erpIds);
  return new Map([...found].map(([erpId, { id }]) => [erpId, id]));
}

/** {@link organizationsOfUuids} with the names of the organizations. */
export async function namedOrganizationsOfUuids(
  { db }: Sql,
  erpIds: readonly string[],
): Promise<ReadonlyMap<string, { id: number; name: string }>> {
  const found = await db
    .selectFrom('mirror_organization as organization')
    .leftJoin('served_organization as served', 'served.id', 'organization.id')
    .distinctOn('organization.erpId')
    .select(['organization.erpId', 'organization.id', 'organization.name'])
    .where('organization.erpId', '=', anyOf(erpIds, 'uuid'))
    .orderBy('organization.erpId')
    .orderBy('served.id', (order) => order.desc().nullsLast())
    .orderBy('organization.id', 'desc')
    .execute();
  return new Map(found.map(({ erpId, ...organization }) => [erpId, organization]));
}
