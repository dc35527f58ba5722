import type { Sql } from '../../../platform/db/database.ts';

/** A served organization and which menu is stored for it; nulls while there is none. */
export type ServedOrganization = {
  organizationId: number;
  erpId: string;
  revision: number | null;
  etag: string | null;
};

/** All served organizations, or the one with this uuid. */
export function readServedOrganizations({ db }: Sql, erpId: string | null = null): Promise<ServedOrganization[]> {
  const served = db
    .selectFrom('served_organization as organization')
    .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
    .select(['organization.id as organizationId', 'organization.erpId', 'snapshot.revision', 'snapshot.etag']);
  return (erpId === null ? served : served.where('organization.erpId', '=', erpId)).execute();
}
