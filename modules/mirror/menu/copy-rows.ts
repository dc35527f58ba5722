import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { PoolClient } from 'pg';

/** Objects are written as JSON. */
export type CopyValue = string | number | boolean | null | object;

/** Limits the memory for text (MIR-10). */
const ROWS_PER_COPY = 10_000;

/** Streams rows into a table with COPY and returns their number. `columns` must be trusted. */
export async function copyRows(
  client: PoolClient,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<number> {
  const statement = `copy ${table} (${columns.join(', ')}) from stdin`;
  let lines: string[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const stream = client.query(copyFrom(statement));
    const done = finished(stream);
    stream.end(lines.join(''));
    lines = [];
    await done;
  };

  for (const row of rows) {
    lines.push(`${row.map(field).join('\t')}\n`);
    count += 1;
    if (lines.length === ROWS_PER_COPY) await flush();
  }

  await flush();

  return count;
}

const SPECIAL = /[\\\t\n\r]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function field(value: CopyValue): string {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? character);
}
