import { LEAST_BALANCE } from '../../../mirror/rules/values.ts';
import type { Balance } from './stops.ts';

/**
 * Item and size of a modifier that has a price now, and the most units that may be taken of it;
 * null without a limit.
 */
type Choice = readonly [itemErpId: string, sizeErpId: string, most: number | null];

/** Units that guests must take with a dish, at least `min` of these choices together. */
export type RequiredGroup = { min: number; choices: readonly Choice[] };

/** A modifier of a group with its own limits; null where it has none. */
type Limited = { itemErpId: string; sizeErpId: string; isSellable: boolean; min: number | null; max: number | null };

/**
 * The least that guests must take of a group of modifiers, and of each modifier that has a minimum
 * of its own.
 */
export function requiredGroups(min: number, modifiers: readonly Limited[]): RequiredGroup[] {
  const choicesOf = (some: readonly Limited[]): Choice[] =>
    some.filter((entry) => entry.isSellable).map(({ itemErpId, sizeErpId, max }) => [itemErpId, sizeErpId, max]);
  return [
    { min, choices: choicesOf(modifiers) },
    ...modifiers.map((modifier) => ({ min: modifier.min ?? 0, choices: choicesOf([modifier]) })),
  ].filter((entry) => entry.min > 0);
}

/** True when enough units are left for every group that guests must choose from (rule SNP-50). */
export function canBeFilled(required: readonly RequiredGroup[], balance: Balance): boolean {
  return required.every(({ min, choices }) => {
    const units = choices.map(([item, size, most]) => {
      const left = balance(item, size);
      return left < LEAST_BALANCE ? 0 : Math.min(most ?? Infinity, Math.floor(left));
    });
    return units.reduce((sum, unit) => sum + unit, 0) >= min;
  });
}
