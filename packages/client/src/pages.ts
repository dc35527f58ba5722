import type { Answer, Page, Paging } from './transport.ts';

/** Lists with cursors name the next page in `next`, which is null on the last one. */
export type AnyPage<Item> = Page<Item> & { next?: string | null };
/** `after` is the `next` of the previous page. */
export type PageStart = Paging & { after?: string | undefined };

/**
 * Reads every item of a list. `read` reads one page: `itemsOf((paging) => api.listProducts({
 * status: 'PUBLISHED', ...paging }))`. With cursors, concurrent changes do not shift other items.
 *
 * @throws any error of `read`
 */
export async function* itemsOf<Item>(
  read: (paging: PageStart) => Promise<Answer<AnyPage<Item>>>,
  size = 100,
): AsyncGenerator<Item, void, undefined> {
  let start: PageStart | null = { size };
  for (let seen = 0, page = 1; start !== null; page += 1) {
    const { data }: Answer<AnyPage<Item>> = await read(start);
    yield* data.items;
    seen += data.items.length;
    if (typeof data.next === 'string') start = { size, after: data.next };
    else if (data.next === null || data.items.length === 0 || seen >= data.total) start = null;
    else start = { size, page: page + 1 };
  }
}
