export type CsvCell = string | number | null;

/**
 * Text that a spreadsheet would evaluate as a formula. A leading apostrophe also matches, so that
 * reading restores the exact text.
 */
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** Spreadsheets of some regions expect a semicolon. */
export const SEPARATORS = [',', ';'] as const;
export type Separator = (typeof SEPARATORS)[number];

const QUOTED = /["\r\n]/;

/** Excel detects UTF-8 only with this mark. */
export const BOM = '\uFEFF';

/**
 * Returns CSV (RFC 4180) with a header line. Text that could be a formula gets an apostrophe
 * (CMP-58).
 */
export function csvText(
  columns: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  separator?: Separator,
): string {
  return [columns, ...rows].map((cells) => csvLine(cells, separator)).join('');
}

export const csvLine = (cells: readonly CsvCell[], separator: Separator = ','): string =>
  `${cells.map((cell) => cellText(cell, separator)).join(separator)}\r\n`;

/** Removes the apostrophe that {@link csvLine} adds to formulas. */
export const plainText = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

function cellText(cell: CsvCell, separator: Separator): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell === null ? '' : cell;
  const harmless = FORMULA.test(text) ? `'${text}` : text;

  return QUOTED.test(harmless) || harmless.includes(separator)
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
