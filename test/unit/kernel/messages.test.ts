import { describe, expect, test } from '@jest/globals';
import { IntlMessageFormat } from 'intl-messageformat';
import { EN } from '../../../kernel/pure/messages/en.ts';
import type { MessageKey } from '../../../kernel/pure/messages/message.ts';
import { RU } from '../../../kernel/pure/messages/ru.ts';
import { inStaffLanguage, staffText, textIn } from '../../../kernel/staff-text.ts';

const KEYS = Object.keys(EN) as MessageKey[];
const PLURALS = [1, 2, 5, 21] as const;
const CATALOG = { EN, RU } as const;
type Language = keyof typeof CATALOG;

type Element = { type: number; value?: string; options?: Record<string, { value: Element[] }> };

const TYPE = { literal: 0, argument: 1, plural: 6, pound: 7 } as const;

const elements = (language: Language, key: MessageKey) =>
  new IntlMessageFormat(CATALOG[language][key], language, undefined, {
    ignoreTag: true,
  }).getAst() as Element[];

function listParameters(language: Language, key: MessageKey): Record<string, string> {
  const named = elements(language, key).filter(({ type }) => type !== TYPE.literal);
  return Object.fromEntries(
    named.map(({ type, value }) => [value, type === TYPE.plural ? 'plural' : 'argument']),
  );
}

/** Sample values: the number for plurals, a word for other parameters. */
const samples = (key: MessageKey, number: number) =>
  Object.fromEntries(
    Object.entries(listParameters('EN', key)).map(([name, kind]) => [
      name,
      kind === 'plural' ? number : 'sample',
    ]),
  );

describe('[HTTP-110] the catalog of messages for staff', () => {
  test('contains the same keys and parameters in both languages', () => {
    expect(Object.keys(RU).toSorted()).toEqual(KEYS.toSorted());
    for (const key of KEYS)
      expect([key, listParameters('RU', key)]).toEqual([key, listParameters('EN', key)]);
  });

  test('uses arguments and plurals only, with text and no parameter in the branches of a plural', () => {
    for (const language of ['EN', 'RU'] as const)
      for (const key of KEYS)
        for (const element of elements(language, key)) {
          expect([key, [TYPE.literal, TYPE.argument, TYPE.plural]]).toEqual([
            key,
            expect.arrayContaining([element.type]),
          ]);
          for (const { value: branch } of Object.values(element.options ?? {})) {
            expect([
              key,
              branch.filter(({ type }) => type !== TYPE.literal && type !== TYPE.pound),
            ]).toEqual([key, []]);
            // A branch has several words, because the types would read one word as a parameter.
            expect([key, branch.map((part) => part.value ?? '#').join('')]).toEqual([
              key,
              expect.stringMatching(/[ #]/),
            ]);
          }
        }
  });

  test('contains every Russian form of each plural', () => {
    const plurals = KEYS.flatMap((key) =>
      elements('RU', key)
        .filter(({ type }) => type === TYPE.plural)
        .map(({ options = {} }) => [key, Object.keys(options)]),
    );
    const forms = ['one', 'few', 'many', 'other'];

    expect(plurals.length).toBeGreaterThan(0);
    expect(plurals).toEqual(plurals.map(([key]) => [key, forms]));
  });

  test.each(PLURALS)('formats each message with the number %i in both languages', (number) => {
    for (const key of KEYS)
      for (const language of ['EN', 'RU'] as const) {
        const text = textIn(language, { key, params: samples(key, number) });
        const hasPlural = Object.values(listParameters('EN', key)).includes('plural');
        expect([key, text]).toEqual([key, expect.stringMatching(/^[^{}]+$/)]);
        expect([key, text]).toEqual([key, expect.stringMatching(hasPlural ? String(number) : '')]);
      }
  });

  test('contains no Latin sentence in Russian', () => {
    for (const key of KEYS) expect([key, RU[key]]).toEqual([key, expect.stringMatching(/[а-яё]/i)]);
  });

  test('uses English outside of a request of staff', () => {
    const read = () => staffText('explain.NOT_STOPPED');
    expect([read(), inStaffLanguage('EN', read)]).toEqual(Array(2).fill(EN['explain.NOT_STOPPED']));
    expect(inStaffLanguage('RU', read)).toBe(RU['explain.NOT_STOPPED']);
  });

  test('rejects missing and invalid parameters at compile time', () => {
    const dish = { dish: 'Суп', product: 'Суп' };
    const right = staffText('incident.NAME_CHANGED', { ...dish, newName: 'Борщ' });
    // @ts-expect-error: the new name is missing.
    const missing = () => staffText('incident.NAME_CHANGED', dish);
    // @ts-expect-error: a plural takes a number.
    const wrong = () => staffText('gift.TURN.unmet', { giftsPerOrder: 'one' });
    // @ts-expect-error: one of these messages has a parameter.
    const none = () => staffText('gift.TURN.unmet' as 'gift.TURN.met' | 'gift.TURN.unmet');

    expect(right).toContain('"Борщ"');
    expect([missing, wrong, none]).toHaveLength(3);
  });
});
