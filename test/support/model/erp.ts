/** The ERP of the model test. Imports no file of the product. */

/** Rubles per organization. Null: listed but not for sale. Missing: not listed. */
export type Prices = Record<string, number | null>;
export type ErpSize = { sizeId: string | null; sku: string; isHidden: boolean; prices: Prices };
export type ErpGroup = { id: string | null; name: string; modifierIds: string[] };
export type ErpDish = {
  id: string;
  name: string;
  sku: string;
  sizes: ErpSize[];
  groups: ErpGroup[];
};
export type ErpModifier = {
  id: string;
  name: string;
  sku: string;
  isHidden: boolean;
  prices: Prices;
};
export type ErpCategory = { id: string; name: string; isHidden: boolean; dishIds: string[] };
export type ErpContent = { categories: ErpCategory[]; dishes: ErpDish[]; modifiers: ErpModifier[] };

/** Lists contain indexes into the pools below. */
export type DishDraw = {
  name: number;
  sizes: { size: number; isHidden: boolean; prices: number[] }[];
  categories: number[];
  groups: { id: number | null; modifiers: number[] }[];
};
export type ModifierDraw = { name: number; isHidden: boolean; prices: number[] };
export type ContentDraw = {
  dishes: (DishDraw | null)[];
  modifiers: (ModifierDraw | null)[];
  hiddenCategory: number | null;
};

export const DISHES = 7;
export const MODIFIERS = 4;
export const CATEGORIES = 2;
export const NAMES = ['Борщ', 'Борщ с пампушкой', 'Солянка', '  Уха  '] as const;
export const SIZES = [null, 'S', 'L'] as const;
export const PRICES = [undefined, null, 0, 10, 99.9, 350, 350.01] as const;

const uuid = (kind: string, at: number): string => `00000000-0000-4000-8000-00000000${kind}0${at}`;
const dishId = (at: number): string => uuid('d1', at);
const modifierId = (at: number): string => uuid('a0', at);

/** Expands indexes into data of the emulator, which also gives the expected answers. */
export function buildContent(draw: ContentDraw, organizations: readonly string[]): ErpContent {
  const buildPrices = (indexes: readonly number[]): Prices =>
    Object.fromEntries(
      organizations.flatMap((id, at): [string, number | null][] => {
        const price = PRICES[indexes[at % indexes.length] ?? 0];
        return price === undefined ? [] : [[id, price]];
      }),
    );
  const modifiers = draw.modifiers.flatMap((modifier, at): ErpModifier[] =>
    modifier === null
      ? []
      : [
          {
            id: modifierId(at),
            name: NAMES[modifier.name] ?? '',
            sku: `M${at}`,
            isHidden: modifier.isHidden,
            prices: buildPrices(modifier.prices),
          },
        ],
  );
  const stated = new Set(modifiers.map(({ id }) => id));
  const dishes = draw.dishes.flatMap((dish, at): ErpDish[] =>
    dish === null
      ? []
      : [
          {
            id: dishId(at),
            name: NAMES[dish.name] ?? '',
            sku: `D${at}`,
            sizes: dish.sizes.map(({ size, isHidden, prices }) => {
              const sizeId = SIZES[size] ?? null;
              return {
                sizeId,
                sku: `D${at}${sizeId ?? ''}`,
                isHidden,
                prices: buildPrices(prices),
              };
            }),
            groups: dish.groups.map(({ id, modifiers: members }) => ({
              id: id === null ? null : uuid('90', id),
              name: `Добавки ${id ?? ''}`.trim(),
              modifierIds: members.map(modifierId).filter((member) => stated.has(member)),
            })),
          },
        ],
  );
  const categories = Array.from({ length: CATEGORIES }, (_, at): ErpCategory => ({
    id: `category-${at}`,
    name: `Категория ${at}`,
    isHidden: draw.hiddenCategory === at,
    dishIds: draw.dishes.flatMap((entry, dish) =>
      entry?.categories.includes(at) === true ? [dishId(dish)] : [],
    ),
  }));
  return { categories, dishes, modifiers };
}

/**
 * Restricts the content to the requested organizations, with prices multiplied by the price
 * category's factor.
 */
export function answerFor(
  content: ErpContent,
  organizations: readonly string[],
  factor: number,
): ErpContent {
  const priced = (prices: Prices): Prices =>
    Object.fromEntries(
      organizations
        .filter((id) => id in prices)
        .map((id) => {
          const price = prices[id] ?? null;
          return [id, price === null || factor === 1 ? price : Math.round(price * factor)];
        }),
    );
  return {
    categories: content.categories,
    dishes: content.dishes.map((dish) => ({
      ...dish,
      sizes: dish.sizes.map((size) => ({ ...size, prices: priced(size.prices) })),
    })),
    modifiers: content.modifiers.map((modifier) => ({
      ...modifier,
      prices: priced(modifier.prices),
    })),
  };
}
