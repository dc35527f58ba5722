import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { plainText } from '../../kernel/pure/csv.ts';
import { KEY_COLUMNS, READ_ONLY_COLUMNS, SHEET_TEXTS, TEXT_COLUMNS, type SheetText } from './rules/product-sheet.ts';
import { MOST_SHEET_ROWS, type ProductTextsImport } from './schemas/product-texts.ts';

export type SheetError = ProductTextsImport['errors'][number];
/**
 * One line: id and article number as they are written, empty without the column, and the texts of
 * the columns that the sheet has.
 */
export type SheetRow = { row: number; id: string; sku: string; texts: Partial<Record<SheetText, string>> };

/** Separators of sheets: Excel writes semicolons where the comma belongs to numbers. */
const SEPARATORS = [',', ';', '\t'];
const COLUMNS = new Set<string>([...KEY_COLUMNS, ...Object.values(TEXT_COLUMNS), ...READ_ONLY_COLUMNS]);

const fault = (field: string, code: string, message: string, row: number | null = null): SheetError => ({
  row,
  field,
  code,
  message,
});

/** Bytes that are parsed at once, so that other requests are answered in between. */
const PIECE_BYTES = 65_536;

/**
 * Reads a sheet of texts (rules CAT-27, CAT-28): UTF-8 with or without a byte order mark, separated
 * by commas, semicolons or tabs. Errors of the file as a whole leave no rows.
 */
export async function readSheet(bytes: Buffer): Promise<{ rows: SheetRow[]; errors: SheetError[] }> {
  const failed = (code: string, message: string, row: number | null = null) => ({
    rows: [],
    errors: [fault('file', code, message, row)],
  });
  if (!isUtf8(bytes)) return failed('format', 'The file is not UTF-8. Save it as “CSV UTF-8”.');
  const lines = await linesOf(bytes);
  if ('line' in lines) return failed('format', 'A quote is not closed or misplaced.', lines.line);
  const [header = [], ...cells] = lines.cells;
  const errors = headerErrors(header);
  if (errors.length > 0) return { rows: [], errors };
  if (cells.length > MOST_SHEET_ROWS) return failed('max_items', `At most ${MOST_SHEET_ROWS} rows.`);
  const rows: SheetRow[] = [];
  for (const [at, line] of cells.entries()) {
    const row = at + 2;
    // Excel leaves lines of separators behind.
    if (line.every((cell) => cell === '')) continue;
    if (line.length === header.length) rows.push(rowOf(header, line, row));
    else errors.push(fault('file', 'invalid', `The row has ${line.length} cells instead of ${header.length}.`, row));
  }
  return { rows, errors };
}

async function linesOf(bytes: Buffer): Promise<{ cells: string[][] } | { line: number }> {
  const header = bytes
    .subarray(0, PIECE_BYTES)
    .toString()
    .split(/[\r\n]/, 1)[0]!;
  const delimiter = SEPARATORS.find((separator) => header.includes(separator)) ?? ',';
  const parser = parse({ bom: true, delimiter, relax_column_count: true });
  const cells: string[][] = [];
  try {
    for await (const line of Readable.from(piecesOf(bytes)).compose(parser)) cells.push(line as string[]);
    return { cells };
  } catch (error) {
    if (error instanceof CsvError) return { line: Number(error['lines'] ?? 1) };
    throw error;
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function headerErrors(header: readonly string[]): SheetError[] {
  const unknown = header.filter((name) => !COLUMNS.has(name));
  const doubled = header.filter((name, at) => header.indexOf(name) !== at);
  return [
    ...(KEY_COLUMNS.some((name) => header.includes(name))
      ? []
      : [fault('id', 'required', 'The sheet has no column id or sku.', 1)]),
    ...unknown.map((name) => fault(name, 'unknown_field', 'The sheet has an unknown column.', 1)),
    ...doubled.map((name) => fault(name, 'duplicate', 'The sheet has this column twice.', 1)),
  ];
}

function rowOf(header: readonly string[], line: readonly string[], row: number): SheetRow {
  const cellOf = (name: string) => plainText(line[header.indexOf(name)] ?? '');
  const texts = SHEET_TEXTS.filter((text) => header.includes(TEXT_COLUMNS[text]));
  return {
    row,
    id: cellOf('id').trim(),
    sku: cellOf('sku').trim(),
    texts: Object.fromEntries(texts.map((text) => [text, cellOf(TEXT_COLUMNS[text])])),
  };
}
