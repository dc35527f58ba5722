import type { Sql } from '../../db/database.ts';
import type { StopFacts, StopRow } from '../../domain/snapshot/facts.ts';
import { readSettings } from '../settings/read-settings.ts';
import { terminalGroups } from '../mirror/terminal-groups.ts';

export type StopSettings = Pick<StopFacts, 'terminals'> & { behaviour: 'SHOW' | 'HIDE' };

/** How the menu shows what is stopped (rule SNP-11). */
export async function readStopSettings(tx: Sql): Promise<StopSettings> {
  const settings = await readSettings(tx, 'stoplist_behaviour', 'stoplist_terminals');
  return { behaviour: settings.stoplist_behaviour, terminals: settings.stoplist_terminals };
}

/** The stop-list of one organization as the tables hold it at this moment. */
export async function readStops(tx: Sql, organizationId: number, settings: StopSettings): Promise<StopFacts> {
  const rows = await tx.query<StopRow>(
    `select terminal_group_erp_id as "terminalGroupId", item_erp_id as "itemErpId", erp_size_id as "sizeErpId", balance
       from mirror_stop_list where organization_id = $1 and balance <= 0`,
    [organizationId],
  );
  const groups = await terminalGroups(tx, [organizationId]);
  return {
    rows,
    terminalGroups: new Map(groups.map((each) => [each.erpId, each.isActive])),
    terminals: settings.terminals,
  };
}
