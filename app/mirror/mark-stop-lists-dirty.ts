import type { Sql } from '../../db/database.ts';
import { pausedCondition } from './pauses/paused-condition.ts';

const PAUSED = pausedCondition({ job: `'STOP_LIST'`, connectionId: '$1::bigint', externalMenuId: 'null' });

/** A mirrored organization whose stop-list must be asked for. */
export type MarkedStopList = { organizationId: number; connectionId: number; erpId: string };

/**
 * Marks, in the caller's transaction, the stop-lists of organizations that the ERP says have changed, and returns the organizations
 * found: unknown and inactive ones have none. The mark is what counts; an import that has asked before it leaves it in place.
 * Rows are locked in id order, as the import locks them. A second call only raises the mark.
 */
export async function markStopListsDirty(tx: Sql, organizationErpIds: readonly string[]): Promise<MarkedStopList[]> {
  const organizations = await tx.query<MarkedStopList>(
    `select id as "organizationId", connection_id as "connectionId", erp_id as "erpId" from mirror_organization
      where erp_id = any ($1::uuid[]) and inactive_at is null order by id`,
    [organizationErpIds],
  );
  await tx.query(
    `insert into mirror_stop_list_state (organization_id, dirty_seq, dirty_at)
     select id, 1, now() from unnest($1::bigint[]) as id order by id
     on conflict (organization_id) do update
       set dirty_seq = mirror_stop_list_state.dirty_seq + 1, dirty_at = coalesce(mirror_stop_list_state.dirty_at, now())`,
    [organizations.map((each) => each.organizationId)],
  );
  return organizations;
}

/** Whether stop-lists of a connection carry a mark, so that one more import is due; a paused import is not due. */
export async function hasDirtyStopLists(sql: Sql, connectionId: number): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from mirror_stop_list_state state join mirror_organization organization on organization.id = state.organization_id
      where organization.connection_id = $1 and organization.inactive_at is null and state.dirty_at is not null and not ${PAUSED} limit 1`,
    [connectionId],
  );
  return rows.length > 0;
}
