import { sql, type SelectQueryBuilder } from 'kysely';

/** Which page of a list: `page` from 1, `size` 1 to 200; the routes check both. */
export type Paging = { page: number; size: number };

export type Page<Item> = Paging & { items: Item[]; total: number };

/**
 * One page of a typed list and the number of all of its rows. The order of `query` must be total, or pages overlap.
 * `counted` is the same list without joins that only bring columns, for lists where counting them would cost.
 */
export async function readPage<
  DB,
  TB extends keyof DB,
  Item,
  CountedDB = DB,
  CountedTB extends keyof CountedDB = never,
>(
  query: SelectQueryBuilder<DB, TB, Item>,
  { page, size }: Paging,
  counted?: SelectQueryBuilder<CountedDB, CountedTB, object>,
): Promise<Page<Item>> {
  const items = await query
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const [count] = await (counted ?? (query as unknown as SelectQueryBuilder<CountedDB, CountedTB, object>))
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .execute();
  return { items: items as Item[], page, size, total: count?.total ?? 0 };
}

/** The filters that were given: for `eb.and(given({ column: value, … }))`, where a value that is undefined does not filter. */
export function given<F extends object>(filters: F): { [K in keyof F]?: Exclude<F[K], undefined> } {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as F;
}
