import { LEAST_BALANCE } from '../../../mirror/rules/values.ts';
import type { Balance } from './stops.ts';

/** `most`: limit of units. */
type Choice = readonly [itemErpId: string, sizeErpId: string, most: number | null];

export type RequiredGroup = { min: number; choices: readonly Choice[] };

type Limited = {
  itemErpId: string;
  sizeErpId: string;
  isSellable: boolean;
  min: number | null;
  max: number | null;
};

/** Returns the minimum of a group, and of each modifier that has one. */
export function requiredGroups(min: number, modifiers: readonly Limited[]): RequiredGroup[] {
  const listChoices = (some: readonly Limited[]): Choice[] =>
    some
      .filter((entry) => entry.isSellable)
      .map(({ itemErpId, sizeErpId, max }) => [itemErpId, sizeErpId, max]);

  return [
    { min, choices: listChoices(modifiers) },
    ...modifiers.map((modifier) => ({ min: modifier.min ?? 0, choices: listChoices([modifier]) })),
  ].filter((entry) => entry.min > 0);
}

/** Returns true if enough units are left (SNP-50). */
export function canBeFilled(required: readonly RequiredGroup[], balance: Balance): boolean {
  return required.every(({ min, choices }) => {
    const units = choices.map(([item, size, most]) => {
      const stock = balance(item, size);
      return stock < LEAST_BALANCE ? 0 : Math.min(most ?? Infinity, Math.floor(stock));
    });

    return units.reduce((sum, unit) => sum + unit, 0) >= min;
  });
}
