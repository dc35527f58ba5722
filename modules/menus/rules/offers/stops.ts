import { LEAST_BALANCE } from '../../../mirror/rules/values.ts';
import type { StopFacts } from './facts.ts';

export type IsStopped = (itemErpId: string, sizeErpId: string) => boolean;

/**
 * Stock of a size, or of all sizes if empty. Below 1 the item is stopped; Infinity is unlimited.
 * Weighed items have fractions.
 */
export type Balance = (itemErpId: string, sizeErpId: string) => number;

export const EVERY_SIZE = '';
const EVERY_TERMINAL = '';

/**
 * Returns the stock of items (SNP-10, ORD-74). Ignores terminal groups that sleep or were removed,
 * but not unknown ones. The group with the least stock decides; with `terminals` ALL, the one with
 * the most. For an order, only its terminal group and rows of the whole organization count
 * (ORD-62).
 */
export function balanceRule(facts: StopFacts, servedBy: string | null = null): Balance {
  const active = [...facts.terminalGroups].filter(([, isActive]) => isActive).map(([id]) => id);
  const serving = servedBy !== null && active.includes(servedBy) ? [servedBy] : null;
  const limits = new Map<string, Map<string, number>>();

  for (const { terminalGroupId, itemErpId, sizeErpId, balance } of facts.rows) {
    if (facts.terminalGroups.get(terminalGroupId) === false) continue;
    const key = buildKey(itemErpId, sizeErpId);
    const ofKey = limits.get(key) ?? new Map<string, number>();
    limits.set(
      key,
      ofKey.set(terminalGroupId, Math.min(balance, ofKey.get(terminalGroupId) ?? Infinity)),
    );
  }

  return (itemErpId, sizeErpId) => {
    const rows = [
      limits.get(buildKey(itemErpId, EVERY_SIZE)),
      limits.get(buildKey(itemErpId, sizeErpId)),
    ].filter((entry) => entry !== undefined);
    if (rows.length === 0) return Infinity;

    if (serving === null && (facts.terminals === 'ANY' || active.length === 0))
      return Math.min(...rows.flatMap((row) => [...row.values()]));
    const leftIn = (terminal: string) =>
      Math.min(...rows.map((row) => row.get(terminal) ?? Infinity));

    return Math.min(leftIn(EVERY_TERMINAL), Math.max(...(serving ?? active).map(leftIn)));
  };
}

/** Stops items with less than one unit (SNP-10). */
export function stopRule(facts: StopFacts, servedBy: string | null = null): IsStopped {
  return stoppedBy(balanceRule(facts, servedBy));
}

export function stoppedBy(balance: Balance): IsStopped {
  return (itemErpId, sizeErpId) => balance(itemErpId, sizeErpId) < LEAST_BALANCE;
}

function buildKey(itemErpId: string, sizeErpId: string): string {
  return `${itemErpId}/${sizeErpId}`;
}
