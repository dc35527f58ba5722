import type {
  CategorySource,
  GroupSource,
  LinkSource,
  MenuSource,
  ModifierSource,
  NutritionSource,
  ProductSource,
} from '../../modules/mirror/rules/menu-source.ts';

type OlderRestrictions = {
  minQuantity?: number;
  maxQuantity?: number;
  freeQuantity?: number;
  byDefault?: number;
};
type OlderCommon = {
  itemId: string;
  sku: string;
  name: string;
  description?: string | null;
  isHidden?: boolean;
  productCategoryId?: string | null;
  labels: { code: string }[];
  allergens: { id: string; name: string; code: string }[];
};
type OlderPriced = {
  portionWeightGrams?: number | null;
  measureUnitType?: string | null;
  nutritionPerHundredGrams?: NutritionSource | null;
  prices: { organizationId: string; price: number | null }[];
};
type OlderModifier = OlderCommon & OlderPriced & { restrictions?: OlderRestrictions | null };
type OlderGroup = {
  itemGroupId: string | null;
  name: string;
  sku: string;
  isHidden: boolean;
  childModifiersHaveMinMaxRestrictions?: boolean;
  restrictions?: OlderRestrictions | null;
  items: OlderModifier[];
};
type OlderSize = OlderPriced & {
  sizeId: string | null;
  sizeName: string | null;
  sizeCode?: string | null;
  sku: string;
  isDefault: boolean;
  isHidden: boolean;
  itemModifierGroups: OlderGroup[];
};
type OlderItem = OlderCommon & {
  type: string;
  orderItemType: string;
  measureUnit: string;
  itemSizes: OlderSize[];
};
export type OlderMenu = {
  id: number;
  revision: number;
  productCategories: { id: string; name: string; isDeleted: boolean }[];
  itemCategories: {
    id: string;
    name: string;
    description?: string | null;
    isHidden: boolean;
    items: OlderItem[];
  }[];
};

/**
 * Converts the older format to v3, the only format of the import. For modifiers that differ, the
 * most frequent value applies.
 */
export function fromOlderMenu(menu: OlderMenu): MenuSource {
  const items = menu.itemCategories.flatMap((category) => category.items);
  const modifiers = items.flatMap((item) =>
    item.itemSizes.flatMap((size) => size.itemModifierGroups.flatMap((group) => group.items)),
  );
  const allergens = [...items, ...modifiers].flatMap((item) => item.allergens);
  return {
    id: String(menu.id),
    revision: menu.revision,
    productCategories: menu.productCategories,
    allergenGroups: [...new Map(allergens.map((allergen) => [allergen.id, allergen])).values()],
    products: [...new Map(items.map((item) => [item.itemId, product(item)])).values()],
    modifiers: [...Map.groupBy(modifiers, (modifier) => modifier.itemId).values()].map(
      dictionaryModifier,
    ),
    itemsGroups: menu.itemCategories.map(category),
  };
}

function product({
  itemId,
  sku,
  type,
  orderItemType,
  measureUnit,
  productCategoryId,
}: OlderItem): ProductSource {
  return { id: itemId, sku, type, orderItemType, measureUnit, productCategoryId };
}

function category({
  id,
  name,
  description,
  isHidden,
  items,
}: OlderMenu['itemCategories'][number]): CategorySource {
  return {
    id,
    name,
    description,
    isHidden,
    items: items.map((item) => ({
      itemType: 'PRODUCT',
      productId: item.itemId,
      name: item.name,
      description: item.description,
      isHidden: item.isHidden,
      labels: item.labels.map(({ code }) => code),
      allergenGroupIds: item.allergens.map(({ id: allergen }) => allergen),
      sizePrices: item.itemSizes.map(
        ({ sizeId, sizeName, sizeCode, sku, isDefault, isHidden: hidden, ...size }) => ({
          sizeId,
          sizeName,
          sizeCode,
          sku,
          isDefault,
          isHidden: hidden,
          ...priced(size),
        }),
      ),
      modifierGroups: (item.itemSizes[0]?.itemModifierGroups ?? []).map(group),
    })),
  };
}

function priced({
  portionWeightGrams,
  measureUnitType,
  nutritionPerHundredGrams,
  prices,
}: OlderPriced) {
  return {
    weight: portionWeightGrams,
    measureUnitType,
    nutritions: nutritionPerHundredGrams,
    prices: prices.map(({ organizationId, price }) => ({ organizations: [organizationId], price })),
  };
}

function group({ itemGroupId, items, restrictions, ...same }: OlderGroup): GroupSource {
  const { name, sku, isHidden, childModifiersHaveMinMaxRestrictions } = same;
  return {
    id: itemGroupId,
    name,
    sku,
    isHidden,
    childModifiersHaveMinMaxRestrictions,
    restrictions: limits(restrictions),
    items: items.map(link),
  };
}

function link(modifier: OlderModifier): LinkSource {
  return {
    id: modifier.itemId,
    name: modifier.name,
    isHidden: modifier.isHidden,
    weight: modifier.portionWeightGrams,
    measureUnitType: modifier.measureUnitType,
    restrictions: limits(modifier.restrictions),
  };
}

function limits(restrictions: OlderRestrictions | null | undefined) {
  if (restrictions == null) return null;
  const { byDefault, ...others } = restrictions;
  return { ...others, defaultQuantity: byDefault };
}

function dictionaryModifier(places: readonly OlderModifier[]): ModifierSource {
  const [first] = places as [OlderModifier];
  return {
    id: first.itemId,
    sku: first.sku,
    name: most(places.map((place) => place.name)),
    description: first.description,
    isHidden: most(places.map((place) => place.isHidden)),
    weight: most(places.map((place) => place.portionWeightGrams)),
    measureUnitType: first.measureUnitType,
    nutritions: first.nutritionPerHundredGrams,
    productCategoryId: first.productCategoryId,
    labels: first.labels.map(({ code }) => code),
    allergenGroupIds: first.allergens.map(({ id }) => id),
    sizePrices: [{ sizeId: null, prices: priced(first).prices }],
  };
}

function most<T>(values: readonly T[]): T | undefined {
  return [...Map.groupBy(values, (value) => value)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )[0]?.[0];
}
