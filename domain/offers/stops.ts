import type { StopFacts } from './facts.ts';

/** True when this size of this ERP item may not be sold now. */
export type IsStopped = (itemErpId: string, sizeErpId: string) => boolean;

/** A row without a size stops every size of its item. */
const EVERY_SIZE = '';
/** A row without a terminal group counts for the whole organization. */
const EVERY_TERMINAL = '';

/**
 * The stop rule (rule SNP-10): a row with a balance of zero or less stops; a positive balance is sellable.
 * Rows of terminal groups that have left the ERP or sleep count for nothing; rows of groups we have not seen yet do count.
 * An order that is served by one active terminal group is stopped by its rows and those of the whole organization alone (rule ORD-62).
 */
export function stopRule(facts: StopFacts, servedBy: string | null = null): IsStopped {
  const active = [...facts.terminalGroups].filter(([, isActive]) => isActive).map(([id]) => id);
  const serving = servedBy !== null && active.includes(servedBy) ? [servedBy] : null;
  const stoppedIn = new Map<string, Set<string>>();
  for (const row of facts.rows) {
    if (row.balance > 0 || facts.terminalGroups.get(row.terminalGroupId) === false) continue;
    const key = keyOf(row.itemErpId, row.sizeErpId);
    const terminals = stoppedIn.get(key);
    if (terminals === undefined) stoppedIn.set(key, new Set([row.terminalGroupId]));
    else terminals.add(row.terminalGroupId);
  }
  return (itemErpId, sizeErpId) => {
    const sets = [stoppedIn.get(keyOf(itemErpId, EVERY_SIZE)), stoppedIn.get(keyOf(itemErpId, sizeErpId))].filter(
      (each) => each !== undefined,
    );
    if (sets.length === 0) return false;
    if (serving === null && (facts.terminals === 'ANY' || active.length === 0)) return true;
    const covers = (terminal: string) => sets.some((each) => each.has(terminal));
    return covers(EVERY_TERMINAL) || (serving ?? active).every(covers);
  };
}

function keyOf(itemErpId: string, sizeErpId: string): string {
  return `${itemErpId}/${sizeErpId}`;
}
