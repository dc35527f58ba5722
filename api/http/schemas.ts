import { Type, type Static } from 'typebox';
import type { Cursor } from '../../kernel/cursor-pages.ts';
import type { SortKey } from '../../kernel/pages.ts';
import { invalidField } from '../../kernel/problem.ts';
import { SEPARATORS } from '../../kernel/pure/csv.ts';
import { Id, OrganizationId, Strict, Words } from '../../kernel/pure/schemas.ts';

/** Bodies and responses are in `schemas/` of the modules. */

export const IdParams = Strict({ id: Id });

export const OrganizationParams = Strict({ id: OrganizationId });

export const pageQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description: 'Number of the page, from 1.',
    }),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'Number of items on a page.',
    }),
  ),
};

const Paging = Type.Object(pageQuery);

/** Rule HTTP-42. */
export const cursorQuery = {
  ...pageQuery,
  // No default: a request without a page costs less.
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Number of the page, from 1. Counts all items.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'Continues after the page that returned this value as `next`. The filters and `sort` must be the same. `page` is ignored.',
    }),
  ),
};

type Sorted<F extends string> = `${F},${'asc' | 'desc'}`;

/** The database discards the rows before a page. */
const MOST_BEFORE = 100_000;

/**
 * Returns page, offset and order. `columns` maps fields to column names. Problem `validation` if
 * too many rows precede the page (rule OPS-62).
 */
export function toPage<F extends string>(
  query: Static<typeof Paging> & { sort?: readonly Sorted<F>[] },
  columns: Partial<Record<F, string>> = {},
): { page: number; size: number; limit: number; offset: number; sort: SortKey<F>[] } {
  const { page = 1, size = 50 } = query;
  const offset = (page - 1) * size;
  if (offset > MOST_BEFORE)
    throw invalidField(
      'page',
      'max',
      `A page begins after at most ${MOST_BEFORE} items: filter the list`,
    );

  return { page, size, limit: size, offset, sort: parseSort(query.sort, columns) };
}

/** `filters` replace query filters that a cursor must not reveal. */
export function toCursorPage<F extends string>(
  query: Static<typeof Paging> & { after?: string; sort?: readonly Sorted<F>[] },
  columns: Partial<Record<F, string>> = {},
  filters: object = query,
): ReturnType<typeof toPage<F>> & { cursor: Cursor } {
  const {
    page: _page,
    size: _size,
    after: _after,
    ...scope
  } = { page: 0, size: 0, after: '', ...filters };

  const sorted = Object.entries(scope).toSorted(([one], [other]) => (one < other ? -1 : 1));

  return {
    ...toPage(query, columns),
    cursor: {
      after: query.after ?? null,
      scope: JSON.stringify(sorted),
      counts: query.page === undefined ? 'SOME' : 'ALL',
    },
  };
}

/** Rule HTTP-3. */
export const sortQuery = <const F extends readonly string[]>(fields: F) => ({
  sort: Type.Optional(
    Type.Array(
      Type.Unsafe<Sorted<F[number]>>({
        type: 'string',
        enum: fields.flatMap((field) => [`${field},asc`, `${field},desc`]),
      }),
      {
        maxItems: 5,
        description: `Sort order, \`field,asc\` or \`field,desc\`. Fields: ${fields.join(', ')}.`,
      },
    ),
  ),
});

function parseSort<F extends string>(
  sort: readonly Sorted<F>[] | undefined,
  columns: Partial<Record<F, string>>,
): SortKey<F>[] {
  return (sort ?? []).map((entry) => {
    const [field, direction] = entry.split(',') as [F, 'asc' | 'desc'];
    return { field: (columns[field] ?? field) as F, direction };
  });
}

export const separatorQuery = {
  separator: Type.Optional({
    ...Words(SEPARATORS),
    description:
      'Separator of CSV. Without it a comma. Spreadsheets of regions with a decimal comma open files with a semicolon.',
  }),
};
