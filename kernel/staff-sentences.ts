import type { GuestLanguage } from './guest-language.ts';
import { FIELD_CODES } from './pure/field-codes.ts';
import { EN } from './pure/messages/en.ts';
import type { MessageKey } from './pure/messages/message.ts';
import { staffLanguage, textIn } from './staff-text.ts';

type SentenceKey = Extract<MessageKey, `sentence.${string}`>;
type Pattern = { key: SentenceKey; pattern: RegExp };

const KEYS = (Object.keys(EN) as MessageKey[]).filter((key): key is SentenceKey =>
  key.startsWith('sentence.'),
);
const PARAMETER = /\{(\w+)\}/;

const constants = new Map<string, SentenceKey>(
  KEYS.filter((key) => !PARAMETER.test(EN[key])).map((key) => [EN[key], key]),
);

/** Most literal text first. */
const patterns: readonly Pattern[] = KEYS.filter((key) => PARAMETER.test(EN[key]))
  .toSorted((a, b) => EN[b].length - EN[a].length)
  .map((key) => ({ key, pattern: patternOf(EN[key]) }));

/** Splitting alternates literal parts with parameter names. */
function patternOf(text: string): RegExp {
  const parts = text
    .split(PARAMETER)
    .map((part, at) => (at % 2 === 0 ? RegExp.escape(part) : `(?<${part}>.+)`));
  return new RegExp(`^${parts.join('')}$`, 's');
}

/**
 * Translates a sentence, found by its English text (HTTP-111). `otherwise` is the message for
 * sentences without a translation.
 */
export function staffSentence(sentence: string, otherwise: MessageKey): string {
  const language = staffLanguage();
  if (language === 'EN') return sentence;
  const constant = constants.get(sentence);
  if (constant !== undefined) return textIn(language, { key: constant, params: {} });
  for (const { key, pattern } of patterns) {
    const found = pattern.exec(sentence);
    if (found !== null)
      return textIn(language, { key, params: paramsIn(language, found.groups ?? {}) });
  }
  return textIn(language, { key: otherwise, params: {} });
}

/** Translates common nouns. */
const paramsIn = (
  language: GuestLanguage,
  params: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const words = value.split(' or ').map((word) => `word.${word}`);
      const isKnown = words.every((key): key is MessageKey => Object.hasOwn(EN, key));
      const or = ` ${textIn(language, { key: 'word.or', params: {} })} `;
      return [
        name,
        isKnown
          ? words.map((key) => textIn(language, { key: key as MessageKey, params: {} })).join(or)
          : value,
      ];
    }),
  );

/** A field error without a translation gets the meaning of its code. */
export function staffFieldError<E extends { code: string; message: string }>(error: E): E {
  const code = Object.hasOwn(FIELD_CODES, error.code)
    ? (error.code as keyof typeof FIELD_CODES)
    : 'invalid';
  return { ...error, message: staffSentence(error.message, `field.${code}`) };
}
