import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Sql } from '../platform/db/database.ts';
import type { Page, Paging, SortKey } from './pages.ts';
import { invalidField } from './problem.ts';

/**
 * Continues a list (HTTP-42). `scope` contains all filters and the order. `counts` is ALL for
 * requests with a page number.
 */
export type Cursor = { after: string | null; scope: string; counts: 'ALL' | 'SOME' | 'NONE' };

/** Without a cursor, pages are numbered and counted completely. */
export type CursorPaging = Paging & { cursor?: Cursor };

const BY_PAGES: Cursor = { after: null, scope: '', counts: 'ALL' };

/** `next` is null on the last page. */
export type CursorPage<Item> = Page<Item> & { next: string | null };

/** `own`: total order of the list. `nullable` columns sort null last. */
export type ListOrder = {
  readonly own: readonly SortKey[];
  readonly columns: Readonly<Record<string, string | RawBuilder<unknown>>>;
  readonly nullable?: readonly string[];
};

/** Maximum count for requests without a page number (HTTP-43). */
const MOST_COUNTED = 1_000;

/**
 * Reads one page by number or cursor. `query` must be unordered; `counted` omits joins that only
 * add columns. Problem `validation` for a cursor of another list, filter or order.
 */
export function readCursorPage<
  DB,
  TB extends keyof DB,
  Item,
  CountedDB = DB,
  CountedTB extends keyof CountedDB = never,
>(
  from: Sql,
  query: SelectQueryBuilder<DB, TB, Item>,
  paging: CursorPaging,
  order: ListOrder,
  counted?: SelectQueryBuilder<CountedDB, CountedTB, object>,
): Promise<CursorPage<Item>> {
  const { columns } = order;
  return readMergedPage<Item>(
    from,
    [{ query, columns, counted } as unknown as Part<Item>],
    paging,
    order,
  );
}

export type Part<Item> = {
  query: SelectQueryBuilder<Record<string, object>, string, Item>;
  columns: ListOrder['columns'];
  counted?: SelectQueryBuilder<Record<string, object>, string, object> | undefined;
};

/**
 * {@link readCursorPage} of several parts, which select the keys of `own` and `sort` by name.
 * Separate limits let each part use an index.
 */
export async function readMergedPage<Item>(
  { db }: Sql,
  parts: readonly Part<Item>[],
  { page, size, sort = [], cursor = BY_PAGES }: CursorPaging,
  { own, columns, nullable = [] }: ListOrder,
): Promise<CursorPage<Item>> {
  const sorted = new Set(sort.map(({ field }) => field));
  const order = [...sort, ...own.filter(({ field }) => !sorted.has(field))];
  const toKeys = (named: ListOrder['columns']): Key[] =>
    order.map(({ field, direction }) => ({
      column: toReference(named[field] ?? field),
      isDescending: direction === 'desc',
      isNullable: nullable.includes(field),
    }));

  const scope = hashScope(cursor.scope, columnNames(own, columns));
  const values = cursor.after === null ? null : decode(cursor.after, scope, order.length);
  const offset = values === null ? (page - 1) * size : 0;
  const read = parts.map((part) =>
    positioned(part.query, toKeys(part.columns), values).limit(offset + size + 1),
  );
  const merged =
    read.length === 1
      ? read[0]!.limit(size + 1)
      : inOrder(
          db.selectFrom(uniteQueries(db, read).as('list')).selectAll() as never,
          toKeys({}),
        ).limit(size + 1);

  const rows = (await merged
    .offset(offset)
    .execute()
    .catch((error: unknown) => {
      throw values !== null && isDataError(error) ? foreignCursor() : error;
    })) as unknown as (Item & { cursorKey: (string | null)[] })[];

  const items = rows.slice(0, size);
  const last = items.at(-1);
  let total = 0;
  if (cursor.counts !== 'NONE')
    for (const part of parts) total += await countRows({ db }, part, toKeys(part.columns), cursor);

  return {
    items: items.map(({ cursorKey: _cursorKey, ...item }) => item as unknown as Item),
    page,
    size,
    total: cursor.counts === 'ALL' ? total : Math.min(total, MOST_COUNTED),
    next: rows.length > size && last !== undefined ? encode(scope, last.cursorKey) : null,
  };
}

const WHOLE_LIST_PAGE = 500;

/** Yields a list in pages, each read by a separate short statement. */
export async function* everyPage<Item>(
  read: (paging: CursorPaging) => Promise<CursorPage<Item>>,
): AsyncGenerator<Item[]> {
  let after: string | null = null;
  do {
    const paging: CursorPaging = {
      page: 1,
      size: WHOLE_LIST_PAGE,
      cursor: { after, scope: '', counts: 'NONE' },
    };

    const page = await read(paging);
    yield page.items;
    after = page.next;
  } while (after !== null);
}

