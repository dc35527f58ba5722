import { BOM, csvLine, type CsvCell, type Separator } from './pure/csv.ts';

/** Formats of an export. */
export type ExportFormat = 'csv' | 'jsonl';

/** The form of an export; the separator is that of CSV. */
export type ExportForm = { format: ExportFormat; separator?: Separator | undefined };

/** A list is separated by spaces in CSV and an array in JSONL. */
type ExportValue = CsvCell | boolean | Date | readonly (number | string)[];

/** Columns of an export by their stable names, each with its value in a row. */
export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => ExportValue>>;

/** Rows of a chunk. */
const CHUNK_ROWS = 100;

/**
 * The text of an export in chunks of rows (rule HTTP-44). `progress`
 * counts the rows. The last line of JSONL is `{"end":true,"rows":…}`: a file without it is cut off
 * (rule HTTP-45).
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
      return format === 'csv' ? csvLine(cells.map(cellOf), separator) : jsonLine(names, cells);
    });
    // Large texts live longer in memory.
    for (let at = 0; at < lines.length; at += CHUNK_ROWS) yield lines.slice(at, at + CHUNK_ROWS).join('');
  }
  if (format === 'jsonl') yield `${JSON.stringify({ end: true, rows: progress.rows })}\n`;
}

function cellOf(value: ExportValue): CsvCell {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return String(value);
  return value !== null && typeof value === 'object' ? value.join(' ') : value;
}

const jsonLine = (names: readonly string[], values: readonly ExportValue[]): string =>
  `{${names.map((name, at) => `"${name}":${JSON.stringify(values[at])}`).join(',')}}\n`;
