import type { Menu } from '../../../packages/client/src/storefront.ts';
import type { DeliveredHouse } from '../delivered-house.ts';
import type { Dice } from './dice.ts';

export type Shop = {
  organizationId: string;
  menu: Pick<Menu, 'products' | 'modifierGroups'>;
  houses: readonly DeliveredHouse[];
  promocode: string;
};

export type Line = {
  variantId: number;
  quantity: number;
  modifiers: { groupId: string; modifierId: string; quantity: number }[];
};

const SHARE_OF_DELIVERIES = 0.5;
const SHARE_WITH_PROMOCODE = 0.4;

/** Generates a random cart of one to four dishes, for pickup or delivery. */
export function generateWish({ organizationId, menu, houses, promocode }: Shop, dice: Dice) {
  const dishes = menu.products
    .flatMap(({ variants }) => variants)
    .filter(({ available, price }) => available && price > 0);
  const chosen = dice.shuffled(dishes).slice(0, dice.between(1, 4));
  const lines = chosen.map((variant): Line => ({
    variantId: variant.id,
    quantity: dice.between(1, 3),
    modifiers: dice.roll() < 0.5 ? chooseModifiers(menu, variant.modifierGroupIds, dice) : [],
  }));
  return {
    cart: { organizationId, lines, ...(dice.roll() < SHARE_WITH_PROMOCODE ? { promocode } : {}) },
    house: dice.roll() < SHARE_OF_DELIVERIES ? dice.pick(houses).address : null,
  };
}

/** Omitted groups get their defaults. */
function chooseModifiers(
  { modifierGroups }: Shop['menu'],
  groupIds: readonly string[],
  dice: Dice,
): Line['modifiers'] {
  return modifierGroups
    .filter(({ id }) => groupIds.includes(id))
    .flatMap(({ id: groupId, min, max, modifiers }) => {
      const available = modifiers.filter((modifier) => modifier.available && modifier.max !== 0);
      const leastOf = (modifier: (typeof available)[number]): number => modifier.min ?? 0;
      const needed = available.filter((modifier) => leastOf(modifier) > 0);
      const others = available.filter((modifier) => leastOf(modifier) === 0);
      const most = Math.min(max ?? 2, available.length);
      const least = Math.min(min, most);
      return [...needed, ...dice.shuffled(others)]
        .slice(0, dice.between(least, Math.max(least, Math.min(most, 2))))
        .map((modifier) => ({
          groupId,
          modifierId: modifier.id,
          quantity: Math.max(leastOf(modifier), 1),
        }));
    });
}
