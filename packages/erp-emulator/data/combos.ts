import type { Category, Dish, Menu, Wire } from '../model.ts';
import { listDishes } from '../model.ts';
import type { Dice } from './dice.ts';

const COMBOS = ['Комбо «На двоих»', 'Комбо «Обед»', 'Комбо «Вечеринка»'] as const;
const COMPONENTS = ['Основное', 'К нему'] as const;
const PER_COMPONENT = 3;

function component(
  dice: Dice,
  key: string,
  name: string,
  dishes: readonly Dish[],
  comboSizeId: string,
): Wire {
  const products = dice.some(key, dishes, PER_COMPONENT).map(({ id, sizes }) => ({
    productId: id,
    sizePrices: sizes
      .slice(0, 1)
      .map(({ sizeId }) => ({ comboSizeId, productSizeId: sizeId, price: 199 })),
    forbiddenModifiers: [],
    priceModificationAmount: null,
  }));

  return {
    id: dice.uuid(key),
    name,
    isMainGroup: name === COMPONENTS[0],
    skipStep: false,
    products,
  };
}

/** Adds combos, which are items without a product, as in the v3 menu. */
export function addCombos(dice: Dice, menu: Menu): Menu {
  const dishes = listDishes(menu);
  const combos = COMBOS.map((name, index) => {
    const key = `${menu.id}/combo/${index}`;
    const sizeId = dice.uuid(`${key}/size`);
    const componentGroups = COMPONENTS.map((part) =>
      component(dice, `${key}/${part}`, part, dishes, sizeId),
    );
    const dictionary = {
      id: dice.uuid(key),
      sku: `C-${index + 1}`,
      priceStrategy: 'BY_COMPONENT',
      componentGroups,
    };

    return { key, name, sizeId, dictionary: { ...dictionary, labels: [], tags: [] } };
  });

  const category: Category = {
    id: dice.uuid(`category/${menu.id}/combo`),
    name: 'Комбо',
    isHidden: false,
    wire: {
      description: null,
      labels: [],
      tags: [],
      image: null,
      buttonImageUrl: null,
      scheduleId: null,
    },
    placements: combos.map(({ key, name, sizeId, dictionary }) => ({
      key,
      dish: null,
      isHidden: false,
      picture: null,
      wire: {
        itemType: 'COMBO',
        productId: null,
        comboId: dictionary.id,
        name,
        description: null,
        labels: [],
        tags: [],
        sizes: [{ sizeId, name: '', shortName: null, isHidden: false, image: null }],
      },
    })),
  };

  return {
    ...menu,
    categories: [...menu.categories, category],
    dictionaries: { ...menu.dictionaries, combos: combos.map(({ dictionary }) => dictionary) },
  };
}
