import type { OrganizationStatus } from '../../contracts/observability.ts';
import type { Sql } from '../database.ts';

/** How old the published menu of an organization is. */
export type SnapshotState = Pick<OrganizationStatus, 'menuRevision' | 'menuBuiltAt' | 'menuDirtySince'> & {
  organizationId: number;
};

/** Published menus of all organizations that have one or are about to. Reads no payload. */
export function snapshotStates(sql: Sql): Promise<SnapshotState[]> {
  return sql.query<SnapshotState>(
    `select coalesce(snapshot.organization_id, request.organization_id) as "organizationId", snapshot.revision as "menuRevision",
            snapshot.generated_at as "menuBuiltAt",
            case when request.dirty_seq > request.built_seq then request.dirty_at end as "menuDirtySince"
       from snapshot full join snapshot_request request on request.organization_id = snapshot.organization_id`,
  );
}
