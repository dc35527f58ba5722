import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { inLanguage, languageIn, requestedLanguage } from '../../../kernel/guest-language.ts';

describe('[HTTP-103] the language of the texts for guests', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['en', 'EN'],
    ['ru-RU,ru;q=0.9,en-US;q=0.8', 'RU'],
    ['de,fr;q=0.9,en;q=0.1,ru;q=0.2', 'RU'],
    ['EN-gb', 'EN'],
    ['de', null],
    ['*', null],
    ['de,*;q=0.5,en;q=0.1', null],
    ['en;q=0', null],
    ['english', null],
    [';;q=x,,', null],
    ['constructor', null],
  ])('from the header %j is %j', (header, language) => {
    expect([languageIn(header), languageIn(header)]).toEqual([language, language]);
  });

  test('applies to its request alone', async () => {
    const slowly = () => delay(5).then(requestedLanguage);
    const found = await Promise.all([
      inLanguage('EN', slowly),
      inLanguage('RU', slowly),
      inLanguage(null, slowly),
    ]);

    expect(found).toEqual(['EN', 'RU', null]);
    expect(requestedLanguage()).toBeNull();
  });
});
