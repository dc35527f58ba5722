import { AdminApiError, inParallel, type AdminApi } from './admin-api.ts';
import { PRODUCTS_PER_SHELF, SIZE_AXIS, type Shelf } from './catalogue.ts';
import type { Pictures } from './shop.ts';

const WIDTH = 4;
/** Looks between the first dishes of two categories of one theme. */
const APART = 3;
const BULK = 200;

export type Dish = {
  itemId: string;
  name: string;
  productCategory: { id: string; name: string | null } | null;
  boundProduct: { id: number; status: string } | null;
  sizes: { erpItemSizeId: number; name: string | null; isDefault: boolean; priceMin: number | null }[];
};

export type Shop = {
  shelves: ReadonlyMap<Shelf, number>;
  hits: number;
  pictures: Pictures;
  /** Option codes of the size axis by size name. */
  options: ReadonlyMap<string, string>;
};

/** `at` is the place of the dish in its product category. */
type Wanted = { dish: Dish; shelf: Shelf; isHit: boolean; at: number };

/** Every dish of the ERP that can become a product of the demo. */
export function sellable(dishes: readonly Dish[]): Dish[] {
  return dishes.filter((dish) => {
    const names = dish.sizes.map((size) => size.name);
    const isSized = names.every((name) => name !== null) && new Set(names).size === names.length;
    return dish.sizes.some((size) => size.priceMin !== null) && (isSized || names.length === 1);
  });
}

/**
 * Dishes that still have to become products: the given number from each product category of the
 * ERP, by name. Dishes that are products already count; those whose product is a draft are taken
 * again, because an earlier start may have been interrupted. Kitchens have product categories of
 * their own, so every organization gets its share.
 */
export function chooseDishes(dishes: readonly Dish[], shelves: Iterable<Shelf>): Wanted[] {
  const byCategory = Map.groupBy(sellable(dishes), (dish) => dish.productCategory?.id ?? '');
  const shelfOf = new Map([...shelves].map((shelf) => [shelf.dishesOf, shelf]));
  return [...byCategory.values()].flatMap((group) => {
    const shelf = shelfOf.get(group[0]?.productCategory?.name ?? '');
    if (shelf === undefined) return [];
    const isDone = (dish: Dish) => dish.boundProduct !== null && dish.boundProduct.status !== 'DRAFT';
    const open = group.filter((dish) => !isDone(dish));
    const room = Math.max(0, PRODUCTS_PER_SHELF - (group.length - open.length));
    const first = group[0];
    return open.slice(0, room).map((dish) => ({ dish, shelf, isHit: dish === first, at: group.indexOf(dish) }));
  });
}

/**
 * Makes and publishes the products. The Idempotency-Key of a dish distinguishes the demo's own
 * drafts from those of staff: the former are completed, the latter are not changed. Returns how
 * many were published.
 */
export async function makeProducts(
  api: AdminApi,
  wanted: readonly Wanted[],
  shop: Shop,
  log: (line: string) => void,
): Promise<number> {
  const ready: number[] = [];
  let handled = 0;
  await inParallel(wanted, WIDTH, async ({ dish, shelf, isHit, at }) => {
    const place = { categoryIds: categoriesOf(shop, shelf, isHit), mainImageId: pictureOf(shop, shelf, at) };
    const id = await createProduct(api, dish, place, shop.options);
    if (id !== undefined) ready.push(id);
    handled += 1;
    if (handled % 50 === 0) log(`${handled} of ${wanted.length} products`);
  });
  let published = 0;
  for (let from = 0; from < ready.length; from += BULK) {
    const productIds = ready.slice(from, from + BULK);
    const result = await api.post<{ succeeded: number[]; failed: { id: number; reason: string }[] }>('/products/bulk', {
      productIds,
      action: 'PUBLISH',
    });
    published += result.succeeded.length;
    for (const { id, reason } of result.failed) log(`product ${id} stays a draft: ${reason}`);
  }
  return published;
}

/**
 * The picture of the dish `at` this place of its category: looks follow each other, and categories
 * of one theme begin apart.
 */
function pictureOf({ shelves, pictures }: Shop, shelf: Shelf, at: number): number | undefined {
  const looks = pictures.get(shelf.theme) ?? [];
  const before = [...shelves.keys()].filter(({ theme }) => theme === shelf.theme).indexOf(shelf);
  return looks[(at + before * APART) % looks.length];
}

function categoriesOf({ shelves, hits }: Shop, shelf: Shelf, isHit: boolean): number[] {
  const own = shelves.get(shelf);
  return [...(own === undefined ? [] : [own]), ...(isHit ? [hits] : [])];
}

/**
 * Id of the product of a dish; `undefined` if the dish belongs to another product or has a new
 * size.
 */
async function createProduct(
  api: AdminApi,
  dish: Dish,
  place: { categoryIds: number[]; mainImageId: number | undefined },
  options: ReadonlyMap<string, string>,
): Promise<number | undefined> {
  const isSized = dish.sizes[0]?.name !== null;
  const variants = dish.sizes.map(({ erpItemSizeId, name, isDefault }) => ({
    erpItemSizeId,
    isDefault,
    ...(isSized && name !== null ? { variantOptionCode: options.get(name) } : {}),
  }));
  if (isSized && variants.some((variant) => variant.variantOptionCode === undefined)) return undefined;
  const body = { ...place, name: dish.name.trim(), variants, ...(isSized ? { variantAxisCode: SIZE_AXIS.code } : {}) };
  try {
    return (await api.post<{ id: number }>('/erp/items/create-product', body, `demo-${dish.itemId}`)).id;
  } catch (error) {
    const isTaken =
      error instanceof AdminApiError && ['item-already-bound', 'idempotency-key-reused'].includes(error.kind);
    if (isTaken) return undefined;
    throw error;
  }
}
