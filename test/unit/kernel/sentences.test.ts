import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { EN } from '../../../kernel/pure/messages/en.ts';
import { RU } from '../../../kernel/pure/messages/ru.ts';
import { messageOfSentence, staffSentence } from '../../../kernel/staff-sentences.ts';
import { inStaffLanguage } from '../../../kernel/staff-text.ts';
import { SEND_AGAIN_OBSTACLES } from '../../../modules/ordering/rules/send-again.ts';
import { problemSentences, VALUE } from '../../../packages/dev/sentences/problem-sentences.ts';

const SOURCES = ['kernel', 'modules', 'api', 'erp', 'workflows']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`))
  // Guests read no problems of the admin API, and examples show more than the code writes.
  .filter((file) => !/^kernel\/pure\/messages\/|^api\/storefront\/|\/problem-examples/.test(file))
  .map((file) => readFileSync(file, 'utf8').replaceAll(String.raw`\'`, "'"));

const inRussian = (sentence: string) =>
  inStaffLanguage('RU', () => staffSentence(sentence, 'field.invalid'));
const isSentence = ([key]: [string, string]) => key.startsWith('sentence.');

/** Sources of sentences for guests only: problems of the storefront are in English. */
const FOR_GUESTS = [
  /^api\/(?:storefront\/|http\/caller|http\/limits\/new-carts)/,
  /^modules\/ordering\/(?:cart|checkout|orders|rules\/compose-lines)\b/,
  /^modules\/delivery\/addresses\/(?:kept-addresses|geocoder)\b/,
  /^modules\/menus\/rules\/storefront\//,
];
/** Sentences of runs, not of problems. */
const OF_RUNS = [/^workflows\/(?:menu-import|support\/import-run)\b/];
/** Sources that hand on the problems of others. */
const CARRIERS = [/^kernel\//, /^api\/http\//, /^workflows\/support\//, /\/(?:schemas|tables)\//];
/** Expressions that hand on a sentence of another place, or are no sentence. */
const HANDED_ON =
  /^(?:\w+\??\.)*(?:message|detail|error|reason|missing|answer)$|\.detail\?\.slice|^(?:staffText|omitUndefined)\(/;
/** Results with the codes of what is missing. */
const CODES =
  /^modules\/(?:binding\/evaluate-bindings|sync-status\/rules\/readiness|delivery\/(?:addresses\/locate-place|configuration\/order-sending)|ordering\/at-erp\/send-order)/;

const isIn = (patterns: readonly RegExp[], file: string) =>
  patterns.some((pattern) => pattern.test(file));

/** Values, and words that need no translation: nouns of the catalog, codes and media types. */
const isTranslated = ([name, value]: [string, string]) =>
  name === 'sentence' ||
  value === VALUE ||
  /^[\w.+-]+\/[\w.+-]+$/.test(value) ||
  value.split(' or ').every((word) => word === VALUE || Object.hasOwn(EN, `word.${word}`));

/** Returns the texts that have no translation, or one with English words in it. */
const untranslated = (texts: readonly string[]) =>
  [...new Set(texts)].filter((text) => {
    const message = messageOfSentence(text);
    return message === undefined || !Object.entries(message.params).every(isTranslated);
  });

const written = problemSentences(
  process.cwd(),
  ['kernel/**/*.ts', 'modules/**/*.ts', 'api/**/*.ts', 'workflows/**/*.ts'],
  // Examples show more than the code writes.
  (file) => /^kernel\/pure\/(?:messages\/|problems\.ts)|\/problem-examples/.test(file),
);

describe('[HTTP-111] the sentences of problems', () => {
  test('[HTTP-113] need a translation for each sentence in the code', () => {
    const texts = written.texts
      .filter(({ file }) => !isIn([...FOR_GUESTS, ...OF_RUNS], file))
      .map(({ text }) => text)
      // Codes are no sentences.
      .filter((text) => /[a-z] /.test(text));

    expect(new Set(texts).size).toBeGreaterThan(300);
    expect(texts.some((text) => text.includes(VALUE))).toBe(true);
    expect(untranslated([...texts, ...Object.values(SEND_AGAIN_OBSTACLES)])).toEqual([]);
  });

  test('can be followed to their texts in the code', () => {
    const unread = written.unread.filter(
      ({ file, source }) =>
        !isIn([...FOR_GUESTS, ...OF_RUNS, ...CARRIERS, CODES], file) && !HANDED_ON.test(source),
    );

    expect(unread).toEqual([]);
  });

  test('count as untranslated without a text or with an English word in it', () => {
    expect(untranslated([`No such thing as ${VALUE}.`])).toHaveLength(1);
    expect(untranslated(['must be a tall order'])).toHaveLength(1);
    expect(untranslated(['must be at least 1 or more'])).toHaveLength(1);
    expect(untranslated([`must be at least ${VALUE}`, 'must be integer or null'])).toEqual([]);
  });

  test('appear in the code for each sentence of the catalog', () => {
    const all = SOURCES.join('\n');
    const stale = Object.entries(EN)
      .filter(isSentence)
      .filter(([, text]) => !text.split(/\{\w+\}/).every((part) => all.includes(part)));

    expect(stale).toEqual([]);
  });

  test('find their translation with any parameters', () => {
    expect(inRussian('must have at most 200 characters')).toBe('наибольшая длина в символах: 200');
    expect(inRussian('must be one of A, B')).toBe('ожидается одно из значений: A, B');
    expect(inRussian('must be integer or null')).toBe('ожидается целое число или пусто');
    expect(inRussian('The incident is closed: no reason.')).toBe('Инцидент закрыт: без причины.');
    expect(inRussian('"Soup (1.5)" is bound to "Lunch"')).toBe(RU['field.invalid']);
    expect(inRussian('"Soup (1.5)" is bound to "Lunch".')).toBe(
      '«Soup (1.5)» привязано к «Lunch».',
    );
    expect(inRussian('must be integer or a uuid')).toBe('ожидается целое число или UUID');
    expect(inRussian('Category 7: No such category.')).toBe('Категория 7: Такой категории нет.');
    expect(staffSentence('must be one of A, B', 'field.invalid')).toBe('must be one of A, B');
  });

  test('[HTTP-113] keep names from people as they are', () => {
    expect(inRussian('The product "badge" sells the item.')).toBe('Позицию продаёт блюдо «badge».');
    expect(inRussian('"media" is bound to "No such media.".')).toBe(
      '«media» привязано к «No such media.».',
    );
  });

  test.each(Object.entries(EN).filter(isSentence))(
    'translate, for %s, its own sentence',
    (key, text) => {
      const sentence = text.replaceAll(/\{\w+\}/g, '7');
      expect(inRussian(sentence)).toBe(RU[key as keyof typeof RU].replaceAll(/\{\w+\}/g, '7'));
    },
  );
});
