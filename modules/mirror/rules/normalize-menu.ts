import { createAnomalies, type Anomalies } from './anomalies.ts';
import type { ItemRow, MenuRows, UnreadRow } from './menu-rows.ts';
import type {
  CategorySource,
  MenuSource,
  ModifierSource,
  PlacementSource,
  ProductSource,
} from './menu-source.ts';
import { hoursReader } from './menu-schedules.ts';
import { groupRows } from './modifier-groups.ts';
import { priceReader, type PriceReader } from './prices.ts';
import { cleanText, nutrition, weightGrams } from './values.ts';

/**
 * Increment this when the same response yields other rows; the next runs then ignore saved
 * revisions.
 */
export const NORMALIZER_VERSION = 5;

export type NormalizeContext = {
  /** Our id by lower-case ERP UUID. */
  organizations: ReadonlyMap<string, number>;
  digest: (text: string) => string;
  unread?: readonly UnreadRow[];
};

/**
 * Converts a menu to rows (MIR-7), in a stable order. Name, texts and modifier groups come from the
 * first placement of a dish; sizes are combined. Skips combos, whose components have separate
 * prices and no product id (MIR-52).
 */
export function normalizeMenu(menu: MenuSource, context: NormalizeContext): MenuRows {
  const anomalies = createAnomalies();
  const rows: MenuRows = {
    revision: menu.revision ?? null,
    productCategories: [],
    menuCategories: [],
    items: [],
    placements: [],
    sizes: [],
    prices: [],
    groups: [],
    links: [],
    unreadItems: [...(context.unread ?? [])],
    anomalies: [],
  };

  const allergens = allergenReader(menu);
  const hoursOf = hoursReader(menu, anomalies);
  const prices = priceReader(context.organizations, anomalies);
  const modifiers = uniqueById(menu.modifiers ?? []);
  const products = uniqueById(menu.products ?? []);

  for (const { id, name, isDeleted } of menu.productCategories ?? [])
    rows.productCategories.push({
      erpId: id,
      name: nameOr(name, id, anomalies),
      isDeleted: isDeleted === true,
    });

  rows.productCategories = firstBy(rows.productCategories, (row) => row.erpId);

  const shownItems = new Map<string, ItemRow>();

  for (const category of mergedCategories(menu.itemsGroups ?? [])) {
    const categoryHidden = category.isHidden === true;
    rows.menuCategories.push({
      erpId: category.id,
      name: nameOr(category.name, category.id, anomalies),
      description: cleanText(category.description),
      isHidden: categoryHidden,
      position: rows.menuCategories.length,
      hours: hoursOf(category),
    });

    for (const { itemErpId, placement, position, isHidden } of listPlacements(
      category,
      anomalies,
    )) {
      rows.placements.push({ categoryErpId: category.id, itemErpId, position, isHidden });
      const hiddenHere = categoryHidden || isHidden;
      const existing = shownItems.get(itemErpId);
      if (existing !== undefined) existing.isHidden &&= hiddenHere;
      else {
        const product = products.get(itemErpId);
        if (product === undefined) anomalies.add('UNKNOWN_PRODUCT', itemErpId);
        const item = dishRow(itemErpId, placement, product, allergens, hiddenHere, anomalies);
        shownItems.set(itemErpId, item);
        rows.items.push(item);
        const dish = groupRows(itemErpId, placement.modifierGroups ?? [], {
          modifiers,
          digest: context.digest,
          anomalies,
        });

        rows.groups.push(...dish.groups);
        rows.links.push(...dish.links);
      }

      addDishSizes(rows, itemErpId, placement, prices);
    }
  }

  rows.sizes = firstBy(rows.sizes, (row) => `${row.itemErpId}/${row.erpSizeId}`);
  rows.prices = firstBy(
    rows.prices,
    (row) => `${row.itemErpId}/${row.organizationId}/${row.erpSizeId}`,
  );

  for (const modifier of modifiers.values())
    addModifier(rows, modifier, allergens, prices, anomalies);
  if (rows.items.length === 0) anomalies.add('EMPTY_MENU', menu.id);
  rows.anomalies = anomalies.list();

  return rows;
}

type Allergens = (ids: readonly string[] | null | undefined) => { code: string; name: string }[];

function allergenReader(menu: MenuSource): Allergens {
  const known = new Map(
    (menu.allergenGroups ?? []).map(({ id, code, name }) => {
      const shown = cleanText(code) ?? id;
      return [id, { code: shown, name: cleanText(name) ?? shown }];
    }),
  );

  return (ids) =>
    [...new Set(ids ?? [])].map((id) => known.get(id)).filter((entry) => entry !== undefined);
}

/** Merges categories with the same id; later ones only add content. */
function mergedCategories(categories: readonly CategorySource[]): CategorySource[] {
  const merged = new Map<string, CategorySource>();

  for (const category of categories) {
    const existing = merged.get(category.id);
    merged.set(
      category.id,
      existing === undefined
        ? category
        : { ...existing, items: [...(existing.items ?? []), ...(category.items ?? [])] },
    );
  }

  return [...merged.values()];
}

type Placement = {
  itemErpId: string;
  placement: PlacementSource;
  position: number;
  isHidden: boolean;
};

