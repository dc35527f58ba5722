import { AdminApiError, inParallel, type AdminApi } from './admin-api.ts';
import { PRODUCTS_PER_SHELF, SHELVES, SIZE_AXIS, type Shelf } from './catalog.ts';
import { buildPortrait, type BadgeCode } from './portraits.ts';
import { bySize, type PictureOf } from './shop.ts';

const WIDTH = 4;
const BULK = 200;

export type Dish = {
  itemId: string;
  name: string;
  productCategory: { id: string; name: string | null } | null;
  boundProduct: { id: number; status: string } | null;
  sizes: {
    erpItemSizeId: number;
    name: string | null;
    isDefault: boolean;
    priceMin: number | null;
  }[];
};

export type Shop = {
  shelves: ReadonlyMap<Shelf, number>;
  hits: number;
  pictureOf: PictureOf;
  badges: ReadonlyMap<BadgeCode, number>;
  /** Option codes of the size axis, by size name. */
  options: ReadonlyMap<string, string>;
};

/** `rank` is the popularity on the shelf, from 0. */
type Wanted = { dish: Dish; shelf: Shelf; rank: number };

/** Trims blanks and signs. */
const cleanName = ({ name }: Dish): string => name.replace(/[^\p{L}\p{N}»).]+$/u, '').trim();

/** Returns the ERP dishes that can become products. */
export function sellable(dishes: readonly Dish[]): Dish[] {
  return dishes.filter((dish) => {
    const names = dish.sizes.map((size) => size.name);
    const isSized = names.every((name) => name !== null) && new Set(names).size === names.length;
    return dish.sizes.some((size) => size.priceMin !== null) && (isSized || names.length === 1);
  });
}

/**
 * Groups dishes by product category of the ERP, most popular first. Kitchens have separate product
 * categories, so each organization gets its share.
 */
function ranked(dishes: readonly Dish[]): Wanted[][] {
  const shelfOf = new Map(SHELVES.map((shelf) => [shelf.dishesOf, shelf]));
  const byCategory = Map.groupBy(sellable(dishes), (dish) => dish.productCategory?.id ?? '');

  return [...byCategory.values()].flatMap((group) => {
    const shelf = shelfOf.get(group[0]?.productCategory?.name ?? '');
    if (shelf === undefined) return [];
    const sorted = group.toSorted((one, other) => rankDish(shelf, one) - rankDish(shelf, other));
    return [sorted.map((dish, rank) => ({ dish, shelf, rank }))];
  });
}

/** Returns the rank of a dish on its shelf. Dishes that are not popular have the last rank. */
function rankDish({ dishes }: Shelf, dish: Dish): number {
  const at = dishes.indexOf(cleanName(dish));
  return at === -1 ? dishes.length : at;
}

/**
 * Selects the most popular dishes of each product category. Existing products count toward its
 * limit. Selects drafts again, because an earlier start may have been interrupted.
 */
export function chooseDishes(dishes: readonly Dish[]): Wanted[] {
  return ranked(dishes).flatMap((group) => {
    const isDone = ({ dish }: Wanted) =>
      dish.boundProduct !== null && dish.boundProduct.status !== 'DRAFT';
    const open = group.filter((entry) => !isDone(entry));
    return open.slice(0, Math.max(0, PRODUCTS_PER_SHELF - (group.length - open.length)));
  });
}

/** Orders products and hits by popularity. Others follow in their previous order. */
export async function orderByPopularity(
  api: AdminApi,
  dishes: readonly Dish[],
  { shelves, hits }: Pick<Shop, 'shelves' | 'hits'>,
): Promise<void> {
  const popular = ranked(dishes)
    .flat()
    .toSorted(
      (one, other) =>
        one.rank - other.rank || SHELVES.indexOf(one.shelf) - SHELVES.indexOf(other.shelf),
    )
    .flatMap(({ dish: { boundProduct } }) => boundProduct?.id ?? []);

  for (const categoryId of [...shelves.values(), hits]) {
    // Staff may have moved a product meanwhile.
    const products = await api.all<{ id: number }>(`/products?category_id=${categoryId}`);
    const own = new Set(products.map(({ id }) => id));
    const productIds = popular.filter((id) => own.has(id));
    if (productIds.length > 0)
      await api.put(`/categories/${categoryId}/products/order`, { productIds });
  }
}

