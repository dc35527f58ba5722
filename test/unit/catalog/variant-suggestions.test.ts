import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isSameBase,
  suggestVariants,
  type SuggestionAxis,
  type SuggestionSize,
} from '../../../modules/catalog/rules/variant-suggestions.ts';

let next = 0;
const dish = (
  itemName: string,
  sizes: readonly (string | null)[] = [null],
  codes: readonly string[] = [],
): SuggestionSize[] => {
  const itemId = `item ${(next += 1)}`;
  return sizes.map((sizeName, at) => ({
    itemId,
    itemSizeId: (next += 1),
    itemName,
    sizeName,
    sizeCode: codes[at] ?? null,
    sku: null,
    boundProduct: null,
  }));
};
const axis = (
  id: number,
  code: string,
  options: readonly (readonly [code: string, name: string])[],
): SuggestionAxis => ({
  id,
  code,
  name: code,
  options: options.map(([optionCode, name], at) => ({
    id: id * 100 + at,
    code: optionCode,
    name,
    shortName: null,
  })),
});
const DIAMETER = axis(1, 'PIZZA', [
  ['CM25', '25 см'],
  ['CM30', '30 см'],
]);
const VOLUME = axis(2, 'BOTTLE', [
  ['SMALL', '0,33 л'],
  ['BIG', '0,5 л'],
]);
const LETTERS = axis(3, 'CUP', [
  ['S', 'Маленький'],
  ['M', 'Средний'],
  ['L', 'Большой'],
]);

function suggested(sizes: readonly SuggestionSize[], axes: readonly SuggestionAxis[] = []) {
  const [first] = sizes;
  const { baseName, detectedAxis, candidates } = suggestVariants(
    { itemId: first!.itemId, name: first!.itemName },
    sizes,
    axes,
  );
  return {
    base: baseName,
    axis: detectedAxis && `${detectedAxis.id ?? 'new'} ${detectedAxis.code}`,
    options: candidates.map(({ detectedOption: of, confidence }) =>
      of === null ? `none ${confidence}` : `${of.id ?? 'new'} ${of.code} ${confidence}`,
    ),
  };
}

