import type { Category, Dish, DishSize, Group, Menu, Modifier, Prices, Dataset } from '../model.ts';
import { ControlError } from './fields.ts';
import type { Fields } from './fields.ts';

const FIRST_REVISION = 1;

/**
 * Replaces a menu, or adds one for the first key. Increments its revision unless the caller sent
 * `bump: false`. `modifiers`: id, name, sku, prices. `dishes`: also `sizes` (sizeId, sku, prices)
 * and `groups` (id, name, modifierIds). `categories`: id, name, dishIds. `prices`: rubles by
 * organization id, null for not for sale.
 */
export function putMenu(dataset: Dataset, fields: Fields): object {
  const menuId = fields.text('menuId');
  const before = dataset.menus.get(menuId);
  const modifiers = new Map(
    fields.objects('modifiers').map((entry) => [entry.text('id'), readModifier(entry)]),
  );
  const dishes = new Map(
    fields
      .objects('dishes')
      .map((entry) => [
        entry.text('id'),
        readDish(entry, (id) => named(modifiers, 'modifierIds', id)),
      ]),
  );

  const menu: Menu = {
    id: menuId,
    name: fields.optionalText('name') ?? before?.name ?? menuId,
    organizationIds:
      fields.optionalTexts('organizationIds') ?? dataset.organizations.map(({ id }) => id),
    revision:
      before === undefined ? FIRST_REVISION : before.revision + (fields.flag('bump', true) ? 1 : 0),
    version: (before?.version ?? 0) + 1,
    categories: fields.objects('categories').map((entry) => readCategory(menuId, entry, dishes)),
    modifiers: [...modifiers.values()],
    absent: new Set(),
    dictionaries: {
      productCategories: [],
      taxCategories: [],
      allergenGroups: [],
      customerTagGroups: [],
      schedules: [],
    },
    extra: {},
  };

  dataset.menus.set(menuId, menu);
  if (before === undefined) listMenu(dataset, fields);

  return { menuId, revision: menu.revision };
}

/** Lists a menu for the first key, or hides it with `on: false`. */
export function listMenu(dataset: Dataset, fields: Fields): object {
  const menuId = fields.text('menuId');
  if (!dataset.menus.has(menuId)) throw new ControlError(`menuId: no menu ${menuId}`);
  const [account] = dataset.accounts;
  if (account === undefined) throw new ControlError('there is no key');
  const others = account.menuIds.filter((id) => id !== menuId);
  account.menuIds = fields.flag('on', true) ? [...others, menuId] : others;

  return { menuIds: account.menuIds };
}

function named<T>(known: ReadonlyMap<string, T>, field: string, id: string): T {
  const found = known.get(id);
  if (found === undefined) throw new ControlError(`${field}: ${id} is not stated`);
  return found;
}

function readPrices(fields: Fields): Prices {
  const prices = fields.object('prices');
  return new Map(prices.names().map((id) => [id, prices.isNull(id) ? null : prices.number(id)]));
}

function readModifier(fields: Fields): Modifier {
  return {
    id: fields.text('id'),
    sku: fields.text('sku'),
    name: fields.text('name'),
    isHidden: fields.flag('isHidden', false),
    prices: readPrices(fields),
    wire: {},
  };
}

function readDish(fields: Fields, modifier: (id: string) => Modifier): Dish {
  return {
    id: fields.text('id'),
    sku: fields.text('sku'),
    name: fields.text('name'),
    description: null,
    sizes: fields.objects('sizes').map(readSize),
    groups: fields.objects('groups').map((entry) => readGroup(entry, modifier)),
    product: { type: 'DISH', orderItemType: 'Product', measureUnit: 'порц' },
    item: { labels: [], tags: [], allergenGroupIds: [] },
  };
}

function readSize(fields: Fields, index: number): DishSize {
  const sizeId = fields.optionalText('sizeId') ?? null;
  return {
    sizeId,
    name: sizeId,
    sku: fields.text('sku'),
    isDefault: index === 0,
    isHidden: fields.flag('isHidden', false),
    prices: readPrices(fields),
    wire: { sizeCode: null, weight: 100, measureUnitType: 'GRAM', nutritions: null },
  };
}

function readGroup(fields: Fields, modifier: (id: string) => Modifier): Group {
  const links = (fields.optionalTexts('modifierIds') ?? []).map((id) => ({
    modifier: modifier(id),
    isHidden: null,
    wire: {},
  }));

  const restrictions = { minQuantity: 0, maxQuantity: links.length, freeQuantity: 0, byDefault: 0 };
  const name = fields.text('name');

  return {
    id: fields.optionalText('id') ?? null,
    name,
    sku: name,
    isHidden: false,
    links,
    wire: { restrictions },
  };
}

function readCategory(menuId: string, fields: Fields, dishes: ReadonlyMap<string, Dish>): Category {
  const id = fields.text('id');
  return {
    id,
    name: fields.text('name'),
    isHidden: fields.flag('isHidden', false),
    placements: (fields.optionalTexts('dishIds') ?? []).map((dishId) => ({
      key: `${menuId}/${id}/${dishId}`,
      dish: named(dishes, 'dishIds', dishId),
      isHidden: false,
      picture: null,
      wire: { itemType: 'PRODUCT' },
    })),
    wire: { description: null },
  };
}
