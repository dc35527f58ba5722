import type { Sql } from '../../db/database.ts';
import type { StopFacts, StopRow } from '../../domain/snapshot/facts.ts';
import { terminalGroups } from '../mirror/terminal-groups.ts';

export type StopSettings = Pick<StopFacts, 'terminals'> & { behaviour: 'SHOW' | 'HIDE' };

/** Settings of spec 2, Other mirrored and settings data; absent rows mean SHOW and ANY. */
export async function readStopSettings(tx: Sql): Promise<StopSettings> {
  const rows = await tx.query<{ key: string; value: unknown }>(
    `select key, value from setting where key in ('stoplist_behaviour', 'stoplist_terminals')`,
  );
  const settings = new Map(rows.map(({ key, value }) => [key, String(value).toUpperCase()]));
  return {
    behaviour: settings.get('stoplist_behaviour') === 'HIDE' ? 'HIDE' : 'SHOW',
    terminals: settings.get('stoplist_terminals') === 'ALL' ? 'ALL' : 'ANY',
  };
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