/**
 * Creates and publishes products, and returns the number of published ones. The Idempotency-Key of
 * a dish identifies drafts of the demo, which are completed. Drafts of staff stay.
 */
export async function makeProducts(
  api: AdminApi,
  wanted: readonly Wanted[],
  shop: Shop,
  log: (line: string) => void,
): Promise<number> {
  const ready: number[] = [];
  let handled = 0;
  await inParallel(wanted, WIDTH, async (entry) => {
    const id = await createProduct(api, entry, shop);
    if (id !== undefined) {
      await describe(api, id, entry, shop);
      ready.push(id);
    }
    handled += 1;
    if (handled % 50 === 0) log(`${handled} of ${wanted.length} products`);
  });

  let published = 0;

  for (let from = 0; from < ready.length; from += BULK) {
    const productIds = ready.slice(from, from + BULK);
    const result = await api.post<{
      succeeded: number[];
      failed: { id: number; reason: string }[];
    }>('/products/bulk', {
      productIds,
      action: 'PUBLISH',
    });

    published += result.succeeded.length;
    for (const { id, reason } of result.failed) log(`product ${id} stays a draft: ${reason}`);
  }

  return published;
}

function listCategories({ shelves, hits }: Shop, shelf: Shelf, isHit: boolean): number[] {
  const own = shelves.get(shelf);
  return [...(own === undefined ? [] : [own]), ...(isHit ? [hits] : [])];
}

/** Returns undefined if the dish belongs to another product or has a new size. */
async function createProduct(
  api: AdminApi,
  entry: Wanted,
  shop: Shop,
): Promise<number | undefined> {
  const { dish, shelf, rank } = entry;
  const isSized = dish.sizes[0]?.name !== null;
  const variants = dish.sizes
    .toSorted((one, other) => bySize(one.name ?? '', other.name ?? ''))
    .map(({ erpItemSizeId, name, isDefault }) => ({
      erpItemSizeId,
      isDefault,
      ...(isSized && name !== null ? { variantOptionCode: shop.options.get(name) } : {}),
    }));
  if (isSized && variants.some((variant) => variant.variantOptionCode === undefined))
    return undefined;

  const body = {
    name: cleanName(dish),
    categoryIds: listCategories(shop, shelf, rank === 0),
    mainImageId: shop.pictureOf(shelf.theme, cleanName(dish)),
    variants,
    ...(isSized ? { variantAxisCode: SIZE_AXIS.code } : {}),
  };

  try {
    return (
      await api.post<{ id: number }>('/erp/items/create-product', body, `demo-${dish.itemId}`)
    ).id;
  } catch (error) {
    const isTaken =
      error instanceof AdminApiError &&
      ['item-already-bound', 'idempotency-key-reused'].includes(error.kind);
    if (isTaken) return undefined;
    throw error;
  }
}

/** Dishes with these ranks have a badge. */
const RANKED: Readonly<Record<number, BadgeCode>> = { 0: 'HIT', 6: 'NEW' };

/**
 * Writes the texts and badges of a new product. A product that staff have edited stays unchanged.
 */
async function describe(
  api: AdminApi,
  id: number,
  { dish, shelf, rank }: Wanted,
  { badges }: Shop,
): Promise<void> {
  const { composition, description, badges: own } = buildPortrait(shelf.theme, cleanName(dish));
  const ranked = RANKED[rank];
  const codes = ranked === undefined ? own : [ranked, ...own];
  const badgeIds = codes.flatMap((code) => badges.get(code) ?? []);

  try {
    await api.patch(`/products/${id}`, { version: 1, composition, description, badgeIds });
  } catch (error) {
    if (!(error instanceof AdminApiError && error.kind === 'version-conflict')) throw error;
  }
}
