import {
  ExpressionWrapper,
  SelectQueryNode,
  sql,
  type SelectQueryBuilder,
  type Expression,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import { LOOK_ALIKES, typedText } from './pure/typed-text.ts';

/** One of the fields by which the route can sort (HTTP-3). */
export type SortKey<F extends string = string> = {
  readonly field: F;
  readonly direction: 'asc' | 'desc';
};

/**
 * `page` starts at 1, `size` is 1 to 200. Ties, and pages without `sort`, have the list's own
 * order.
 */
export type Paging = { page: number; size: number; sort?: readonly SortKey[] | undefined };

export type Page<Item> = { page: number; size: number; items: Item[]; total: number };

/**
 * Reads a page by number. The order of `query` must be total, because it breaks ties; otherwise,
 * pages would overlap. `counted` omits joins that only add columns.
 */
export async function readPage<
  DB,
  TB extends keyof DB,
  Item,
  CountedDB = DB,
  CountedTB extends keyof CountedDB = never,
>(
  query: SelectQueryBuilder<DB, TB, Item>,
  { page, size, sort = [] }: Paging,
  counted?: SelectQueryBuilder<CountedDB, CountedTB, object>,
): Promise<Page<Item>> {
  const items = await ordered(query, sort)
    .limit(size)
    .offset((page - 1) * size)
    .execute();

  const [count] = await (
    counted ?? (query as unknown as SelectQueryBuilder<CountedDB, CountedTB, object>)
  )
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .execute();

  return { items: items as Item[], page, size, total: count?.total ?? 0 };
}

/** Adds the requested order before the query's own. Null sorts last. */
function ordered<DB, TB extends keyof DB, Item>(
  query: SelectQueryBuilder<DB, TB, Item>,
  sort: readonly SortKey[],
): SelectQueryBuilder<DB, TB, Item> {
  if (sort.length === 0) return query;
  const node = query.toOperationNode();
  const own = SelectQueryNode.is(node) ? (node.orderBy?.items ?? []) : [];
  const keyed = sort.reduce(
    (sorted, { field, direction }) =>
      sorted.orderBy(sql.ref(field), (key) =>
        (direction === 'asc' ? key.asc() : key.desc()).nullsLast(),
      ),
    query.clearOrderBy(),
  );

  return own.reduce((sorted, item) => sorted.orderBy(new ExpressionWrapper(item)), keyed);
}

type SortValues<Item, F extends string> = Readonly<
  Record<F, (item: Item) => string | number | Date | null>
>;

/** Returns one page of items in memory. Stable; null sorts last. */
export function pageOfItems<Item, F extends string>(
  items: readonly Item[],
  { page, size, sort = [] }: Paging,
  values: SortValues<Item, F>,
): Page<Item> {
  const sorted = sort.length === 0 ? items : sortedBy(items, sort, values);
  return { items: sorted.slice((page - 1) * size, page * size), page, size, total: items.length };
}

function sortedBy<Item, F extends string>(
  items: readonly Item[],
  sort: readonly SortKey[],
  values: SortValues<Item, F>,
): Item[] {
  return items.toSorted((one, other) => {
    for (const { field, direction } of sort) {
      const value = values[field as F];
      const [a, b] = [value(one), value(other)];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }

      const compared =
        typeof a === 'string' && typeof b === 'string'
          ? a.localeCompare(b, 'ru')
          : Number(a) - Number(b);
      if (compared !== 0) return direction === 'asc' ? compared : -compared;
    }

    return 0;
  });
}

/** Drops undefined filters. Use: `eb.and(given({ column: value, … }))`. */
export function omitUndefined<F extends object>(
  filters: F,
): { [K in keyof F]?: Exclude<F[K], undefined> } {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined),
  ) as F;
}

/** Normalizes a search text (HTTP-25). Returns null, which does not filter, if nothing is left. */
export function searchedText(q: string | undefined): string | null {
  return typedText(q ?? '') || null;
}

/**
 * Matches if `text` contains `part` after normalization. Null text contains nothing; null part
 * does not filter.
 */
export function contains(
  text: Expression<string | null>,
  part: string | null,
): RawBuilder<SqlBool> {
  if (part === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(strpos(${compared(text)}, ${compared(sql`${part}::text`)}), 0) > 0`;
}

/** ё, Latin look-alikes of Cyrillic letters, typographic dashes and spaces. */
const FOLDED = `ёë${LOOK_ALIKES.latin}\u2010\u2011\u2012\u2013\u2014\u2212\u00a0\u202f`;
const PLAIN = `ее${LOOK_ALIKES.cyrillic}------  `;

/** HTTP-25. */
function compared(text: Expression<string | null>): RawBuilder<string> {
  return sql<string>`translate(lower(${text}), ${sql.lit(FOLDED)}, ${sql.lit(PLAIN)})`;
}
