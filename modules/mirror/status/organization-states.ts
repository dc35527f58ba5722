import { sql } from 'kysely';
import type { OrganizationStatus } from '../schemas/sync-status.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** The mirror's facts about an active organization: its owner, and the age of its stop-list. */
export type OrganizationState = Omit<
  OrganizationStatus,
  'isStopListStale' | 'menuRevision' | 'menuBuiltAt' | 'menuDirtySince'
>;

/** Active organizations of connections of the contract, by connection and name. */
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
      sql<number | null>`extract(epoch from now() - state.synchronized_at)::int`.as('stopListAgeSeconds'),
      'state.dirtyAt as stopListDirtySince',
    ])
    .where('connection.legalEntityId', 'is not', null)
    .orderBy('organization.connectionId')
    .orderBy('organization.name')
    .orderBy('organization.id')
    .execute();
}