function listPlacements(category: CategorySource, anomalies: Anomalies): Placement[] {
  const ordered = (category.items ?? [])
    .map((placement, index) => ({ placement, order: placement.sortOrder ?? index }))
    .toSorted((a, b) => a.order - b.order);
  const placements = new Map<string, Placement>();

  for (const { placement } of ordered) {
    if (placement.itemType === 'COMBO' || placement.productId == null) {
      const code = placement.itemType === 'COMBO' ? 'COMBO_LEFT_OUT' : 'PLACEMENT_WITHOUT_PRODUCT';
      anomalies.add(code, cleanText(placement.name) ?? category.id);
      continue;
    }

    const itemErpId = placement.productId.toLowerCase();
    const isHidden = placement.isHidden === true;
    const existing = placements.get(itemErpId);
    if (existing === undefined)
      placements.set(itemErpId, { itemErpId, placement, position: placements.size, isHidden });
    else existing.isHidden &&= isHidden;
  }

  return [...placements.values()];
}

function dishRow(
  erpId: string,
  placement: PlacementSource,
  product: ProductSource | undefined,
  allergens: Allergens,
  isHidden: boolean,
  anomalies: Anomalies,
): ItemRow {
  const name = nameOr(placement.name, product?.sku ?? erpId, anomalies);
  return {
    erpId,
    role: 'DISH',
    name,
    description: cleanText(placement.description),
    sku: cleanText(product?.sku),
    type: cleanText(product?.type),
    orderItemType: orderItemType(product?.orderItemType, name, anomalies),
    measureUnit: cleanText(product?.measureUnit),
    productCategoryErpId: cleanText(product?.productCategoryId),
    allergens: allergens(placement.allergenGroupIds),
    labels: [...new Set(placement.labels ?? [])],
    isHidden,
  };
}

/** Compared case-insensitively, because the ERP varies the case. */
const ORDER_ITEM_TYPES = ['Product', 'Compound'];

function orderItemType(
  stated: string | null | undefined,
  name: string,
  anomalies: Anomalies,
): string | null {
  const text = cleanText(stated);
  if (text === null) return null;
  const known = ORDER_ITEM_TYPES.find((type) => type.toLowerCase() === text.toLowerCase());
  if (known === undefined) anomalies.add('UNKNOWN_ORDER_ITEM_TYPE', `${name} (${text})`);
  return known ?? text;
}

function addDishSizes(
  rows: MenuRows,
  itemErpId: string,
  placement: PlacementSource,
  prices: PriceReader,
): void {
  for (const size of placement.sizePrices ?? []) {
    const erpSizeId = cleanText(size.sizeId) ?? '';
    rows.sizes.push({
      itemErpId,
      role: 'DISH',
      erpSizeId,
      name: cleanText(size.sizeName),
      code: cleanText(size.sizeCode),
      sku: cleanText(size.sku),
      weightGrams: weightGrams(size),
      nutrition: nutrition(size.nutritions),
      isDefault: size.isDefault === true,
      isHidden: size.isHidden === true,
    });

    for (const price of prices(itemErpId, size))
      rows.prices.push({ itemErpId, role: 'DISH', erpSizeId, ...price });
  }
}

/** MIR-7. */
function addModifier(
  rows: MenuRows,
  modifier: ModifierSource,
  allergens: Allergens,
  prices: PriceReader,
  anomalies: Anomalies,
): void {
  const itemErpId = modifier.id.toLowerCase();
  const sku = cleanText(modifier.sku);
  const isHidden = modifier.isHidden === true;
  rows.items.push({
    erpId: itemErpId,
    role: 'MODIFIER',
    name: nameOr(modifier.name, sku ?? itemErpId, anomalies),
    description: cleanText(modifier.description),
    sku,
    type: null,
    orderItemType: null,
    measureUnit: null,
    productCategoryErpId: cleanText(modifier.productCategoryId),
    allergens: allergens(modifier.allergenGroupIds),
    labels: [...new Set(modifier.labels ?? [])],
    isHidden,
  });

  rows.sizes.push({
    itemErpId,
    role: 'MODIFIER',
    erpSizeId: '',
    name: null,
    code: null,
    sku,
    weightGrams: weightGrams(modifier),
    nutrition: nutrition(modifier.nutritions),
    isDefault: true,
    isHidden,
  });

  const stated = modifier.sizePrices ?? [];
  const priced = stated.find((entry) => cleanText(entry.sizeId) === null) ?? stated[0];
  for (const price of priced === undefined ? [] : prices(itemErpId, priced))
    rows.prices.push({ itemErpId, role: 'MODIFIER', erpSizeId: '', ...price });
}

function nameOr(name: string | null | undefined, fallback: string, anomalies: Anomalies): string {
  const clean = cleanText(name);
  if (clean === null) anomalies.add('BLANK_NAME', fallback);
  return clean ?? fallback;
}

function uniqueById<T extends { id: string }>(list: readonly T[]): Map<string, T> {
  const unique = new Map<string, T>();
  for (const entry of list) {
    const id = entry.id.toLowerCase();
    if (!unique.has(id)) unique.set(id, entry);
  }

  return unique;
}

function firstBy<T>(rows: readonly T[], key: (row: T) => string): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const id = key(row);
    return !seen.has(id) && seen.add(id);
  });
}
