import { createHash } from 'node:crypto';
import { image } from '../data/menu.ts';
import type {
  Category,
  Dish,
  DishSize,
  Group,
  Link,
  Menu,
  Modifier,
  Placement,
  Prices,
  Wire,
} from '../model.ts';
import { listDishes } from '../model.ts';

export type MenuRequest = {
  readonly organizationIds: readonly string[];
  /** True for the plain v3 format: one price per size, and no revision. */
  readonly strict: boolean;
  readonly priceFactor: number;
};

/** An unknown organization that is added to price rows on request. */
const STRANGER_ORGANIZATION = '0badcafe-0000-4000-8000-00000000dead';

const FORMAT = 3;

type View = MenuRequest & { readonly menu: Menu; readonly stranger: boolean };

function scalePrice(price: number | null, factor: number): number | null {
  return price === null || factor === 1 ? price : Math.round(price * factor);
}

/** Groups organizations by price. If only one is requested, also returns the scalar price. */
function priceFields(view: View, prices: Prices): Wire {
  const bound = view.organizationIds.filter(
    (id) => view.menu.organizationIds.includes(id) && prices.has(id),
  );
  const [only] = bound;
  const scalar = only === undefined ? null : scalePrice(prices.get(only) ?? null, view.priceFactor);
  if (view.strict) return { price: scalar };
  const rows = new Map<number | null, string[]>();

  for (const id of bound) {
    const price = scalePrice(prices.get(id) ?? null, view.priceFactor);
    rows.set(price, [...(rows.get(price) ?? []), id]);
  }

  if (view.stranger) rows.values().next().value?.push(STRANGER_ORGANIZATION);
  const list = [...rows].map(([price, organizations]) => ({
    organizations,
    price,
    taxCategoryId: null,
  }));

  return view.organizationIds.length === 1 ? { price: scalar, prices: list } : { prices: list };
}

function sizeKey(placement: Placement, size: DishSize): string {
  return createHash('sha1').update(`${placement.key}/${size.sku}`).digest('hex').slice(0, 24);
}

function sizeWire(view: View, placement: Placement, size: DishSize): Wire {
  return {
    menuItemSizeId: sizeKey(placement, size),
    sizeId: size.sizeId,
    sizeName: size.name,
    sku: size.sku,
    isDefault: size.isDefault,
    isHidden: size.isHidden,
    ...priceFields(view, size.prices),
    ...size.wire,
    image: placement.picture === null ? null : image(placement.picture),
  };
}

function linkWire({ modifier, isHidden, wire }: Link): Wire {
  return { id: modifier.id, isHidden, ...wire };
}

function groupWire({ menu }: View, { id, name, sku, isHidden, wire, links }: Group): Wire {
  const present = links.filter(({ modifier }) => !menu.absent.has(modifier.id));
  return { id, name, sku, isHidden, ...wire, items: present.map(linkWire) };
}

function placementWire(view: View, placement: Placement, sortOrder: number): Wire {
  const { dish, key, isHidden, wire } = placement;
  if (!dish) return { menuItemId: key, isHidden, sortOrder, ...wire };

  return {
    menuItemId: key,
    productId: dish.id,
    comboId: null,
    name: dish.name,
    description: dish.description,
    isHidden,
    sortOrder,
    ...wire,
    ...dish.item,
    sizePrices: dish.sizes.map((size) => sizeWire(view, placement, size)),
    modifierGroups: dish.groups.map((group) => groupWire(view, group)),
  };
}

function categoryWire(view: View, { id, name, isHidden, wire, placements }: Category): Wire {
  const present = placements.filter(({ dish }) => dish === null || !view.menu.absent.has(dish.id));
  const items = present.map((placement, index) => placementWire(view, placement, index));
  return { id, name, isHidden, ...wire, items };
}

function modifierWire(view: View, { id, sku, name, isHidden, wire, prices }: Modifier): Wire {
  const sizePrices = [{ sizeId: null, ...priceFields(view, prices), taxCategoryId: null }];
  return { id, sku, name, isHidden, ...wire, sizePrices };
}

function productWire({ id, sku, product }: Dish): Wire {
  return { id, sku, ...product };
}

export function menuAnswer(
  menu: Menu,
  request: MenuRequest,
  revision: number,
  stranger: boolean,
): Wire {
  const view: View = { ...request, menu, stranger };
  const products = listDishes(menu).filter(({ id }) => !menu.absent.has(id));
  const modifiers = menu.modifiers.filter(({ id }) => !menu.absent.has(id));

  return {
    ...heading(menu),
    ...(request.strict ? {} : { formatVersion: FORMAT, revision }),
    ...menu.dictionaries,
    ...menu.extra,
    products: products.map(productWire),
    modifiers: modifiers.map((modifier) => modifierWire(view, modifier)),
    itemsGroups: menu.categories.map((category) => categoryWire(view, category)),
  };
}

/** Returns the answer for an unchanged revision: its number and empty lists. */
export function emptyAnswer(menu: Menu, revision: number): Wire {
  const lists = { products: [], combos: [], modifiers: [], productCategories: [], itemsGroups: [] };
  return { ...heading(menu), formatVersion: FORMAT, revision, ...lists };
}

function heading({ id, name }: Menu): Wire {
  return { id, name, description: null, image: null, buttonImageUrl: null };
}