describe('the suggestions of variants', () => {
  test('[BND-6] turn dishes of one base name into options of our axis, by unit and value', () => {
    expect(
      suggested([...dish('Пепперони 30 см'), ...dish('Пепперони (25см)')], [VOLUME, DIAMETER]),
    ).toEqual({
      base: 'Пепперони',
      axis: '1 PIZZA',
      options: ['100 CM25 0.95', '101 CM30 1'],
    });
    expect(
      suggested([...dish('Кола 500 мл'), ...dish('Кола 0,33 л')], [DIAMETER, VOLUME]),
    ).toMatchObject({
      axis: '2 BOTTLE',
      options: ['200 SMALL 0.95', '201 BIG 1'],
    });
  });

  test('contain a candidate for each size of a dish, by letters, words and codes', () => {
    const words = dish('Капучино', ['большой', 'средний', 'маленький']);
    expect(suggested(words, [LETTERS])).toEqual({
      base: 'Капучино',
      axis: '3 CUP',
      options: ['300 S 1', '301 M 1', '302 L 1'],
    });
    expect(suggested(dish('Латте', ['Стаканчик', 'Кружка'], ['S', 'L']), [LETTERS])).toMatchObject({
      axis: '3 CUP',
      options: ['300 S 1', '302 L 1'],
    });
  });

  test('propose a size that only its code distinguishes under its name', () => {
    const options = (names: string[], codes: string[]) => {
      const sizes = dish('Бургер', names, codes);
      const { candidates } = suggestVariants(
        { itemId: sizes[0]!.itemId, name: 'Бургер' },
        sizes,
        [],
      );
      return candidates.map(
        ({ detectedOption }) => `${detectedOption?.code} ${detectedOption?.name}`,
      );
    };

    expect(options(['Двойной', 'Тройной', 'Стандарт'], ['X2', 'X3', 'ST'])).toEqual([
      'X2 Двойной',
      'X3 Тройной',
      'ST Стандарт',
    ]);
    expect(options(['С сыром', ' С беконом '], ['CH', 'BC'])).toEqual([
      'CH С сыром',
      'BC С беконом',
    ]);
    expect(options(['', ' '], ['CH', 'BC'])).toEqual(['CH CH', 'BC BC']);
  });

  test('ignore a code if the name contains the size, or if the code is blank', () => {
    expect(
      suggested(dish('Капучино', ['Маленький', 'Большой'], ['M', 'XL']), [LETTERS]).options,
    ).toEqual(['300 S 1', '302 L 1']);
    expect(suggested(dish('Пицца', ['Тонкая', 'Пышная'], [' ', ' '])).options).toEqual([
      'new TONKAYA 0.5',
      'new PYSHNAYA 0.5',
    ]);
  });

  test('find an option by its size, with any name', () => {
    const words = axis(4, 'WORDS', [['A', 'Маленький']]);

    expect(suggested([...dish('Капучино S'), ...dish('Капучино L')], [words]).options).toEqual([
      '400 A 1',
      'new L 0.76',
    ]);
  });

  test.each([
    ['pieces are no centimetres', dish('Наггетсы', ['25 шт']), DIAMETER, ['new 25 0.9']],
    [
      'the place of a word among sizes is no number',
      dish('Капучино', ['S', 'L']),
      axis(4, 'A', [
        ['A', '2'],
        ['B', '4'],
      ]),
      ['new S 0.8', 'new L 0.8'],
    ],
    [
      'one sign is not another',
      dish('Лапша', ['🔥', '💧']),
      axis(4, 'A', [['HOT', '🔥']]),
      ['400 HOT 1', 'new OPTION 0.5'],
    ],
  ])('find an option only by its size: %s', (_what, sizes, known, expected) => {
    expect(suggested(sizes, [known]).options).toEqual(expected);
  });

  test('limit the code of an option to 50 characters', () => {
    expect(suggested(dish('Пицца', ['Ы'.repeat(60)])).options).toEqual([
      `new ${'Y'.repeat(50)} 0.5`,
    ]);
  });

  test('read numbers without a unit in the unit of the axis that contains them', () => {
    expect(suggested(dish('Маргарита', ['25', '30', '35']), [VOLUME, DIAMETER])).toEqual({
      base: 'Маргарита',
      axis: '1 PIZZA',
      options: ['100 CM25 1', '101 CM30 1', 'new 35 0.6'],
    });
  });

  test('propose a missing option for our axis, or an axis if there is none', () => {
    expect(
      suggested([...dish('Пепперони 25 см'), ...dish('Пепперони 40 см')], [DIAMETER]),
    ).toMatchObject({
      axis: '1 PIZZA',
      options: ['100 CM25 1', 'new 40 0.86'],
    });
    expect(suggested([...dish('Наггетсы 6 шт'), ...dish('Наггетсы 9 шт')], [DIAMETER])).toEqual({
      base: 'Наггетсы',
      axis: 'new PIECES',
      options: ['new 6 0.9', 'new 9 0.86'],
    });
    expect(suggested(dish('Пицца', ['Тонкое тесто', 'Пышное тесто']))).toMatchObject({
      base: 'Пицца',
      axis: 'new KIND',
      options: ['new TONKOE_TESTO 0.5', 'new PYSHNOE_TESTO 0.5'],
    });
  });

  test('select an axis without the size that has most sizes of its kind', () => {
    const small = axis(0, 'SMALL', [['CM20', '20 см']]);

    expect(suggested(dish('Пицца', ['40 см']), [small, VOLUME, DIAMETER])).toMatchObject({
      axis: '1 PIZZA',
      options: ['new 40 0.9'],
    });
  });

  test.each([
    ['words', ['Тонкое тесто', 'Пышное тесто'], DIAMETER, 'new KIND'],
    ['numbers', ['25', '35'], axis(4, 'NUMBERS', [['A', '40']]), 'new SIZE'],
  ])('select no axis without a common size for %s', (_what, names, known, expected) => {
    expect(suggested(dish('Пицца', names), [known]).axis).toBe(expected);
  });

  test('use an axis of ours with the proposed code, with any options', () => {
    expect(suggested(dish('Наггетсы', ['6 шт']), [axis(9, 'PIECES', [])]).axis).toBe('9 PIECES');
  });

  test('use the kind with most sizes among those with equally many values, or the first', () => {
    const rolls = [...dish('Ролл 8 шт 250 г'), ...dish('Ролл 250 г'), ...dish('Ролл 250 г')];

    expect(suggested(rolls).axis).toBe('new WEIGHT');
    expect(suggested(dish('Ролл 250 г 8 шт')).axis).toBe('new PIECES');
  });

  test('put the size of the dish itself before others with the same option', () => {
    const [other, own] = [...dish('Кола 0,5 л'), ...dish('Кола 500 мл')];
    const { candidates } = suggestVariants(
      { itemId: own!.itemId, name: own!.itemName },
      [other!, own!],
      [VOLUME],
    );

    expect(candidates.map(({ name }) => name)).toEqual(['Кола 500 мл', 'Кола 0,5 л']);
  });

  test('use the property in which sizes with several properties differ', () => {
    const rolls = [...dish('Филадельфия 8 шт 250 г'), ...dish('Филадельфия 8 шт 300 г')];
    expect(suggested(rolls)).toEqual({
      base: 'Филадельфия',
      axis: 'new WEIGHT',
      options: ['new 250 0.9', 'new 300 0.86'],
    });
  });

  test('rate two sizes with one option lower, and keep one without an option unassigned', () => {
    const sizes = [...dish('Кола 0,5 л'), ...dish('Кола 500 мл'), ...dish('Кола')];
    expect(suggested(sizes, [VOLUME]).options).toEqual(['201 BIG 1', '201 BIG 0.48', 'none 0.38']);
  });

  test('find a number option without a unit by the number of the dish, or by its value', () => {
    const written = axis(4, 'A', [['HALF', '0,5']]);
    const value = axis(5, 'B', [['HALF', '500']]);
    const other = axis(6, 'C', [['HALF', '50']]);

    expect(suggested(dish('Кола', ['0,5 л']), [written]).options).toEqual(['400 HALF 1']);
    expect(suggested(dish('Кола', ['0,5 л']), [value]).options).toEqual(['500 HALF 1']);
    expect(suggested(dish('Кола', ['0,5 л']), [other]).options).toEqual(['new 500 0.9']);
  });

  test('use the oldest axis among those with equal matches', () => {
    const [first, second] = [4, 5].map((id) => axis(id, `PIZZA_${id}`, [['CM30', '30 см']]));

    expect(suggested(dish('Пицца 30 см'), [second!, first!]).axis).toBe('4 PIZZA_4');
  });

  test('contain the values and the owner of a candidate', () => {
    const [size] = dish('Кола', ['0,5 л']);
    const boundProduct = { id: 7, name: 'Кола' };
    const sizes = [
      { ...size!, sku: 'C5', boundProduct },
      ...dish('Кола 1 л').map((entry) => ({ ...entry, itemSizeId: size!.itemSizeId + 1 })),
    ];
    const { candidates } = suggestVariants({ itemId: size!.itemId, name: 'Кола' }, sizes, [VOLUME]);

    expect(candidates).toEqual([
      {
        itemId: size!.itemId,
        itemSizeId: size!.itemSizeId,
        name: 'Кола 0,5 л',
        sku: 'C5',
        detectedOption: { id: 201, code: 'BIG', name: '0,5 л' },
        confidence: 1,
        bound: true,
        boundProduct,
      },
      expect.objectContaining({ name: 'Кола 1 л', sku: null, bound: false, boundProduct: null }),
    ]);
  });

  test('contain at most 50 candidates', () => {
    const sizes = dish(
      'Кола',
      Array.from({ length: 51 }, (_, at) => `${at + 1} л`),
    );

    expect(suggested(sizes).options).toHaveLength(50);
  });

  test('leave a single word in the name, and a single unsized dish without an axis', () => {
    expect(suggested(dish('Большой завтрак'), [LETTERS])).toEqual({
      base: 'Большой завтрак',
      axis: null,
      options: ['none 0.4'],
    });
    expect(
      suggested([...dish('Большой капучино'), ...dish('Маленький капучино')], [LETTERS]),
    ).toMatchObject({
      base: 'капучино',
      options: ['300 S 0.95', '302 L 1'],
    });
  });

  test.each([
    ['Пепперони 25 см', 'пепперони (30 см)', true],
    ['Кофе «Латте» S', 'Кофе Латте, L', true],
    ['Мёд 100 г', 'Мед 250 г', true],
    ['Пепперони 25 см', 'Пепперони острая 25 см', false],
  ])('treat %s and %s as one base: %s', (one, other, expected) => {
    expect(isSameBase(one, other)).toBe(expected);
  });

  test('contain every size once in any order, with valid codes and unique likely options', () => {
    const names = fc.constantFrom(
      'Морс 0,5 л',
      'Морс 1 л',
      'Морс',
      'Морс 250 мл',
      'Морс S',
      'Морс бол.',
      'Морс 6 шт',
    );
    const named = fc.option(fc.constantFrom('25 см', '30', 'S', 'Пышное', '½', '💧', '0,5 л'), {
      nil: null,
    });
    const some = fc.array(fc.record({ name: names, size: named }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        some,
        fc.subarray([DIAMETER, VOLUME, LETTERS]),
        fc.integer(),
        (of, axes, seed) => {
          const sizes = of.flatMap(({ name, size }) => dish(name, [size]));
          const item = { itemId: sizes[0]!.itemId, name: sizes[0]!.itemName };
          const result = suggestVariants(item, sizes, axes);
          const at = Math.abs(seed) % sizes.length;
          expect(suggestVariants(item, [...sizes.slice(at), ...sizes.slice(0, at)], axes)).toEqual(
            result,
          );
          expect(new Set(result.candidates.map((candidate) => candidate.itemSizeId))).toEqual(
            new Set(sizes.map((size) => size.itemSizeId)),
          );
          expect(result.candidates).toHaveLength(sizes.length);
          const sure = result.candidates.filter(
            (candidate) => candidate.confidence > 0.5 && candidate.detectedOption !== null,
          );
          expect(new Set(sure.map((entry) => entry.detectedOption!.code)).size).toBe(sure.length);
          for (const { detectedOption, confidence } of result.candidates) {
            expect(confidence).toBeGreaterThan(0);
            expect(confidence).toBeLessThanOrEqual(1);
            expect(detectedOption?.code ?? 'NONE').toMatch(/^[A-Z0-9][A-Z0-9_.-]{0,49}$/);
          }
        },
      ),
    );
  });
});
