import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvText, plainText } from '../../kernel/pure/csv.ts';

/** An independent reader of RFC 4180. */
function parsed(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, separator, quoted, plain] of text.matchAll(
    /(^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g,
  )) {
    if (separator !== ',') rows.push((row = []));
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  return rows.slice(0, -1);
}

describe('an exported sheet', () => {
  test('[CMP-58] contains lines that end in CRLF, and quotes special characters', () => {
    expect(
      csvText(
        ['a', 'b'],
        [
          ['x,y', 'say "hi"'],
          ['one\ntwo', null],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""hi"""\r\n"one\ntwo",\r\n');
  });

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\t1',
    '\r=1',
    '\n=1',
    '＝1',
    "=cmd|'/c calc'!A0",
  ])('[CMP-58] calculates nothing of %j', (text) => {
    expect(parsed(csvText(['name'], [[text]]))[1]).toEqual([`'${text}`]);
  });

  test('keeps numbers as numbers, also negative ones, and harmless texts unchanged', () => {
    expect(csvText(['n', 'm', 't'], [[-1, 0.5, 'Кафе у моря']])).toBe(
      'n,m,t\r\n-1,0.5,Кафе у моря\r\n',
    );
  });

  test('[CMP-58, CAT-27] can be read back unchanged, with any content', () => {
    const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=+@"',\r\n a-]*$/));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const [, ...read] = parsed(csvText(['a', 'b'], rows));
        expect(read.map((row) => row.map(plainText))).toEqual(rows);
      }),
    );
  });
});
