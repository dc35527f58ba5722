import type {
  Category,
  Dish,
  DishSize,
  Group,
  Link,
  Menu,
  Organization,
  Placement,
  Wire,
} from '../model.ts';
import { listDishes } from '../model.ts';
import type { Dice } from './dice.ts';

type Context = {
  readonly dice: Dice;
  readonly menu: Menu;
  readonly organizations: readonly Organization[];
};

type Need = 'any' | 'sized' | 'modifiers';

type Shape = {
  readonly name: string;
  readonly need: Need;
  readonly apply: (dish: Dish, context: Context) => void;
};

const LAST = -1;

function replaceGroup(dish: Dish, at: number, change: (group: Group) => Group): void {
  const group = dish.groups.at(at);
  if (group) dish.groups = dish.groups.with(at, change(group));
}

function replaceLink(dish: Dish, at: number, change: (link: Link) => Link): void {
  replaceGroup(dish, at, (group) => {
    const link = group.links.at(LAST);
    return link ? { ...group, links: group.links.with(LAST, change(link)) } : group;
  });
}

function setPrices(
  sizes: readonly DishSize[],
  organizationIds: readonly string[],
  price: number | null,
): void {
  for (const size of sizes) for (const id of organizationIds) size.prices.set(id, price);
}

function findPlacement(
  menu: Menu,
  dish: Dish,
): { category: Category; placement: Placement } | undefined {
  for (const category of menu.categories) {
    const placement = category.placements.find((entry) => entry.dish === dish);
    if (placement) return { category, placement };
  }

  return undefined;
}

function addWire(target: Wire, extra: Wire): Wire {
  return { ...target, ...extra };
}

