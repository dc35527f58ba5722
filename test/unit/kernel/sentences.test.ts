import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { EN } from '../../../kernel/pure/messages/en.ts';
import { RU } from '../../../kernel/pure/messages/ru.ts';
import { staffSentence } from '../../../kernel/staff-sentences.ts';
import { inStaffLanguage } from '../../../kernel/staff-text.ts';
import { SEND_AGAIN_OBSTACLES } from '../../../modules/ordering/rules/send-again.ts';

const SOURCES = ['kernel', 'modules', 'api', 'erp']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`))
  // Guests read no problems of the admin API, and examples show more than the code writes.
  .filter((file) => !/^kernel\/pure\/messages\/|^api\/storefront\/|\/problem-examples/.test(file))
  .map((file) => readFileSync(file, 'utf8').replaceAll(String.raw`\'`, "'"));

const inRussian = (sentence: string) =>
  inStaffLanguage('RU', () => staffSentence(sentence, 'field.invalid'));
const isSentence = ([key]: [string, string]) => key.startsWith('sentence.');

/** Code with a sentence of a problem without parameters. */
const WRITTEN = [
  /\b(?:detail|message|missing): '((?:[^'\\\n]|\\')+)'/g,
  /\b(?:fieldError|invalidField)\([^()'`]*(?:'[^'\n]*'|`[^`\n]*`), '[a-z_]+', '((?:[^'\\\n]|\\')+)'\)/g,
];

describe('[HTTP-111] the sentences of problems', () => {
  test('need a translation for each sentence in the code', () => {
    const written = new Set(
      SOURCES.flatMap((source) =>
        WRITTEN.flatMap((pattern) => [...source.matchAll(pattern)].map(([, text]) => text!)),
      ),
    );
    const missing = [...written].filter(
      (text) => text.includes(' ') && inRussian(text) === RU['field.invalid'],
    );

    missing.push(
      ...Object.values(SEND_AGAIN_OBSTACLES).filter(
        (text) => inRussian(text) === RU['field.invalid'],
      ),
    );

    expect(written.size).toBeGreaterThan(100);
    expect(missing).toEqual([]);
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
    expect(staffSentence('must be one of A, B', 'field.invalid')).toBe('must be one of A, B');
  });

  test.each(Object.entries(EN).filter(isSentence))(
    'translate, for %s, its own sentence',
    (key, text) => {
      const sentence = text.replaceAll(/\{\w+\}/g, '7');
      expect(inRussian(sentence)).toBe(RU[key as keyof typeof RU].replaceAll(/\{\w+\}/g, '7'));
    },
  );
});
