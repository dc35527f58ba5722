/** Excel writes semicolons in locales with a decimal comma. */
const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

export const MOST_COLUMNS = 200;
/** UTF-16 units, more than spreadsheet cells can have. */
export const LONGEST_CELL = 100_000;

/** An unclosed quote, an overlong cell or too many columns. */
export type LineFault = 'QUOTE' | 'CELL' | 'COLUMNS';

export type SheetLine = { cells: string[] } | { fault: LineFault };

/** Prefers a `sep=` line to the most frequent separator. */
function detectSeparator(text: string): { separator: Separator; from: number } {
  const [, named] = /^\s*sep=([,;\t])[ \t,;]*(?:\r\n|\r|\n)/i.exec(text) ?? [];
  if (named !== undefined) return { separator: named as Separator, from: text.search(/[\r\n]/) };
  const first = /[^\r\n]+/.exec(text.slice(0, LONGEST_CELL))?.[0] ?? '';
  const countCells = (separator: Separator): number => first.split(separator).length;
  const separator = SEPARATORS.reduce((best, next) =>
    countCells(next) > countCells(best) ? next : best,
  );

  return { separator, from: 0 };
}

/**
 * Parses lines as spreadsheets write them (CAT-56). A quote inside a cell is a plain character. In
 * files with tabs, so is an unclosed quote at the start, because Google Sheets does not quote
 * there.
 */
export function* sheetLines(text: string): Generator<SheetLine> {
  const { separator, from } = detectSeparator(text);
  const plain = new RegExp(`[^${separator}\r\n]{0,${LONGEST_CELL + 1}}`, 'y');
  const ends = new RegExp(`[^\\S\r\n${separator}]*(?:${separator}|\r\n|\r|\n|$)`, 'y');
  const findEnd = (pattern: RegExp, start: number): number => {
    pattern.lastIndex = start;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };

  /** Returns -1 if no quoted cell begins there. */
  const quotedEnd = (start: number): number => {
    if (text[start] !== '"') return -1;
    let at = text.indexOf('"', start + 1);
    while (at >= 0 && text[at + 1] === '"' && at - start <= LONGEST_CELL)
      at = text.indexOf('"', at + 2);
    if (at < 0) return -1;
    if (at - start > LONGEST_CELL) return at + 1;
    if (separator === '\t' && text.slice(start, at).includes('\t')) return -1;

    return findEnd(ends, at + 1) < 0 ? -1 : at + 1;
  };

  let cells: string[] = [];
  let at = from === 0 ? 0 : findEnd(ends, from);

  while (at < text.length || cells.length > 0) {
    const closed = quotedEnd(at);
    const isQuoted = closed >= 0;
    const end = isQuoted ? closed : findEnd(plain, at);
    const fault = findFault({
      isOpen: !isQuoted && text[at] === '"' && separator !== '\t',
      length: end - at,
      cells,
    });

    if (fault !== null) {
      yield { fault };
      return;
    }

    cells.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    at = findEnd(ends, end);
    if (at > end && text[at - 1] === separator) continue;
    yield { cells };
    cells = [];
  }
}

function findFault(cell: {
  isOpen: boolean;
  length: number;
  cells: readonly string[];
}): LineFault | null {
  if (cell.isOpen) return 'QUOTE';
  if (cell.length > LONGEST_CELL) return 'CELL';
  return cell.cells.length === MOST_COLUMNS ? 'COLUMNS' : null;
}
