import type { Sql } from '../../db/database.ts';

/** SQL of the organizations the storefront API serves: the active ones. The database keeps each public uuid to one of them. */
export const SERVED_ORGANIZATIONS = `
  select o.id, o.erp_id, o.name, o.address, o.latitude, o.longitude from mirror_organization o where o.inactive_at is null`;

/** A served organization and which menu is stored for it; nulls while there is none. */
export type ServedOrganization = {
  organizationId: number;
  erpId: string;
  revision: number | null;
  etag: string | null;
};

/** All served organizations, or the one with this uuid. */
export async function readServedOrganizations(sql: Sql, erpId: string | null = null): Promise<ServedOrganization[]> {
  return sql.query<ServedOrganization>(
    `select o.id as "organizationId", o.erp_id as "erpId", s.revision, s.etag
       from (${SERVED_ORGANIZATIONS}) o left join snapshot s on s.organization_id = o.id
      where $1::uuid is null or o.erp_id = $1::uuid`,
    [erpId],
  );
}
