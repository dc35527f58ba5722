import type { Menu } from '../model.ts';
import type { CategoryPlan } from './catalog.ts';
import type { Dice } from './dice.ts';
import type { MenuPlan } from './facts.ts';
import { buildCategory } from './menu.ts';

export const GIFT_DISHES = {
  tart: 'Шоколадный тарт в подарок',
  juice: 'Вишнёвый морс в подарок',
} as const;

const GIFTS: CategoryPlan = {
  key: 'gifts',
  name: 'Подарки',
  dishes: Object.values(GIFT_DISHES),
  scale: 'none',
  price: [0, 0],
  weight: [110, 150],
  composition: ['шоколад', 'вишня', 'сливки', 'миндаль'],
  groups: [[]],
  allergens: [],
};

/** Adds the same gifts to all kitchens, so that a gift is valid in the whole chain. */
export function addGifts(dice: Dice, plan: MenuPlan, menu: Menu): Menu {
  const category = buildCategory(dice, { ...plan, kitchen: 'gifts' }, GIFTS, () => []);
  const { productCategories = [] } = menu.dictionaries as { productCategories?: object[] };
  const named = {
    id: dice.uuid('product-category/gifts/gifts'),
    name: GIFTS.name,
    isDeleted: false,
  };

  return {
    ...menu,
    categories: [...menu.categories, category],
    dictionaries: { ...menu.dictionaries, productCategories: [...productCategories, named] },
  };
}

/** Returns the ids of gifts, even if an operator renamed the dishes. */
export const listGiftIds = (menu: Menu): ReadonlySet<string> =>
  new Set(
    menu.categories
      .filter(({ name }) => name === GIFTS.name)
      .flatMap(({ placements }) => placements.flatMap(({ dish }) => dish?.id ?? [])),
  );
