import type { Sql } from '../../db/database.ts';
import type { StopFacts } from '../../domain/offers/facts.ts';
import { stopRule, type IsStopped } from '../../domain/offers/stops.ts';
import { terminalGroups } from '../mirror/terminals.ts';
import { readSettings } from '../settings/read-settings.ts';

export type StopSettings = Pick<StopFacts, 'terminals'> & { behaviour: 'SHOW' | 'HIDE' };

/** How the menu shows what is stopped (rule SNP-11). */
export async function readStopSettings(sql: Sql): Promise<StopSettings> {
  const settings = await readSettings(sql, 'stoplist_behaviour', 'stoplist_terminals');
  return { behaviour: settings.stoplist_behaviour, terminals: settings.stoplist_terminals };
}

/** The stop-list of one organization as the tables hold it at this moment. */
export async function readStops(sql: Sql, organizationId: number, settings: StopSettings): Promise<StopFacts> {
  const rows = await sql.db
    .selectFrom('mirror_stop_list')
    .select(['terminalGroupErpId as terminalGroupId', 'itemErpId', 'erpSizeId as sizeErpId', 'balance'])
    .where('organizationId', '=', organizationId)
    .where('balance', '<=', 0)
    .execute();
  const groups = await terminalGroups(sql, [organizationId]);
  return {
    rows,
    terminalGroups: new Map(groups.map((each) => [each.erpId, each.isActive])),
    terminals: settings.terminals,
  };
}

/** The stop rule as the tables stand now, for the terminal group that serves an order when it is known, with the settings it was read under. */
export async function currentStops(
  sql: Sql,
  organizationId: number,
  servedBy: string | null = null,
): Promise<{ isStopped: IsStopped; settings: StopSettings }> {
  const settings = await readStopSettings(sql);
  return { isStopped: stopRule(await readStops(sql, organizationId, settings), servedBy), settings };
}
