import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutExcerpt, phrasesOutside } from '../../../modules/gifts/rules/phrases.ts';
import { createPhraseFinder, phraseKey } from '../../../kernel/pure/phrases.ts';
import { repetitions } from '../../support/repetitions.ts';

const foundIn = (comment: string, ...phrases: string[]) =>
  phrasesOutside(comment, createPhraseFinder(phrases.map(phraseKey))).map(({ start, end }) =>
    comment.slice(start, end),
  );

describe('equivalent phrases differ only in', () => {
  test.each([
    ['[CMP-22] blanks around and between the words', '  должны \r\n  ролл ', 'должны ролл'],
    ['case', 'ДОЛЖНЫ Ролл', 'должны ролл'],
    ['ё and е, also when it is composed of two', 'Ещё ролл, еще\u0308 ролл', 'еще ролл еще ролл'],
    ['forms of one character', 'ｆｒｅｅ ﬁsh ＃①', 'free fish 1'],
    ['what cannot be seen', 'дол\u00adжны ро\u200bлл\u200d', 'должны ролл'],
    ['what stands between the words', 'должны: «ролл»!', 'должны ролл'],
    ['a letter that has no small form of its own', 'STRASSE', 'straße'],
  ])('%s', (_what, one, other) => {
    expect(phraseKey(one)).toBe(phraseKey(other));
  });

  test('a text without a word is no phrase', () => {
    expect(['', ' !?', '\u0308', '\u200b'].map(phraseKey)).toEqual(['', '', '', '']);
    expect(foundIn('anything', '', '!')).toEqual([]);
  });
});

describe('a comment contains', () => {
  test.each([
    ['a phrase, as it was written', 'Звонила. ДОЛЖНЫ  ролл!', ['должны ролл'], ['ДОЛЖНЫ  ролл']],
    ['each of equal phrases', 'free roll, free roll', ['Free Roll'], ['free roll', 'free roll']],
    ['whole words only', 'король, ролла, должны роллы', ['ролл', 'должны ролл'], []],
    [
      'the longer of two that begin alike',
      'free roll hot',
      ['free roll', 'free roll hot'],
      ['free roll hot'],
    ],
    [
      'the shorter one where the longer one does not go on',
      'free roll cold',
      ['free', 'free roll hot'],
      ['free'],
    ],
    ['no two with a common word', 'roll roll roll', ['roll roll'], ['roll roll']],
    ['nothing inside a block', 'a [COMP]free roll[/COMP] b', ['free roll', 'a b'], []],
    ['[CMP-22] nothing across a block', 'free [COMP]tart[/COMP] roll', ['free roll', 'tart'], []],
    [
      'what stands on both sides of a block',
      'free [COMP]tart[/COMP] free',
      ['free'],
      ['free', 'free'],
    ],
    ['a sign that stands for several words', 'a ﷺ b', ['ﷺ'], ['ﷺ']],
    ['what stands in a broken block', '[COMP]free roll', ['free roll'], ['free roll']],
  ])('%s', (_what, comment, phrases, expected) => {
    expect(foundIn(comment, ...phrases)).toEqual(expected);
  });
});

test('a phrase found in a comment is identified by its key', () => {
  expect(createPhraseFinder(['free roll'])('FREE  roll')).toEqual([
    { phrase: 'free roll', start: 0, end: 10 },
  ]);
});

describe('the text around a phrase', () => {
  const around = (comment: string, phrase: string) =>
    phrasesOutside(comment, createPhraseFinder([phraseKey(phrase)])).map((place) =>
      cutExcerpt(comment, place),
    );

  test('fits one line, and shows where it was cut', () => {
    expect(around('Ring\ttwice,\r\n free  roll \n', 'free roll')).toEqual([
      'Ring twice, free roll',
    ]);
    expect(around(`${'а'.repeat(100)} free roll ${'б'.repeat(100)}`, 'free roll')).toEqual([
      `…${'а'.repeat(39)} free roll ${'б'.repeat(39)}…`,
    ]);
  });

  test('ends between characters where it was cut', () => {
    expect(around(`${'🍣'.repeat(30)} x free roll`, 'free roll')).toEqual([
      `…${'🍣'.repeat(18)} x free roll`,
    ]);
  });

  test('[CMP-26] remains short and complete, for any comment', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'free',
        'roll',
        ' ',
        '🍣',
        '\ud83c',
        '\udf63',
        '\0',
        '[COMP]',
        '[/COMP]',
        '\n'.repeat(300),
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const comment = pieces.join('');
        for (const text of around(comment, 'free roll')) {
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/\p{Cc}/u);
          expect(text.length).toBeLessThanOrEqual(202);
          expect(text.toLowerCase()).toContain('free');
        }
      }),
      { numRuns: repetitions(2_000) },
    );
  });
});
