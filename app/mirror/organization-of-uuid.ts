import type { Sql } from '../database.ts';

/**
 * Our number of the organization with this UUID of the ERP, undefined when there is none. The one that guests see under it; when
 * guests see none, the one that was mirrored last, because staff look at what has ended as well.
 */
export async function organizationOfUuid({ db }: Sql, erpId: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('mirror_organization as organization')
    .leftJoin('served_organization as served', 'served.id', 'organization.id')
    .select('organization.id')
    .where('organization.erpId', '=', erpId)
    .orderBy('served.id', (order) => order.desc().nullsLast())
    .orderBy('organization.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}
