import type { Sql } from './database.ts';

/** Which page of a list: `page` from 1, `size` 1 to 200 (design section 6, Page envelope); the doors check both. */
export type Paging = { page: number; size: number };

export type Page<Item> = Paging & { items: Item[]; total: number };

/** What a list reads. `from` may carry joins and a condition with `$1`…; `order` must be total, or pages overlap. */
export type PagedRead = { columns: string; from: string; order: string; params: readonly unknown[] };

/** One page of rows and the number of all of them. */
export async function readPage<Item extends object>(
  sql: Sql,
  { page, size }: Paging,
  { columns, from, order, params }: PagedRead,
): Promise<Page<Item>> {
  const limit = `limit $${params.length + 1} offset $${params.length + 2}`;
  const items = await sql.query<Item>(`select ${columns} from ${from} order by ${order} ${limit}`, [
    ...params,
    size,
    (page - 1) * size,
  ]);
  const [count] = await sql.query<{ total: number }>(`select count(*) as total from ${from}`, params);
  return { items, page, size, total: count?.total ?? 0 };
}
