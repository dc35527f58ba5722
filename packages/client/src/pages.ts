import type { Answer, Page, Paging } from './transport.ts';

/**
 * Every item of a list, page by page. `read` reads one page:
 * `itemsOf((paging) => api.listProducts({ status: 'PUBLISHED', ...paging }))`.
 *
 * @throws what `read` throws
 */
export async function* itemsOf<Item>(
  read: (paging: Required<Paging>) => Promise<Answer<Page<Item>>>,
  size = 100,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1, seen = 0; ; page += 1) {
    const { data } = await read({ page, size });
    yield* data.items;
    seen += data.items.length;
    if (data.items.length === 0 || seen >= data.total) return;
  }
}