type AnyQuery = SelectQueryBuilder<Record<string, object>, string, unknown>;

/** Returns rows after the position, in order, with their positions. */
function positioned(
  query: AnyQuery,
  keys: readonly Key[],
  values: readonly (string | null)[] | null,
): AnyQuery {
  const texts = sql.join(keys.map(({ column }) => sql`${column}::text`));
  const selected = query.select(
    sql<(string | null)[]>`json_build_array(${texts})`.as('cursorKey'),
  ) as AnyQuery;
  return inOrder(values === null ? selected : selected.where(isBehind(keys, values)), keys);
}

function inOrder(query: AnyQuery, keys: readonly Key[]): AnyQuery {
  return keys.reduce(
    (ordered, { column, isDescending, isNullable }) =>
      ordered.orderBy(column, (key) => {
        const directed = isDescending ? key.desc() : key.asc();
        return isNullable ? directed.nullsLast() : directed;
      }),
    query,
  );
}

function uniteQueries(db: Sql['db'], queries: readonly AnyQuery[]): AnyQuery {
  const whole = queries.map(
    (query, at) => db.selectFrom(query.as(`part${at}`)).selectAll() as unknown as AnyQuery,
  );
  return whole.reduce((all, query) => all.unionAll(query));
}

type Key = { column: RawBuilder<unknown>; isDescending: boolean; isNullable: boolean };

const toReference = (column: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  typeof column === 'string' ? sql.ref(column) : column;

const columnNames = (own: readonly SortKey[], columns: ListOrder['columns']): string[] =>
  own.map(({ field }) => (typeof columns[field] === 'string' ? columns[field] : field));

/** A limited count uses the index order. */
async function countRows<Item>(
  { db }: Sql,
  part: Part<Item>,
  keys: readonly Key[],
  { counts }: Cursor,
): Promise<number> {
  const all = (part.counted ?? part.query) as AnyQuery;
  const matching = all.clearSelect().select(sql<number>`1`.as('one')) as AnyQuery;
  const limited = counts === 'ALL' ? matching : inOrder(matching, keys).limit(MOST_COUNTED);
  const [count] = await db
    .selectFrom(limited.as('matching'))
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .execute();

  return count?.total ?? 0;
}

/** The bound of the first key can use an index. */
function isBehind(keys: readonly Key[], values: readonly (string | null)[]): RawBuilder<SqlBool> {
  const alternatives = keys.map((key, at) => {
    const equal = keys.slice(0, at).map((before, index) => isEqual(before, values[index]!));
    return sql`(${sql.join([...equal, isAfter(key, values[at]!)], sql` and `)})`;
  });

  const [first, value] = [keys[0]!, values[0]!];
  const bound =
    value === null || first.isNullable
      ? sql`true`
      : sql`${first.column} ${first.isDescending ? sql`<=` : sql`>=`} ${value}`;

  return sql<SqlBool>`(${bound} and (${sql.join(alternatives, sql` or `)}))`;
}

const isEqual = ({ column }: Key, value: string | null): RawBuilder<unknown> =>
  value === null ? sql`${column} is null` : sql`${column} = ${value}`;

function isAfter(
  { column, isDescending, isNullable }: Key,
  value: string | null,
): RawBuilder<unknown> {
  if (value === null) return sql`false`;
  const compared = sql`${column} ${isDescending ? sql`<` : sql`>`} ${value}`;
  return isNullable ? sql`(${compared} or ${column} is null)` : compared;
}

const hashScope = (scope: string, columns: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([scope, columns]))
    .digest('base64url')
    .slice(0, 16);

const encode = (scope: string, values: readonly (string | null)[]): string =>
  Buffer.from(JSON.stringify([scope, ...values])).toString('base64url');

function decode(cursor: string, scope: string, keys: number): (string | null)[] {
  const [named, ...values] = parseCursor(cursor);
  if (named !== scope || values.length !== keys) throw foreignCursor();
  return values;
}

/** Returns an empty list for an invalid cursor. */
function parseCursor(cursor: string): (string | null)[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    const isRead =
      Array.isArray(parts) && parts.every((part) => part === null || typeof part === 'string');
    return isRead ? (parts as (string | null)[]) : [];
  } catch {
    // Clients may send any text.
    return [];
  }
}

/** Returns true for PostgreSQL's error class 22, the result of a forged cursor. */
const isDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('22');

const foreignCursor = () =>
  invalidField(
    'after',
    'invalid',
    'The cursor belongs to another list, filter or order. Begin again without `after`.',
  );
