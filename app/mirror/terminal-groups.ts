import type { Sql } from '../../db/database.ts';

export type TerminalGroup = { organizationId: number; erpId: string; isActive: boolean };

/**
 * Every terminal group ever seen of these organizations, by organization and id. Active is one that the ERP still lists and that is
 * awake; while all of a restaurant sleep, those that are listed count, or its stop-list would come and go with the night.
 */
export function terminalGroups(tx: Sql, organizationIds: readonly number[]): Promise<TerminalGroup[]> {
  return tx.query<TerminalGroup>(
    `select organization_id as "organizationId", erp_id as "erpId",
            inactive_at is null and is_asleep = bool_and(is_asleep) filter (where inactive_at is null)
              over (partition by organization_id) as "isActive"
       from mirror_terminal_group where organization_id = any ($1::bigint[]) order by organization_id, erp_id`,
    [organizationIds],
  );
}
