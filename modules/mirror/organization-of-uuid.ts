import { anyOf, type Sql } from '../../platform/db/database.ts';

export async function erpIdsOfOrganizations(
  { db }: Sql,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', anyOf(ids))
    .execute();

  return rows.map(({ erpId }) => erpId);
}

/**
 * Returns our ids by lower-case ERP UUID, omitting unknown UUIDs. Prefers the organization that
 * guests see, then the one mirrored last.
 */
export async function organizationsOfUuids(
  from: Sql,
  erpIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const organizations = await namedOrganizationsOfUuids(from, erpIds);
  return new Map([...organizations].map(([erpId, { id }]) => [erpId, id]));
}

/** {@link organizationsOfUuids} with names. */
export async function namedOrganizationsOfUuids(
  { db }: Sql,
  erpIds: readonly string[],
): Promise<ReadonlyMap<string, { id: number; name: string }>> {
  const rows = await db
    .selectFrom('mirror_organization as organization')
    .leftJoin('served_organization as served', 'served.id', 'organization.id')
    .distinctOn('organization.erpId')
    .select(['organization.erpId', 'organization.id', 'organization.name'])
    .where('organization.erpId', '=', anyOf(erpIds, 'uuid'))
    .orderBy('organization.erpId')
    .orderBy('served.id', (order) => order.desc().nullsLast())
    .orderBy('organization.id', 'desc')
    .execute();

  return new Map(rows.map(({ erpId, ...organization }) => [erpId, organization]));
}
