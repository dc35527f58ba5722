import { sql } from 'kysely';
import type { OrganizationStatus } from '../schemas/sync-status.ts';
import type { Sql } from '../../../platform/db/database.ts';

export type OrganizationState = Omit<
  OrganizationStatus,
  'isStopListStale' | 'menuRevision' | 'menuBuiltAt' | 'menuDirtySince'
>;

/** Returns active organizations with owner and age of the stop-list. */
export function organizationStates({ db }: Sql): Promise<OrganizationState[]> {
  return db
    .selectFrom('served_organization as organization')
    .innerJoin('connection', 'connection.id', 'organization.connectionId')
    .leftJoin('mirror_stop_list_state as state', 'state.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.erpId',
      'organization.connectionId',
      'organization.name',
      'state.synchronizedAt as stopListAt',
      sql<number | null>`extract(epoch from now() - state.synchronized_at)::int`.as(
        'stopListAgeSeconds',
      ),
      'state.dirtyAt as stopListDirtySince',
    ])
    .where('connection.legalEntityId', 'is not', null)
    .orderBy('organization.connectionId')
    .orderBy('organization.name')
    .orderBy('organization.id')
    .execute();
}
