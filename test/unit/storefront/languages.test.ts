import { describe, expect, test } from '@jest/globals';
import { chooseLanguage, LANGUAGES, textIn } from '../../../examples/storefront/src/languages.ts';

const { ru, en } = LANGUAGES;
const listForms = (text: string | object): string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
const listPlaceholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).toSorted();

describe('the texts of the example storefront', () => {
  test('[STO-19] exist in both languages, with the same placeholders in each form', () => {
    const shapes = (texts: object) =>
      Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [
          key,
          [...new Set(listForms(text as string).map((form) => listPlaceholders(form).join()))],
        ]),
      );

    expect(Object.keys(ru.texts).length).toBeGreaterThan(100);
    expect(shapes(en.texts)).toEqual(shapes(ru.texts));
  });

  test('[STO-19] contain no empty text and no letters of the other language', () => {
    const listTexts = (texts: object) =>
      Object.values(texts).flatMap((text) => listForms(text as string));

    expect(
      listTexts(en.texts).filter((text) => text.trim() === '' || /\p{Script=Cyrillic}/u.test(text)),
    ).toEqual([]);
    expect(
      listTexts(ru.texts).filter(
        (text) => !/\p{Script=Cyrillic}/u.test(text.replace(/\{\w+\}/g, '')),
      ),
    ).toEqual([]);
  });

  test.each([
    [1, 'Найдено 1 блюдо', '1 dish found'],
    [3, 'Найдено 3 блюда', '3 dishes found'],
    [11, 'Найдено 11 блюд', '11 dishes found'],
    [21, 'Найдено 21 блюдо', '21 dishes found'],
    [270, 'Найдено 270 блюд', '270 dishes found'],
  ])(
    '[STO-19] include for %i dishes the plural form of each language',
    (count, russian, english) => {
      expect(textIn('ru', 'search.found', { count })).toBe(russian);
      expect(textIn('en', 'search.found', { count })).toBe(english);
    },
  );

  test('[STO-19] insert a name with braces or dollar signs unchanged', () => {
    expect(textIn('en', 'menu.of', { name: '{name} $& $1' })).toBe('Menu, {name} $& $1');
  });

  test.each([
    [[null, null, 'ru-RU', 'en-US'], 'ru'],
    [[null, 'en', 'ru-RU'], 'en'],
    [['RU', 'en', 'en-US'], 'ru'],
    [['xx', null, 'de-DE', 'ru'], 'ru'],
    [['constructor', null, 'de'], 'en'],
    [[], 'en'],
  ] as const)('[STO-19] follow preferred languages %j: %s', (preferred, language) => {
    expect(chooseLanguage(preferred)).toBe(language);
  });
});
