import { isUtf8 } from 'node:buffer';
import { plainText } from '../../../kernel/pure/csv.ts';
import { createBreather } from '../../../platform/breather.ts';
import {
  KEY_COLUMNS,
  READ_ONLY_COLUMNS,
  SHEET_TEXTS,
  TEXT_COLUMNS,
  type SheetText,
} from '../rules/product-sheet.ts';
import { LONGEST_CELL, MOST_COLUMNS, sheetLines, type LineFault } from '../rules/sheet-lines.ts';
import { MOST_SHEET_ROWS, type ProductTextsImport } from '../schemas/product-texts.ts';

export type SheetError = ProductTextsImport['errors'][number];

/** `id` or `sku` is empty without that column. */
export type SheetRow = {
  row: number;
  id: string;
  sku: string;
  texts: Partial<Record<SheetText, string>>;
};

export type Sheet = { rows: SheetRow[]; errors: SheetError[]; faulty: number };

const COLUMNS = new Set<string>([
  ...KEY_COLUMNS,
  ...Object.values(TEXT_COLUMNS),
  ...READ_ONLY_COLUMNS,
]);

const fault = (
  field: string,
  code: string,
  message: string,
  row: number | null = null,
): SheetError => ({
  row,
  field,
  code,
  message,
});

const LINE_FAULTS: Readonly<Record<LineFault, readonly [code: string, message: string]>> = {
  QUOTE: ['format', 'A quote is not closed or misplaced.'],
  CELL: ['max_length', `A cell has more than ${LONGEST_CELL} characters.`],
  COLUMNS: ['max_items', `At most ${MOST_COLUMNS} columns.`],
};

/**
 * Reads a sheet of texts (CAT-27, CAT-28, CAT-56). The first line with text is the header. An error
 * of the whole file returns no rows. Yields to other requests.
 */
export async function readSheet(bytes: Buffer): Promise<Sheet> {
  const failed = (...errors: SheetError[]): Sheet => ({ rows: [], errors, faulty: 0 });
  if (!isUtf8(bytes))
    return failed(fault('file', 'format', 'The file is not UTF-8. Save it as “CSV UTF-8”.'));
  const breathe = createBreather();
  const sheet: Sheet = { rows: [], errors: [], faulty: 0 };
  let header: string[] | null = null;
  let [row, headerRow] = [0, 0];

  for (const line of sheetLines(bytes.toString().replace(/^\uFEFF/, ''))) {
    row += 1;
    await breathe();
    if ('fault' in line) return failed(fault('file', ...LINE_FAULTS[line.fault], row));
    if (row - headerRow > MOST_SHEET_ROWS)
      return failed(fault('file', 'max_items', `At most ${MOST_SHEET_ROWS} rows.`));
    // Spreadsheets may write empty lines and lines of separators.
    if (line.cells.every(isBlank)) continue;
    if (header === null) {
      header = line.cells.map(toColumn);
      const errors = headerErrors(header, line.cells, row);
      if (errors.length > 0) return failed(...errors);
      headerRow = row;
      continue;
    }

    const surplus = line.cells.findIndex(
      (cell, at) => !isBlank(cell) && (header?.[at] ?? '') === '',
    );
    if (surplus < 0) sheet.rows.push(toRow(header, line.cells, row));
    else {
      sheet.faulty += 1;
      sheet.errors.push(
        fault('file', 'invalid', `Cell ${surplus + 1} of the row has no column.`, row),
      );
    }
  }

  return header === null ? failed(...headerErrors([], [], 1)) : sheet;
}

const isBlank = (cell: string): boolean => cell.trim() === '';

const toColumn = (cell: string): string => cell.trim().toLowerCase().replaceAll(/\s+/g, '_');

function headerErrors(
  header: readonly string[],
  cells: readonly string[],
  row: number,
): SheetError[] {
  const names = header.map((name, at) => ({ name, at })).filter(({ name }) => name !== '');
  const unknown = names.filter(({ name }) => !COLUMNS.has(name));
  const doubled = names.filter(({ name, at }) => COLUMNS.has(name) && header.indexOf(name) !== at);

  return [
    ...(KEY_COLUMNS.some((name) => header.includes(name))
      ? []
      : [fault('id', 'required', 'The sheet has no column id or sku.', row)]),
    ...unknown.map(({ at }) =>
      fault(cells[at]!.trim(), 'unknown_field', 'The sheet has an unknown column.', row),
    ),
    ...doubled.map(({ name }) => fault(name, 'duplicate', 'The sheet has this column twice.', row)),
  ];
}

/** Missing cells at the end are empty. */
function toRow(header: readonly string[], cells: readonly string[], row: number): SheetRow {
  const readCell = (name: string) => plainText(cells[header.indexOf(name)] ?? '');
  const texts = SHEET_TEXTS.filter((text) => header.includes(TEXT_COLUMNS[text]));

  return {
    row,
    id: readCell('id').trim(),
    sku: readCell('sku').trim(),
    texts: Object.fromEntries(texts.map((text) => [text, readCell(TEXT_COLUMNS[text])])),
  };
}
