import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  comparable,
  readName,
  readSize,
  type SizeKind,
} from '../../../modules/catalog/rules/size-marks.ts';

/** Real names: the name, the name without the size, and the sizes. */
const NAMES: readonly (readonly [
  name: string,
  base: string,
  ...sizes: `${SizeKind} ${number}`[],
])[] = [
  ['Пепперони 25 см', 'Пепперони', 'LENGTH 25'],
  ['Пепперони 30см', 'Пепперони', 'LENGTH 30'],
  ['Пицца Маргарита, 35 см', 'Пицца Маргарита', 'LENGTH 35'],
  ['Пицца Маргарита (30 см)', 'Пицца Маргарита', 'LENGTH 30'],
  ['Пицца «4 сыра» 30 см.', 'Пицца «4 сыра»', 'LENGTH 30'],
  ['Четыре сезона - 40 см', 'Четыре сезона', 'LENGTH 40'],
  ['Пицца 30 см Гавайская', 'Пицца Гавайская', 'LENGTH 30'],
  ['Пицца 30 см, острая', 'Пицца, острая', 'LENGTH 30'],
  ['Пицца(30 см)Гавайская', 'Пицца Гавайская', 'LENGTH 30'],
  ['Пицца ( 30 см )', 'Пицца', 'LENGTH 30'],
  ['30 см — Пицца', 'Пицца', 'LENGTH 30'],
  ['Пицца ⌀30⌀25', 'Пицца', 'LENGTH 30', 'LENGTH 25'],
  ['Морс 0,5  л', 'Морс', 'VOLUME 500'],
  [' S ', 'S', 'SIZE 2'],
  ['Пепперони ø30', 'Пепперони', 'LENGTH 30'],
  ['Пепперони Ø 25 см', 'Пепперони', 'LENGTH 25'],
  ['Margherita 12"', 'Margherita', 'LENGTH 30.48'],
  ['Margherita 10 inch', 'Margherita', 'LENGTH 25.4'],
  ['Pepperoni 30 cm', 'Pepperoni', 'LENGTH 30'],
  ['Фокачча 20 сантиметров', 'Фокачча', 'LENGTH 20'],
  ['Кока-Кола 0,5 л', 'Кока-Кола', 'VOLUME 500'],
  ['Кока-Кола 0.33л', 'Кока-Кола', 'VOLUME 330'],
  ['Кока-Кола 1 л', 'Кока-Кола', 'VOLUME 1000'],
  ['Кока-Кола 500 мл', 'Кока-Кола', 'VOLUME 500'],
  ['Морс клюквенный 250мл', 'Морс клюквенный', 'VOLUME 250'],
  ['Морс (клюква) 0,3 л', 'Морс (клюква)', 'VOLUME 300'],
  ['Лимонад «Тархун», 1,5 литра', 'Лимонад «Тархун»', 'VOLUME 1500'],
  ['Вода 1 литр', 'Вода', 'VOLUME 1000'],
  ['Orange juice 250 ml', 'Orange juice', 'VOLUME 250'],
  ['Beer 50 cl', 'Beer', 'VOLUME 500'],
  ['Lemonade 1L', 'Lemonade', 'VOLUME 1000'],
  ['Latte 12 oz', 'Latte', 'VOLUME 354.88'],
  ['Капучино 200/250 мл', 'Капучино 200/250 мл'],
  ['Филадельфия 8 шт', 'Филадельфия', 'PIECES 8'],
  ['Филадельфия 4 шт.', 'Филадельфия', 'PIECES 4'],
  ['Наггетсы (6шт)', 'Наггетсы', 'PIECES 6'],
  ['Наггетсы 9 штук', 'Наггетсы', 'PIECES 9'],
  ['Крылья BBQ, 12 кусочков', 'Крылья BBQ', 'PIECES 12'],
  ['Chicken wings 6 pcs', 'Chicken wings', 'PIECES 6'],
  ['Nuggets 20 pieces', 'Nuggets', 'PIECES 20'],
  ['Роллы 8 шт 250 г', 'Роллы', 'PIECES 8', 'WEIGHT 250'],
  ['Сет «Дружба» 24 шт / 780 г', 'Сет «Дружба»', 'PIECES 24', 'WEIGHT 780'],
  ['Стейк рибай 300 г', 'Стейк рибай', 'WEIGHT 300'],
  ['Стейк рибай 300 гр.', 'Стейк рибай', 'WEIGHT 300'],
  ['Картофель фри 100г', 'Картофель фри', 'WEIGHT 100'],
  ['Шашлык 0,5 кг', 'Шашлык', 'WEIGHT 500'],
  ['Торт Наполеон 1 кг', 'Торт Наполеон', 'WEIGHT 1000'],
  ['French fries 150 g', 'French fries', 'WEIGHT 150'],
  ['Mixed grill 1.2 kg', 'Mixed grill', 'WEIGHT 1200'],
  ['Капучино S', 'Капучино', 'SIZE 2'],
  ['Капучино (M)', 'Капучино', 'SIZE 3'],
  ['Капучино, L', 'Капучино', 'SIZE 4'],
  ['Капучино М', 'Капучино', 'SIZE 3'],
  ['Фри XL', 'Фри', 'SIZE 5'],
  ['Маленькая картошка', 'картошка', 'SIZE 2'],
  ['Картошка маленькая', 'Картошка', 'SIZE 2'],
  ['Картошка (большая)', 'Картошка', 'SIZE 4'],
  ['Средний капучино', 'капучино', 'SIZE 3'],
  ['Капучино бол.', 'Капучино', 'SIZE 4'],
  ['Капучино (мал)', 'Капучино', 'SIZE 2'],
  ['Large fries', 'fries', 'SIZE 4'],
  ['Coffee small', 'Coffee', 'SIZE 2'],
  ['Пицца Мясная семейная', 'Пицца Мясная', 'SIZE 6'],
  ['Пицца Мясная мини', 'Пицца Мясная', 'SIZE 1'],
  ['Мини-круассан', 'Мини-круассан'],
  ['Эспрессо двойной', 'Эспрессо', 'PORTION 2'],
  ['Espresso double', 'Espresso', 'PORTION 2'],
  ['Двойной чизбургер', 'Двойной чизбургер'],
  ['Борщ полпорции', 'Борщ', 'PORTION 0.5'],
  ['Борщ 1/2 порции', 'Борщ', 'PORTION 0.5'],
  ['Пицца 4 сыра', 'Пицца 4 сыра'],
  ["M&M's", "M&M's"],
  ['Молоко 3,2 %', 'Молоко 3,2 %'],
  ['7UP', '7UP'],
  ['Салат с лососем', 'Салат с лососем'],
  ['Соус BBQ', 'Соус BBQ'],
  ['Торт 2024', 'Торт 2024'],
  ['Вода с газом 0,5л', 'Вода с газом', 'VOLUME 500'],
  ['Сок яблочный 0 л', 'Сок яблочный 0 л'],
];

