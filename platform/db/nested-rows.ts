import { sql, type Expression, type RawBuilder } from 'kysely';

declare const nested: unique symbol;
/** Read with {@link unnestRows}. */
export type NestedRows<Row> = { readonly [nested]: Row };

/** Timestamps are strings in JSON. */
export type AsJson<Row> = {
  [K in keyof Row]: Row[K] extends Date
    ? string
    : Row[K] extends Date | null
      ? string | null
      : Row[K];
};

/** Returns an expression for the rows of a query as one JSON value. */
export function nestRows<Row>(query: Expression<Row>): RawBuilder<NestedRows<AsJson<Row>>> {
  return sql`(select coalesce(json_agg(each), '[]') from (${query}) each)`;
}

export function unnestRows<Row>(value: NestedRows<Row>): Row[] {
  return (value as unknown as Record<string, unknown>[]).map(
    (row) =>
      Object.fromEntries(Object.entries(row).map(([name, each]) => [camelCase(name), each])) as Row,
  );
}

const names = new Map<string, string>();

function camelCase(column: string): string {
  const existing = names.get(column);
  if (existing !== undefined) return existing;
  const name = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  names.set(column, name);
  return name;
}

/** UTC with milliseconds and `Z`, like other answers. */
export function jsonMoment(moment: Expression<unknown>): RawBuilder<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
