import type {
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
import type { Context } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';

const FORMAT = 2;

type View = {
  readonly menu: Menu;
  readonly organizationIds: readonly string[];
  readonly allergens: readonly Named[];
};

type Named = { readonly id: string; readonly name: string; readonly code: string };

function priceRows({ menu, organizationIds }: View, prices: Prices): Wire[] {
  return organizationIds
    .filter((id) => menu.organizationIds.includes(id) && prices.has(id))
    .map((organizationId) => ({ organizationId, price: prices.get(organizationId) ?? null }));
}

/** Renames default amounts, nutrition and weight to the older format. */
function older(wire: Wire): Wire {
  const { restrictions, nutritions, weight, ...rest } = wire;
  return {
    ...rest,
    ...('weight' in wire ? { portionWeightGrams: weight } : {}),
    ...('nutritions' in wire ? { nutritionPerHundredGrams: nutritions } : {}),
    ...('restrictions' in wire ? { restrictions: olderRestrictions(restrictions) } : {}),
  };
}

function olderRestrictions(restrictions: unknown): Wire | null {
  if (restrictions === null || restrictions === undefined) return null;
  const { defaultQuantity, ...limits } = restrictions as Wire;
  return { ...limits, byDefault: defaultQuantity };
}

function tagged(view: View, { labels, allergenGroupIds, ...rest }: Wire): Wire {
  const ids = (allergenGroupIds ?? []) as readonly string[];
  return {
    ...rest,
    labels: ((labels ?? []) as readonly string[]).map((code) => ({ code, name: code })),
    allergens: view.allergens.filter(({ id }) => ids.includes(id)),
  };
}

/** Formats a modifier with the overrides of its placement. */
function modifierWire(view: View, { modifier, isHidden, wire }: Link): Wire {
  const { id, sku, name, prices }: Modifier = modifier;
  const own = Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null));

  return tagged(view, {
    itemId: id,
    sku,
    name,
    isHidden: isHidden ?? modifier.isHidden,
    ...older({ ...modifier.wire, ...own }),
    prices: priceRows(view, prices),
  });
}

function groupWire(view: View, { id, name, sku, isHidden, wire, links }: Group): Wire {
  const present = links.filter(({ modifier }) => !view.menu.absent.has(modifier.id));
  const items = present.map((link) => modifierWire(view, link));
  return { itemGroupId: id, name, sku, isHidden, ...older(wire), items };
}

function sizeWire(
  view: View,
  dish: Dish,
  { sizeId, name, sku, isDefault, isHidden, prices, wire }: DishSize,
): Wire {
  return {
    sizeId,
    sizeName: name,
    sku,
    isDefault,
    isHidden,
    ...older(wire),
    prices: priceRows(view, prices),
    itemModifierGroups: dish.groups.map((group) => groupWire(view, group)),
  };
}

function itemWire(view: View, dish: Dish, { isHidden, wire }: Placement): Wire {
  return tagged(view, {
    itemId: dish.id,
    sku: dish.sku,
    name: dish.name,
    description: dish.description,
    isHidden,
    ...wire,
    ...dish.product,
    ...dish.item,
    itemSizes: dish.sizes.map((size) => sizeWire(view, dish, size)),
  });
}

/**
 * Returns a menu in version 2, for comparison with v3: `itemCategories`, modifiers repeated in
 * every size, one price row per organization, no combos.
 */
export function olderMenuById({ state, account }: Context, body: Body): Answer {
  const menu =
    typeof body.externalMenuId === 'string'
      ? state.dataset.menus.get(body.externalMenuId)
      : undefined;
  if (!menu || !account.menuIds.includes(menu.id))
    return failure(400, 'External menu is not found.');

  const organizationIds = stringList(body.organizationIds) ?? [];
  if (organizationIds.length === 0) return failure(400, 'At least one organization is required.');
  const allergens = (menu.dictionaries['allergenGroups'] ?? []) as readonly Named[];
  const view: View = { menu, organizationIds, allergens };
  const categories = menu.categories.map(({ id, name, isHidden, wire, placements }) => ({
    id,
    name,
    isHidden,
    ...wire,
    items: placements.flatMap((placement) =>
      placement.dish === null || menu.absent.has(placement.dish.id)
        ? []
        : [itemWire(view, placement.dish, placement)],
    ),
  }));

  return ok({
    id: Number(menu.id),
    name: menu.name,
    description: null,
    formatVersion: FORMAT,
    revision: menu.revision,
    productCategories: menu.dictionaries['productCategories'],
    comboCategories: [],
    itemCategories: categories,
  });
}
