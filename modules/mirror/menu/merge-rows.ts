import type { Tx } from '../../../platform/db/database.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

/** Columns of the select are named like those of the table. */
export type Wanted = {
  table: string;
  keys: readonly string[];
  columns: readonly string[];
  /** A table name or a parenthesized select with `params`. */
  source: string;
  params?: readonly unknown[];
  /** Value of `synchronized_run` for every row, changed or not. */
  runId?: number;
  /** Value of `changed_at` for written rows, in tables without `synchronized_run`. */
  changedAt?: Date;
  /** Other connections may insert the same key concurrently. */
  isShared?: boolean;
  /** Number of source rows. If all were inserted, nothing is compared. */
  total?: number;
};

export type Merged = { created: number; updated: number };

/**
 * Inserts missing rows, updates changed rows and stamps the others. Equal rows are not rewritten,
 * so that an unchanged menu costs only its stamps (MIR-9).
 */
export async function mergeRows(tx: Tx, spec: Wanted): Promise<Merged> {
  const text = textSql(tx);
  const { table, keys, columns, source, params = [], isShared = false, total } = spec;
  const mark = buildMark(spec);
  const values = [...params, ...(mark === null ? [] : [mark.value])];
  const names = [...keys, ...columns];
  const sameKey = keys.map((key) => `old.${key} = new.${key}`).join(' and ');

  const created = await text.execute(
    `insert into ${table} (${[...names, ...(mark === null ? [] : [mark.column])].join(', ')})
     select ${[...names.map((name) => `new.${name}`), ...(mark === null ? [] : [mark.parameter])].join(', ')} from ${source} new
      where not exists (select 1 from ${table} old where ${sameKey})
      order by ${keys.map((key) => `new.${key}`).join(', ')} ${isShared ? 'on conflict do nothing' : ''}`,
    values,
  );
  if (created === total) return { created, updated: 0 };

  // All imports lock rows in this order to prevent deadlocks.
  if (isShared)
    await text.execute(
      `select from ${table} old where exists (select 1 from ${source} new where ${sameKey})
        order by ${keys.map((key) => `old.${key}`).join(', ')} for no key update`,
      params,
    );

  const updated = await text.execute(
    `update ${table} old
        set ${[...columns.map((name) => `${name} = new.${name}`), ...(mark === null ? [] : [`${mark.column} = ${mark.parameter}`])].join(', ')}
       from ${source} new
      where ${sameKey} and ${differs('old', 'new', columns)}`,
    values,
  );

  if (mark?.column === 'synchronized_run') {
    await text.execute(
      `update ${table} old set synchronized_run = ${mark.parameter} from ${source} new
        where ${sameKey} and old.synchronized_run <> ${mark.parameter}`,
      values,
    );
  }

  return { created, updated };
}

type Mark = { column: 'synchronized_run' | 'changed_at'; parameter: string; value: unknown };

function buildMark({ runId, changedAt, params = [] }: Wanted): Mark | null {
  const at = `$${params.length + 1}`;
  if (runId !== undefined)
    return { column: 'synchronized_run', parameter: `${at}::bigint`, value: runId };
  if (changedAt !== undefined)
    return { column: 'changed_at', parameter: `${at}::timestamptz`, value: changedAt };

  return null;
}

/** Returns a condition that two rows differ in a column. Nulls are equal. */
export function differs(left: string, right: string, columns: readonly string[]): string {
  const row = (alias: string): string =>
    `(${columns.map((name) => `${alias}.${name}`).join(', ')})`;
  return `${row(left)} is distinct from ${row(right)}`;
}

/**
 * Creates a temporary table with statistics, and an index for each list of joined columns. Without
 * them the planner expects one row and reads the whole table for each row (MIR-53). Returns the
 * number of rows.
 */
export async function temporary(
  tx: Tx,
  table: { name: string; joinedBy: readonly (readonly string[])[] },
  select: string,
  params: readonly unknown[] = [],
): Promise<number> {
  const text = textSql(tx);
  await text.execute(`create temporary table ${table.name} on commit drop as ${select}`, params);
  for (const columns of table.joinedBy)
    await text.execute(`create index on ${table.name} (${columns.join(', ')})`);
  await text.execute(`analyze ${table.name} (${[...new Set(table.joinedBy.flat())].join(', ')})`);
  const [counted] = await text.query<{ rows: number }>(
    `select count(*) as rows from ${table.name}`,
  );

  return counted!.rows;
}
