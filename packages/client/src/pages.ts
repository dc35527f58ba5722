import type { Answer, Page, Paging } from './transport.ts';

/**
 * A page of a list; lists with cursors name the next page in `next`, which is null on the last one.
 */
export type AnyPage<Item> = Page<Item> & { next?: string | null };
/** The start of a page: `after` is the `next` of the page before. */
export type PageStart = Paging & { after?: string | undefined };

/**
 * Reads every item of a list, page by page. `read` reads one page:
 * `itemsOf((paging) => api.listProducts({ status: 'PUBLISHED', ...paging }))`. Lists with cursors
 * are read by them: an item that is added or removed meanwhile moves no other one.
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
