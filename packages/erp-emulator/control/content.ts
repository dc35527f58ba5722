import { createDice } from '../data/dice.ts';
import { listGiftIds } from '../data/gifts.ts';
import type { Category, Dish, DishSize, Menu, Modifier, Organization, Dataset } from '../model.ts';
import { listDishes } from '../model.ts';
import { ControlError } from './fields.ts';
import type { Fields } from './fields.ts';
import { toBodies } from '../wire.ts';

export function requireMenu(dataset: Dataset, id: string): Menu {
  const menu = dataset.menus.get(id);
  if (!menu) throw new ControlError(`menuId: no menu ${id}`);
  return menu;
}

export function requireOrganization(dataset: Dataset, id: string): Organization {
  const organization = dataset.organizations.find((entry) => entry.id === id);
  if (!organization) throw new ControlError(`organizationId: no organization ${id}`);
  return organization;
}

type Item = Dish | Modifier;

function listItems(menu: Menu): Item[] {
  return [...listDishes(menu), ...menu.modifiers];
}

/** Increments the revision unless the caller sent `bump: false`. */
function changed(menu: Menu, fields: Fields): object {
  menu.version += 1;
  if (fields.flag('bump', true)) menu.revision += 1;
  return { menuId: menu.id, revision: menu.revision };
}

export function bumpRevision(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  menu.revision += 1;
  return { menuId: menu.id, revision: menu.revision };
}

/** Removes dishes and modifiers: named ones, or a random but repeatable `percent`. */
export function vanish(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  const named = fields.optionalTexts('itemIds');
  const itemIds = named ?? choose(dataset, menu, fields.number('percent'));
  const known = new Set(listItems(menu).map(({ id }) => id));
  const stranger = itemIds.find((id) => !known.has(id));
  if (stranger !== undefined) throw new ControlError(`itemIds: ${stranger} is not in the menu`);
  for (const id of itemIds) menu.absent.add(id);

  return { itemIds, ...changed(menu, fields) };
}

function choose(dataset: Dataset, menu: Menu, percent: number): string[] {
  const dice = createDice(dataset.seed);
  const share = (items: readonly Item[]): string[] => {
    const present = items.map(({ id }) => id).filter((id) => !menu.absent.has(id));
    return dice.some(`vanish/${menu.id}`, present, Math.round((present.length * percent) / 100));
  };

  return [...share(listDishes(menu)), ...share(menu.modifiers)];
}

/** Restores vanished items, with their id or a new id and the same sku. */
export function returnItems(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  const sameId = fields.flag('sameId', true);
  const named = fields.optionalTexts('itemIds');
  const back = listItems(menu).filter(
    ({ id }) => menu.absent.has(id) && (named === undefined || named.includes(id)),
  );
  const dice = createDice(dataset.seed);
  const returned = back.map((item) => {
    const itemId = item.id;
    menu.absent.delete(itemId);
    if (!sameId) item.id = dice.uuid(`returned/${itemId}`);
    return { itemId, newItemId: item.id };
  });

  return { returned, ...changed(menu, fields) };
}

export function rename(dataset: Dataset, fields: Fields): object {
  const itemId = fields.text('itemId');
  const name = fields.text('name');
  const menus = [...dataset.menus.values()].flatMap((menu) => {
    const items = listItems(menu).filter(({ id }) => id === itemId);
    for (const item of items) item.name = name;
    return items.length > 0 ? [changed(menu, fields)] : [];
  });
  if (menus.length === 0) throw new ControlError(`itemId: ${itemId} is in no menu`);

  return { menus };
}

type Priced = Pick<DishSize, 'prices'>;

function listPriced(
  menu: Menu,
  itemIds: readonly string[] | undefined,
  sizeId: string | null | undefined,
): Priced[] {
  const wanted = listItems(menu).filter(({ id }) => itemIds === undefined || itemIds.includes(id));
  if (wanted.length === 0) throw new ControlError('itemId: not in the menu');

  return wanted.flatMap((item): Priced[] => {
    if (!('sizes' in item)) return [item];
    return item.sizes.filter((size) => sizeId === undefined || size.sizeId === sizeId);
  });
}

