import { BOM, csvLine, type CsvCell, type Separator } from './pure/csv.ts';

export type ExportFormat = 'csv' | 'jsonl';

export type ExportForm = { format: ExportFormat; separator?: Separator | undefined };

/** Lists are joined by spaces in CSV. */
type ExportValue = CsvCell | boolean | Date | readonly (number | string)[];

export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => ExportValue>>;

const CHUNK_ROWS = 100;

/**
 * Yields an export in chunks (HTTP-44). `progress` counts rows. A JSONL file without the last
 * line `{"end":true,"rows":…}` is truncated (HTTP-45).
 */
export async function* exportText<Row>(
  columns: ExportColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
  { format, separator }: ExportForm,
  progress: { rows: number },
): AsyncGenerator<string> {
  const names = Object.keys(columns);
  const values = Object.values(columns);
  if (format === 'csv') yield BOM + csvLine(names, separator);

  for await (const page of pages) {
    progress.rows += page.length;
    const lines = page.map((row) => {
      const cells = values.map((value) => value(row));
      return format === 'csv' ? csvLine(cells.map(toCell), separator) : jsonLine(names, cells);
    });

    // Large strings live longer in memory.
    for (let at = 0; at < lines.length; at += CHUNK_ROWS)
      yield lines.slice(at, at + CHUNK_ROWS).join('');
  }

  if (format === 'jsonl') yield `${JSON.stringify({ end: true, rows: progress.rows })}\n`;
}

function toCell(value: ExportValue): CsvCell {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return String(value);
  return value !== null && typeof value === 'object' ? value.join(' ') : value;
}

const jsonLine = (names: readonly string[], values: readonly ExportValue[]): string =>
  `{${names.map((name, at) => `"${name}":${JSON.stringify(values[at])}`).join(',')}}\n`;
