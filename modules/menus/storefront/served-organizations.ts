import type { Sql } from '../../../platform/db/database.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';

/** `revision` and `etag` are null if no menu is stored. */
export type ServedOrganization = {
  organizationId: number;
  erpId: string;
  revision: number | null;
  etag: string | null;
};

/** Reads all organizations, or the one with this ERP id. */
export function readServedOrganizations(
  { db }: Sql,
  erpId: string | null = null,
): Promise<ServedOrganization[]> {
  const served = db
    .selectFrom('served_organization as organization')
    .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
    .select([
      'organization.id as organizationId',
      'organization.erpId',
      'snapshot.revision',
      'snapshot.etag',
    ]);

  return (erpId === null ? served : served.where('organization.erpId', '=', erpId)).execute();
}

/** The organization is required if several are served (STO-2). */
export const organizationRequired = (): Problem =>
  invalidField('organization_id', 'required', 'is required');

export const organizationNotFound = (): Problem =>
  new Problem('not-found', { detail: 'No active organization has this id.' });

/** The menu could not be built; the log contains the cause. */
export const menuUnavailable = (): Problem =>
  new Problem('unavailable', {
    detail: 'The menu could not be built.',
    headers: { 'Retry-After': '30' },
  });
