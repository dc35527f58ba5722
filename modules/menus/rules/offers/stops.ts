import { LEAST_BALANCE } from '../../../mirror/rules/values.ts';
import type { StopFacts } from './facts.ts';

/** True when this size of this ERP item may not be sold now. */
export type IsStopped = (itemErpId: string, sizeErpId: string) => boolean;

/**
 * Units left of a size of an ERP item, or of all its sizes together for the empty size: below one
 * if it is stopped, infinite if no row limits it, a fraction if the ERP weighs it.
 */
export type Balance = (itemErpId: string, sizeErpId: string) => number;

/** A row without a size counts for all sizes of its item. */
export const EVERY_SIZE = '';
/** A row without a terminal group counts for the whole organization. */
const EVERY_TERMINAL = '';

/**
 * Returns the balance that a stop-list leaves of each item (rules SNP-10, ORD-74). Rows of terminal
 * groups that have left the ERP or sleep count for nothing; rows of groups we have not seen yet do
 * count. The least of one active terminal group is left, with `terminals` ALL the most. Of an order
 * that is served by one active terminal group its rows and those of the whole organization count
 * alone (rule ORD-62).
 */
export function balanceRule(facts: StopFacts, servedBy: string | null = null): Balance {
  const active = [...facts.terminalGroups].filter(([, isActive]) => isActive).map(([id]) => id);
  const serving = servedBy !== null && active.includes(servedBy) ? [servedBy] : null;
  const limits = new Map<string, Map<string, number>>();
  for (const { terminalGroupId, itemErpId, sizeErpId, balance } of facts.rows) {
    if (facts.terminalGroups.get(terminalGroupId) === false) continue;
    const key = keyOf(itemErpId, sizeErpId);
    const ofKey = limits.get(key) ?? new Map<string, number>();
    limits.set(key, ofKey.set(terminalGroupId, Math.min(balance, ofKey.get(terminalGroupId) ?? Infinity)));
  }
  return (itemErpId, sizeErpId) => {
    const rows = [limits.get(keyOf(itemErpId, EVERY_SIZE)), limits.get(keyOf(itemErpId, sizeErpId))].filter(
      (entry) => entry !== undefined,
    );
    if (rows.length === 0) return Infinity;
    if (serving === null && (facts.terminals === 'ANY' || active.length === 0))
      return Math.min(...rows.flatMap((row) => [...row.values()]));
    const leftIn = (terminal: string) => Math.min(...rows.map((row) => row.get(terminal) ?? Infinity));
    return Math.min(leftIn(EVERY_TERMINAL), Math.max(...(serving ?? active).map(leftIn)));
  };
}

/**
 * The stop rule (rule SNP-10): a balance below one unit stops; otherwise the remaining units can be
 * sold.
 */
export function stopRule(facts: StopFacts, servedBy: string | null = null): IsStopped {
  return stoppedBy(balanceRule(facts, servedBy));
}

/** The stop rule by the remaining units. */
export function stoppedBy(balance: Balance): IsStopped {
  return (itemErpId, sizeErpId) => balance(itemErpId, sizeErpId) < LEAST_BALANCE;
}

function keyOf(itemErpId: string, sizeErpId: string): string {
  return `${itemErpId}/${sizeErpId}`;
}
