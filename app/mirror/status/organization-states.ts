import type { OrganizationStatus } from '../../../contracts/observability.ts';
import type { Sql } from '../../database.ts';

/** What the mirror knows of an active organization: whose it is, and how old its stop-list is. */
export type OrganizationState = Omit<
  OrganizationStatus,
  'isStopListStale' | 'menuRevision' | 'menuBuiltAt' | 'menuDirtySince'
>;

/** Active organizations of connections of the contract, by connection and name. */
export function organizationStates(sql: Sql): Promise<OrganizationState[]> {
  return sql.query<OrganizationState>(
    `select organization.id, organization.erp_id as "erpId", organization.connection_id as "connectionId", organization.name,
            state.synchronized_at as "stopListAt", extract(epoch from now() - state.synchronized_at)::int as "stopListAgeSeconds",
            state.dirty_at as "stopListDirtySince"
       from mirror_organization organization
       join connection on connection.id = organization.connection_id and connection.legal_entity_id is not null
       left join mirror_stop_list_state state on state.organization_id = organization.id
      where organization.inactive_at is null order by organization.connection_id, organization.name, organization.id`,
  );
}