/** Oddities of live menus, with the dishes that can have them. */
const SHAPES: readonly Shape[] = [
  {
    name: 'no sizes',
    need: 'any',
    apply: (dish) => {
      dish.sizes = [];
    },
  },
  {
    name: 'hidden item',
    need: 'any',
    apply: (dish, { menu }) => {
      const found = findPlacement(menu, dish);
      if (found) found.placement.isHidden = true;
    },
  },
  {
    name: 'hidden size',
    need: 'sized',
    apply: (dish) => {
      const size = dish.sizes.at(LAST);
      if (size) size.isHidden = true;
    },
  },
  {
    name: 'hidden group',
    need: 'modifiers',
    apply: (dish) => replaceGroup(dish, LAST, (group) => ({ ...group, isHidden: true })),
  },
  {
    name: 'hidden link',
    need: 'modifiers',
    apply: (dish) => replaceLink(dish, 0, (link) => ({ ...link, isHidden: true })),
  },
  {
    name: 'no default size',
    need: 'sized',
    apply: (dish) => {
      for (const size of dish.sizes) size.isDefault = false;
    },
  },
  {
    name: 'same product in a second category with another picture',
    need: 'any',
    apply: (dish, { menu }) => {
      const own = findPlacement(menu, dish)?.category;
      const other = menu.categories.find((category) => category !== own && !category.isHidden);
      const key = `${menu.id}/again/${dish.sku}`;
      other?.placements.push({
        key,
        dish,
        isHidden: false,
        picture: key,
        wire: { itemType: 'PRODUCT' },
      });
    },
  },
  {
    name: 'null price everywhere',
    need: 'any',
    apply: (dish, { organizations }) =>
      setPrices(
        dish.sizes,
        organizations.map(({ id }) => id),
        null,
      ),
  },
  {
    name: 'null price in some organizations',
    need: 'any',
    apply: (dish, { organizations }) =>
      setPrices(
        dish.sizes,
        organizations.filter(({ number }) => number % 2 === 0).map(({ id }) => id),
        null,
      ),
  },
  {
    name: 'zero price',
    need: 'any',
    apply: (dish, { organizations }) =>
      setPrices(
        dish.sizes.slice(0, 1),
        organizations.map(({ id }) => id),
        0,
      ),
  },
  {
    name: 'not listed in one organization',
    need: 'any',
    apply: (dish, { organizations }) => {
      const id = organizations[0]?.id;
      for (const size of dish.sizes) if (id !== undefined) size.prices.delete(id);
    },
  },
  {
    name: 'price with kopecks',
    need: 'any',
    apply: (dish, { organizations }) =>
      setPrices(
        dish.sizes.slice(0, 1),
        organizations.map(({ id }) => id),
        249.95,
      ),
  },
  {
    name: 'unknown enum values',
    need: 'any',
    apply: (dish) => {
      dish.product = addWire(dish.product, { type: 'SEASONAL', orderItemType: 'product' });
      for (const size of dish.sizes) size.wire = addWire(size.wire, { measureUnitType: 'PIECE' });
    },
  },
  {
    name: 'undeclared fields',
    need: 'any',
    apply: (dish) => {
      dish.product = addWire(dish.product, { ecoLabel: { grade: 'A' } });
      dish.item = addWire(dish.item, { promoWeight: 7 });
      for (const size of dish.sizes) size.wire = addWire(size.wire, { overridePrice: null });
    },
  },
  {
    name: 'padded name with emoji',
    need: 'any',
    apply: (dish) => {
      dish.name = `  ${dish.name} 🔥 `;
    },
  },
  {
    name: 'description of several lines',
    need: 'any',
    apply: (dish) => {
      const text = dish.description ?? '';
      dish.description =
        `${text}\r\n\r\nСостав может меняться:\n— летом добавляем свежие травы;\n— зимой подаём горячим.\n`.repeat(
          4,
        );
    },
  },
  {
    name: 'no description',
    need: 'any',
    apply: (dish) => {
      dish.description = null;
    },
  },
  {
    name: 'decimals with many digits',
    need: 'any',
    apply: (dish) => {
      const nutritions = {
        fats: Math.fround(11.2),
        proteins: Math.fround(12.3),
        carbs: 0.1 + 0.2,
        energy: 236.00000000000003,
      };

      for (const size of dish.sizes)
        size.wire = addWire(size.wire, { weight: Math.fround(310.4), nutritions });
    },
  },
  {
    name: 'weight and nutrition unknown',
    need: 'any',
    apply: (dish) => {
      for (const size of dish.sizes)
        size.wire = addWire(size.wire, { weight: null, measureUnitType: null, nutritions: null });
    },
  },
  {
    name: 'group without modifiers',
    need: 'modifiers',
    apply: (dish) => {
      const empty: Group = {
        id: null,
        name: 'Подарок',
        sku: 'G-empty',
        isHidden: false,
        links: [],
        wire: { restrictions: null },
      };

      dish.groups = [...dish.groups, empty];
    },
  },
  {
    name: 'group id with another composition',
    need: 'modifiers',
    apply: (dish) =>
      replaceGroup(dish, 0, (group) => ({ ...group, links: group.links.slice(0, LAST) })),
  },
  {
    name: 'group without id, same name, own composition',
    need: 'modifiers',
    apply: (dish) =>
      replaceGroup(dish, LAST, (group) => ({ ...group, id: null, links: group.links.slice(1) })),
  },
  {
    name: 'two groups without id and with one name',
    need: 'modifiers',
    apply: (dish) => {
      const group = dish.groups.at(LAST);
      if (group)
        dish.groups = [
          ...dish.groups,
          { ...group, id: null },
          { ...group, id: null, links: group.links.slice(0, 2) },
        ];
    },
  },
  {
    name: 'link overrides the dictionary',
    need: 'modifiers',
    apply: (dish) =>
      replaceLink(dish, LAST, (link) => {
        const restrictions = {
          minQuantity: 0,
          maxQuantity: 2,
          freeQuantity: 1,
          defaultQuantity: 0,
        };

        return {
          ...link,
          wire: addWire(link.wire, {
            name: `${link.modifier.name} (двойная)`,
            weight: 77,
            restrictions,
          }),
        };
      }),
  },
  {
    name: 'link with default 1 and maximum 0',
    need: 'modifiers',
    apply: (dish) =>
      replaceLink(dish, 0, (link) => {
        const restrictions = {
          minQuantity: 0,
          maxQuantity: 0,
          freeQuantity: 0,
          defaultQuantity: 1,
        };

        return { ...link, wire: addWire(link.wire, { restrictions }) };
      }),
  },
  {
    name: 'modifier scheme',
    need: 'modifiers',
    apply: (dish, { dice }) => {
      const scheme = {
        orderItemType: 'Compound',
        modifierSchemaId: dice.uuid('scheme/half'),
        modifierSchemaName: 'Половинки',
      };

      dish.product = addWire(dish.product, { ...scheme, splittable: true });
    },
  },
];

const SUITS: Readonly<Record<Need, (dish: Dish) => boolean>> = {
  any: (dish) => dish.sizes.length > 0,
  sized: (dish) => dish.sizes.length > 1,
  modifiers: (dish) => dish.groups.length > 0 && dish.sizes.length > 0,
};

/**
 * Applies each oddity to `times` dishes, least changed first. Also adds hidden modifiers and one
 * without a price.
 */
export function addShapes(
  dice: Dice,
  menu: Menu,
  organizations: readonly Organization[],
  times: number,
): Menu {
  const touched = new Map<Dish, number>(listDishes(menu).map((dish) => [dish, 0]));

  for (const shape of SHAPES) {
    const fitting = [...touched].filter(([dish]) => SUITS[shape.need](dish));
    const ranked = fitting.map(([dish, count]) => ({
      dish,
      rank: count + dice.unit(`shape/${shape.name}/${dish.sku}`),
    }));

    const order = ranked.toSorted((a, b) => a.rank - b.rank).map(({ dish }) => dish);

    for (const dish of order.slice(0, times)) {
      shape.apply(dish, { dice, menu, organizations });
      touched.set(dish, (touched.get(dish) ?? 0) + 1);
    }
  }

  const [hidden, priceless] = dice.some(`${menu.id}/odd-modifiers`, menu.modifiers, 2);
  if (hidden) hidden.isHidden = true;
  for (const { id } of organizations) priceless?.prices.set(id, null);

  return menu;
}
