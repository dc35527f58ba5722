import type { Organization, Prices, Wire } from '../model.ts';
import type { CategoryPlan } from './catalog.ts';
import type { Dice } from './dice.ts';

export type MenuPlan = {
  readonly id: string;
  readonly name: string;
  /** Menus of one kitchen share ids of dishes and modifiers. */
  readonly kitchen: string;
  readonly categories: readonly CategoryPlan[];
  readonly organizations: readonly Organization[];
  readonly boundTo: readonly Organization[];
  readonly priceFactor: number;
  readonly revision: number;
};

/** Rounds like restaurants do: to rubles below 100, otherwise to numbers that end in 9. */
export const round = (value: number): number =>
  value < 100 ? Math.round(value) : Math.round(value / 10) * 10 - 1;

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Returns prices by organization. A base of zero or with kopecks is the same everywhere. */
export function pricesFor(
  dice: Dice,
  key: string,
  base: number,
  organizations: readonly Organization[],
): Prices {
  const whole = Number.isInteger(base);
  return new Map(
    organizations.map(({ id, number, priceLevel }) => {
      const local = dice.unit(`${key}/local/${number}`) < 0.03 ? 10 : 0;
      return [id, base === 0 || !whole ? base : round(base * priceLevel) + local];
    }),
  );
}

/** Returns plausible nutrition per 100 g or 100 ml with matching energy. */
export function nutrition(dice: Dice, key: string, liquid: boolean): Wire {
  const [fats, proteins, carbs] = liquid
    ? [
        dice.int(`${key}/f`, 0, 30) / 10,
        dice.int(`${key}/p`, 0, 25) / 10,
        dice.int(`${key}/c`, 5, 140) / 10,
      ]
    : [
        dice.int(`${key}/f`, 20, 180) / 10,
        dice.int(`${key}/p`, 30, 210) / 10,
        dice.int(`${key}/c`, 40, 380) / 10,
      ];

  const energy = Math.round(fats * 9 + proteins * 4 + carbs * 4);

  return {
    fats,
    proteins,
    carbs,
    energy,
    saturatedFattyAcid: tenth(fats * 0.4),
    salt: null,
    sugar: tenth(carbs * 0.2),
  };
}
