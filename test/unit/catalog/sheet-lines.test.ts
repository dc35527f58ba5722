import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvText, SEPARATORS } from '../../../kernel/pure/csv.ts';
import {
  LONGEST_CELL,
  MOST_COLUMNS,
  sheetLines,
} from '../../../modules/catalog/rules/sheet-lines.ts';

const read = (text: string) =>
  [...sheetLines(text)].map((line) => ('fault' in line ? line.fault : line.cells));

describe('the lines of a sheet', () => {
  test.each<[string, string, unknown[]]>([
    [
      'separators behind the header',
      'id;name;;\r\n7;Суп;;\r\n',
      [
        ['id', 'name', '', ''],
        ['7', 'Суп', '', ''],
      ],
    ],
    [
      'a row without its last cells',
      'id;name;subtitle\r\n7;Суп\r\n',
      [
        ['id', 'name', 'subtitle'],
        ['7', 'Суп'],
      ],
    ],
    ['a named separator', 'sep=;\r\nid;a,b,c\n', [['id', 'a,b,c']]],
    ['an empty first line', '\n\nid\tname\n', [[''], [''], ['id', 'name']]],
    [
      'line ends of old computers',
      'id,name\r7,Суп\r',
      [
        ['id', 'name'],
        ['7', 'Суп'],
      ],
    ],
    [
      'no line end at the end',
      'id,name\n7,',
      [
        ['id', 'name'],
        ['7', ''],
      ],
    ],
    [
      'quoted separators and line ends',
      'id;name\n7;"a;b\n""c"""\n',
      [
        ['id', 'name'],
        ['7', 'a;b\n"c"'],
      ],
    ],
    [
      'blanks behind a quoted cell',
      'id;name\n"7" ;"Суп" \n',
      [
        ['id', 'name'],
        ['7', 'Суп'],
      ],
    ],
    [
      'quotes inside a cell',
      'id;name\n7;Суп "Щи" 12"\n',
      [
        ['id', 'name'],
        ['7', 'Суп "Щи" 12"'],
      ],
    ],
    [
      'quotes at the beginning of a cell with tabs',
      'id\tname\n7\t"Щи" суп\n',
      [
        ['id', 'name'],
        ['7', '"Щи" суп'],
      ],
    ],
    [
      'an open quote in a cell with tabs',
      'id\tname\n7\t"Щи\n8\tборщ"\n',
      [
        ['id', 'name'],
        ['7', '"Щи'],
        ['8', 'борщ"'],
      ],
    ],
    [
      'quoted cells with tabs',
      'id\tname\n7\t"a ""b"""\n',
      [
        ['id', 'name'],
        ['7', 'a "b"'],
      ],
    ],
    [
      'more commas than semicolons in a text',
      'id;name\n7;a,b,c,d\n',
      [
        ['id', 'name'],
        ['7', 'a,b,c,d'],
      ],
    ],
    ['nothing', '', []],
  ])('[CAT-56] can be read with %s', (_, text, lines) => {
    expect(read(text)).toEqual(lines);
  });

  test.each([
    ['an open quote', 'id,name\n7,"Суп\n', 'QUOTE'],
    ['text behind a quote', 'id,name\n7,"Суп" щи\n', 'QUOTE'],
    ['an endless cell', `id,name\n7,${'я'.repeat(LONGEST_CELL + 1)}\n`, 'CELL'],
    ['an endless quoted cell', `id,name\n7,"${'""'.repeat(LONGEST_CELL)}"\n`, 'CELL'],
    ['an endless line', `id${','.repeat(MOST_COLUMNS)}\n`, 'COLUMNS'],
  ])('[CAT-56] end at %s', (_, text, fault) => {
    expect(read(text).at(-1)).toBe(fault);
  });

  test('[CAT-28] equal those of an exported table, with any texts and separator', () => {
    const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^["',;\t\r\n a-]*$/));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell)),
        fc.constantFrom(...SEPARATORS),
        (rows, separator) => {
          // The header determines the separator, and formulas begin with an apostrophe.
          const texts = rows.map(([one, other]) => [`a${one}`, `a${other}`]);
          expect(read(csvText(['id', 'name'], texts, separator))).toEqual([
            ['id', 'name'],
            ...texts,
          ]);
        },
      ),
    );
  });
});
