/** A value of a cell; null is an empty cell. */
export type CsvCell = string | number | null;

/**
 * Text that a spreadsheet would calculate, also behind white space and with the wide forms of these
 * signs. Text with an apostrophe in front of it counts too, so that reading is exact.
 */
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** Characters between cells: spreadsheets of some regions expect a semicolon. */
export const SEPARATORS = [',', ';'] as const;
export type Separator = (typeof SEPARATORS)[number];

const QUOTED = /["\r\n]/;

/** The byte order mark, by which Excel recognizes UTF-8. */
export const BOM = '\uFEFF';

/**
 * A table as RFC 4180 writes it: lines end in CRLF, the first one names the columns. A text that a
 * spreadsheet would take for a formula gets an apostrophe in front (rule CMP-58); numbers stay
 * numbers, also negative ones.
 */
export function csvText(
  columns: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  separator?: Separator,
): string {
  return [columns, ...rows].map((cells) => csvLine(cells, separator)).join('');
}

/** One line of a table, with its CRLF. */
export const csvLine = (cells: readonly CsvCell[], separator: Separator = ','): string =>
  `${cells.map((cell) => cellText(cell, separator)).join(separator)}\r\n`;

/** The text of a cell without the apostrophe that {@link csvLine} puts in front of formulas. */
export const plainText = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

function cellText(cell: CsvCell, separator: Separator): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell === null ? '' : cell;
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) || harmless.includes(separator) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