describe('the name of a dish', () => {
  test('appears often enough in the table', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(60);
  });

  test.each(NAMES)('%s', (name, base, ...sizes) => {
    const read = readName(name);

    expect(read.base).toBe(base);
    expect(read.marks.map(({ kind, value }) => `${kind} ${value}`)).toEqual(sizes);
  });

  const words = fc
    .array(fc.constantFrom('Пицца', 'Лосось', 'по-тоскански', 'Cheese', 'Морс', 'Ёлка'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((entry) => entry.join(' '));
  const sized = fc
    .tuple(
      fc.integer({ min: 1, max: 99_999 }),
      fc.constantFrom('см', 'мл', 'шт', 'г', 'cm', 'ml', 'pcs', 'g'),
    )
    .map(([value, unit]) => ({ value, unit }));

  test('reveals every size behind it, with any separator', () => {
    const forms = fc.constantFrom(
      (base: string, size: string) => `${base} ${size}`,
      (base: string, size: string) => `${base}, ${size}`,
      (base: string, size: string) => `${base} (${size})`,
      (base: string, size: string) => `${base} – ${size}.`,
      (base: string, size: string) => ` ${base}   ${size} `,
    );
    fc.assert(
      fc.property(
        words,
        sized,
        forms,
        fc.constantFrom('', ' '),
        (base, { value, unit }, form, space) => {
          const read = readName(form(base, `${value}${space}${unit}`));
          expect(read.base).toBe(base);
          expect(read.marks.map((mark) => mark.value)).toEqual([value]);
        },
      ),
    );
  });

  test('reveals liters and kilograms as milliliters and grams', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom(['л', 'мл'], ['кг', 'г']),
        (tenths, [large, small]) => {
          const one = readName(`Морс ${String(tenths / 10).replace('.', ',')} ${large}`);
          expect(one).toMatchObject({ base: 'Морс', marks: [{ value: tenths * 100 }] });
          expect(one.marks[0]!.label).toBe(
            readName(`Морс ${tenths * 100} ${small}`).marks[0]!.label,
          );
        },
      ),
    );
  });

  test('causes no fault for any text, and its base contains no further size', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        const { base, marks } = readName(name);
        expect(base.length).toBeLessThanOrEqual(name.normalize('NFC').length + marks.length);
        expect(comparable(base)).toBe(comparable(comparable(base)));
        for (const { value } of marks) expect(value).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the label of an option of a size', () => {
  test.each([
    ['Пицца 25,5 см', '25,5 см'],
    ['Пепперони ø25,5', '25,5 см'],
    ['Margherita 12"', '12″'],
    ['Кола 999 мл', '999 мл'],
    ['Кола 1000 мл', '1 л'],
    ['Кола 0,5 л', '500 мл'],
    ['Beer 50 cl', '500 мл'],
    ['Beer 150 cl', '1,5 л'],
    ['Latte 12 oz', '12 oz'],
    ['Филадельфия 8 шт.', '8 шт'],
    ['Стейк 300 гр', '300 г'],
    ['Сыр 1000,7 г', '1,0007 кг'],
    ['Шашлык 0,5 кг', '500 г'],
    ['Торт 1,2 кг', '1,2 кг'],
    ['Капучино М', 'M'],
    ['Фри XL', 'XL'],
    ['Картошка МАЛЕНЬКАЯ', 'Маленькая'],
    ['Espresso double', 'Двойная'],
  ])('%s: %s', (name, label) => {
    expect(readName(name).marks.map((mark) => mark.label)).toEqual([label]);
  });
});

test('a lower-case size letter is part of the name', () => {
  expect([readName('Фри xl'), readName('s')]).toStrictEqual([
    { base: 'Фри xl', marks: [] },
    { base: 's', marks: [] },
  ]);
});

test.each([
  ['25 см', 'LENGTH', 25],
  ['0,5', 'NUMBER', 0.5],
  ['0,25', 'NUMBER', 0.25],
  ['30 минут', 'TEXT', null],
  ['30', 'NUMBER', 30],
  ['S', 'SIZE', 2],
  ['Большая', 'SIZE', 4],
  ['Стандарт', 'SIZE', 3],
  ['Тонкое тесто', 'TEXT', null],
  ['0,33 л', 'VOLUME', 330],
])('an option follows the name of a size: %s', (text, kind, value) => {
  expect(readSize(text)).toMatchObject({ kind, value });
});

test('an option for a text that is not a size has that text without redundant blanks', () => {
  expect(readSize('  Тонкое   тесто ').label).toBe('Тонкое тесто');
});

test('names are compared word by word', () => {
  expect(comparable(' Кофе-«Чёрный»!')).toBe('кофе черный');
});
