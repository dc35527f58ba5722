import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isSameBase,
  suggestVariants,
  type SuggestionAxis,
  type SuggestionSize,
} from '../../../modules/catalog/rules/variant-suggestions.ts';

let next = 0;
/** One unsized dish for each name, or one dish with sizes. */
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
  options: options.map(([optionCode, name], at) => ({ id: id * 100 + at, code: optionCode, name, shortName: null })),
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

describe('suggestions', () => {
  test('[BND-6] dishes of one base name become options of our axis, by unit and value', () => {
    expect(suggested([...dish('Пепперони 30 см'), ...dish('Пепперони (25см)')], [VOLUME, DIAMETER])).toEqual({
      base: 'Пепперони',
      axis: '1 PIZZA',
      options: ['100 CM25 0.95', '101 CM30 1'],
    });
    expect(suggested([...dish('Кола 500 мл'), ...dish('Кола 0,33 л')], [DIAMETER, VOLUME])).toMatchObject({
      axis: '2 BOTTLE',
      options: ['200 SMALL 0.95', '201 BIG 1'],
    });
  });

  test('sizes of one dish give one candidate each, by letters, words and codes', () => {
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

  test('a size that only its code distinguishes is proposed under its name', () => {
    const options = (names: string[], codes: string[]) => {
      const sizes = dish('Бургер', names, codes);
      const { candidates } = suggestVariants({ itemId: sizes[0]!.itemId, name: 'Бургер' }, sizes, []);
      return candidates.map(({ detectedOption }) => `${detectedOption?.code} ${detectedOption?.name}`);
    };

    expect(options(['Двойной', 'Тройной', 'Стандарт'], ['X2', 'X3', 'ST'])).toEqual([
      'X2 Двойной',
      'X3 Тройной',
      'ST Стандарт',
    ]);
    expect(options(['С сыром', ' С беконом '], ['CH', 'BC'])).toEqual(['CH С сыром', 'BC С беконом']);
    expect(options(['', ' '], ['CH', 'BC'])).toEqual(['CH CH', 'BC BC']);
  });

  test('a code counts for nothing where the name can be read, or where it is blank', () => {
    expect(suggested(dish('Капучино', ['Маленький', 'Большой'], ['M', 'XL']), [LETTERS]).options).toEqual([
      '300 S 1',
      '302 L 1',
    ]);
    expect(suggested(dish('Пицца', ['Тонкая', 'Пышная'], [' ', ' '])).options).toEqual([
      'new TONKAYA 0.5',
      'new PYSHNAYA 0.5',
    ]);
  });

  test('an option is found by its size, with any name', () => {
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
  ])('an option is found by nothing but its size: %s', (_what, sizes, known, expected) => {
    expect(suggested(sizes, [known]).options).toEqual(expected);
  });

  test('the code of an option has 50 characters at most', () => {
    expect(suggested(dish('Пицца', ['Ы'.repeat(60)])).options).toEqual([`new ${'Y'.repeat(50)} 0.5`]);
  });

  test('numbers without a unit take that of the axis that names them', () => {
    expect(suggested(dish('Маргарита', ['25', '30', '35']), [VOLUME, DIAMETER])).toEqual({
      base: 'Маргарита',
      axis: '1 PIZZA',
      options: ['100 CM25 1', '101 CM30 1', 'new 35 0.6'],
    });
  });

  test('an option that our axis lacks is proposed for it; without an axis one is proposed', () => {
    expect(suggested([...dish('Пепперони 25 см'), ...dish('Пепперони 40 см')], [DIAMETER])).toMatchObject({
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

  test('an axis fits that has no such size, but sizes of that kind: the one with most of them', () => {
    const small = axis(0, 'SMALL', [['CM20', '20 см']]);

    expect(suggested(dish('Пицца', ['40 см']), [small, VOLUME, DIAMETER])).toMatchObject({
      axis: '1 PIZZA',
      options: ['new 40 0.9'],
    });
  });

  test.each([
    ['words', ['Тонкое тесто', 'Пышное тесто'], DIAMETER, 'new KIND'],
    ['numbers', ['25', '35'], axis(4, 'NUMBERS', [['A', '40']]), 'new SIZE'],
  ])('%s fit no axis that has none of them', (_what, names, known, expected) => {
    expect(suggested(dish('Пицца', names), [known]).axis).toBe(expected);
  });

  test('an axis of ours with the proposed code is used, with any options', () => {
    expect(suggested(dish('Наггетсы', ['6 шт']), [axis(9, 'PIECES', [])]).axis).toBe('9 PIECES');
  });

  test('of kinds with as many values the one that more sizes have counts, else the first one', () => {
    const rolls = [...dish('Ролл 8 шт 250 г'), ...dish('Ролл 250 г'), ...dish('Ролл 250 г')];

    expect(suggested(rolls).axis).toBe('new WEIGHT');
    expect(suggested(dish('Ролл 250 г 8 шт')).axis).toBe('new PIECES');
  });

  test('of sizes with one option that of the dish itself comes first', () => {
    const [other, own] = [...dish('Кола 0,5 л'), ...dish('Кола 500 мл')];
    const { candidates } = suggestVariants({ itemId: own!.itemId, name: own!.itemName }, [other!, own!], [VOLUME]);

    expect(candidates.map(({ name }) => name)).toEqual(['Кола 500 мл', 'Кола 0,5 л']);
  });

  test('of sizes that differ in several ways the one that differs counts', () => {
    const rolls = [...dish('Филадельфия 8 шт 250 г'), ...dish('Филадельфия 8 шт 300 г')];
    expect(suggested(rolls)).toEqual({
      base: 'Филадельфия',
      axis: 'new WEIGHT',
      options: ['new 250 0.9', 'new 300 0.86'],
    });
  });

  test('two sizes with one option are less sure, and one without stays without', () => {
    const sizes = [...dish('Кола 0,5 л'), ...dish('Кола 500 мл'), ...dish('Кола')];
    expect(suggested(sizes, [VOLUME]).options).toEqual(['201 BIG 1', '201 BIG 0.48', 'none 0.38']);
  });

  test('an option that is a number without a unit is found by the number that a dish states, or by its value', () => {
    const written = axis(4, 'A', [['HALF', '0,5']]);
    const value = axis(5, 'B', [['HALF', '500']]);
    const other = axis(6, 'C', [['HALF', '50']]);

    expect(suggested(dish('Кола', ['0,5 л']), [written]).options).toEqual(['400 HALF 1']);
    expect(suggested(dish('Кола', ['0,5 л']), [value]).options).toEqual(['500 HALF 1']);
    expect(suggested(dish('Кола', ['0,5 л']), [other]).options).toEqual(['new 500 0.9']);
  });

  test('of axes with equal matches the oldest one is used', () => {
    const [first, second] = [4, 5].map((id) => axis(id, `PIZZA_${id}`, [['CM30', '30 см']]));

    expect(suggested(dish('Пицца 30 см'), [second!, first!]).axis).toBe('4 PIZZA_4');
  });

  test('a candidate contains its values and its owner', () => {
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

  test('there are 50 candidates at most', () => {
    const sizes = dish(
      'Кола',
      Array.from({ length: 51 }, (_, at) => `${at + 1} л`),
    );

    expect(suggested(sizes).options).toHaveLength(50);
  });

  test('a word alone belongs to the name; a single unsized dish has no axis', () => {
    expect(suggested(dish('Большой завтрак'), [LETTERS])).toEqual({
      base: 'Большой завтрак',
      axis: null,
      options: ['none 0.4'],
    });
    expect(suggested([...dish('Большой капучино'), ...dish('Маленький капучино')], [LETTERS])).toMatchObject({
      base: 'капучино',
      options: ['300 S 0.95', '302 L 1'],
    });
  });

  test.each([
    ['Пепперони 25 см', 'пепперони (30 см)', true],
    ['Кофе «Латте» S', 'Кофе Латте, L', true],
    ['Мёд 100 г', 'Мед 250 г', true],
    ['Пепперони 25 см', 'Пепперони острая 25 см', false],
  ])('%s and %s have one base: %s', (one, other, expected) => {
    expect(isSameBase(one, other)).toBe(expected);
  });

  test('every size is present once in any order; codes fit an axis, and no sure ones share an option', () => {
    const names = fc.constantFrom('Морс 0,5 л', 'Морс 1 л', 'Морс', 'Морс 250 мл', 'Морс S', 'Морс бол.', 'Морс 6 шт');
    const named = fc.option(fc.constantFrom('25 см', '30', 'S', 'Пышное', '½', '💧', '0,5 л'), { nil: null });
    const some = fc.array(fc.record({ name: names, size: named }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(some, fc.subarray([DIAMETER, VOLUME, LETTERS]), fc.integer(), (of, axes, seed) => {
        const sizes = of.flatMap(({ name, size }) => dish(name, [size]));
        const item = { itemId: sizes[0]!.itemId, name: sizes[0]!.itemName };
        const result = suggestVariants(item, sizes, axes);
        const at = Math.abs(seed) % sizes.length;
        expect(suggestVariants(item, [...sizes.slice(at), ...sizes.slice(0, at)], axes)).toEqual(result);
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
      }),
    );
  });
});
