/** The content of a cell; nothing is an empty cell. */
export type CsvCell = string | number | null;

/**
 * Spreadsheets calculate what begins so, also behind white space and in the wide forms of these
 * signs.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const QUOTED = /[",\r\n]/;

/**
 * A table as RFC 4180 writes it: lines end in CRLF, the first one names the columns. A text that a
 * spreadsheet would take for a formula gets an apostrophe in front (rule CMP-58); numbers stay
 * numbers, also negative ones.
 */
export function csvText(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell === null ? '' : cell;
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
