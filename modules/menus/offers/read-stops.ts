import type { Expression } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { StopFacts } from '../rules/offers/facts.ts';
import { balanceRule, type Balance } from '../rules/offers/stops.ts';
import { COUNTED_BALANCE } from '../../mirror/rules/values.ts';
import { terminalGroups, type TerminalGroup } from '../../mirror/terminals.ts';
import { readSettings } from '../../settings/read-settings.ts';

export type StopSettings = Pick<StopFacts, 'terminals'> & { behavior: 'SHOW' | 'HIDE' };

/** SNP-11. */
export async function readStopSettings(sql: Sql): Promise<StopSettings> {
  const settings = await readSettings(sql, 'stoplist_behaviour', 'stoplist_terminals');
  return { behavior: settings.stoplist_behaviour, terminals: settings.stoplist_terminals };
}

/** Selects the stop-list of an organization. */
export const stopRows = (db: Sql['db'], organizationId: number | Expression<number>) =>
  db
    .selectFrom('mirror_stop_list')
    .select([
      'terminalGroupErpId as terminalGroupId',
      'itemErpId',
      'erpSizeId as sizeErpId',
      'balance',
    ])
    .where('organizationId', '=', organizationId);

/** Reads the stop-list of an organization. */
export async function readStops(
  sql: Sql,
  organizationId: number,
  settings: StopSettings,
): Promise<StopFacts> {
  const rows = await stopRows(sql.db, organizationId)
    .where('balance', '<', COUNTED_BALANCE)
    .execute();
  return stopFacts(rows, await terminalGroups(sql, [organizationId]), settings);
}

/** Combines rows of a stop-list with terminal groups. */
export const stopFacts = (
  rows: StopFacts['rows'],
  groups: readonly Pick<TerminalGroup, 'erpId' | 'isActive'>[],
  { terminals }: Pick<StopSettings, 'terminals'>,
): StopFacts => ({
  rows,
  terminalGroups: new Map(groups.map((group) => [group.erpId, group.isActive])),
  terminals,
});

/** Reads the stock of items and the settings that were used. */
export async function currentStops(
  sql: Sql,
  organizationId: number,
): Promise<{ balance: Balance; settings: StopSettings }> {
  const settings = await readStopSettings(sql);
  return { balance: balanceRule(await readStops(sql, organizationId, settings)), settings };
}
