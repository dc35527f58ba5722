import type { Sql } from '../../../platform/db/database.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';

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

/**
 * The rejection of a request that names no organization while there is not exactly one that could
 * be meant (rule STO-2).
 */
export const organizationRequired = (): Problem => invalidField('organization_id', 'required', 'is required');

/** The rejection of a uuid that no active organization has. */
export const organizationNotFound = (): Problem =>
  new Problem('not-found', { detail: 'No active organization has this id.' });

/** The rejection of a menu that could not be built; the cause is in the log of the build. */
export const menuUnavailable = (): Problem =>
  new Problem('unavailable', { detail: 'The menu could not be built.', headers: { 'Retry-After': '30' } });