function setPrices(
  priced: readonly Priced[],
  organizationId: string | undefined,
  next: (price: number | null) => number | null,
): number {
  let count = 0;

  for (const { prices } of priced) {
    for (const [id, price] of prices) {
      if (organizationId !== undefined && id !== organizationId) continue;
      prices.set(id, next(price));
      count += 1;
    }
  }

  return count;
}

/**
 * Sets a price (which may be null), or changes prices by a percentage, rounded to kopecks. Item,
 * size (null for the dish without sizes) and organization limit the change.
 */
export function reprice(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  const itemId = fields.optionalText('itemId');
  const sizeId = fields.isNull('sizeId') ? null : fields.optionalText('sizeId');
  const fixed = fields.isNull('price') ? null : fields.optionalNumber('price');
  const percent = fixed === undefined ? fields.number('percent') : 0;
  // Gifts stay free unless the request names one.
  const gifts = listGiftIds(menu);
  const sold = listItems(menu).flatMap(({ id }) => (gifts.has(id) ? [] : [id]));
  const priced = listPriced(menu, itemId === undefined ? sold : [itemId], sizeId);
  const next = (price: number | null): number | null => {
    if (fixed !== undefined) return fixed;
    return price === null ? null : Math.round(price * (100 + percent)) / 100;
  };

  const prices = setPrices(priced, fields.optionalText('organizationId'), next);

  return { prices, ...changed(menu, fields) };
}

/** Sets prices to null, as if there were no base price list. */
export function nullPrices(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  const priced = listPriced(menu, fields.optionalTexts('itemIds'), undefined);
  const prices = setPrices(priced, undefined, () => null);
  return { prices, ...changed(menu, fields) };
}

/** Recreates a category (by default the first) with a new id and the same name and dishes. */
export function recreateCategory(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  const category = findCategory(menu, fields);
  const categoryId = category.id;
  category.id = createDice(dataset.seed).uuid(`recreated/${categoryId}`);
  return { categoryId, newCategoryId: category.id, ...changed(menu, fields) };
}

/** Sets the schedule of a category to `periods` (from, to, weekDays), or removes it. */
export function scheduleCategory(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  const category = findCategory(menu, fields);
  const periods = fields.has('periods')
    ? fields.objects('periods').map((period) => ({
        from: period.text('from'),
        to: period.text('to'),
        weekDays: period.optionalTexts('weekDays') ?? null,
      }))
    : [];

  const scheduleId =
    periods.length === 0 ? null : createDice(dataset.seed).uuid(`schedule/${category.id}`);
  const others = toBodies(menu.dictionaries['schedules']).filter(
    ({ id }) => id !== category.wire['scheduleId'],
  );
  const own = scheduleId === null ? [] : [{ id: scheduleId, name: category.name, periods }];
  menu.dictionaries = { ...menu.dictionaries, schedules: [...others, ...own] };
  category.wire = { ...category.wire, scheduleId };

  return { categoryId: category.id, scheduleId, ...changed(menu, fields) };
}

/** Returns the named category, by default the first. */
function findCategory(menu: Menu, fields: Fields): Category {
  const wanted = fields.optionalText('categoryId') ?? menu.categories[0]?.id;
  const category = menu.categories.find(({ id }) => id === wanted);
  if (!category) throw new ControlError(`categoryId: no category ${wanted}`);
  return category;
}

/** Sets the organizations that have prices in a menu. All twelve require two batches. */
export function bindMenu(dataset: Dataset, fields: Fields): object {
  const menu = requireMenu(dataset, fields.text('menuId'));
  menu.organizationIds =
    fields.optionalTexts('organizationIds') ?? dataset.organizations.map(({ id }) => id);
  return { organizationIds: menu.organizationIds, ...changed(menu, fields) };
}
