import type { GuestLanguage } from './guest-language.ts';
import { FIELD_CODES } from './pure/field-codes.ts';
import { EN } from './pure/messages/en.ts';
import type { MessageKey } from './pure/messages/message.ts';
import { staffLanguage, textIn } from './staff-text.ts';

type SentenceKey = Extract<MessageKey, `sentence.${string}`>;
type Pattern = { key: SentenceKey; pattern: RegExp };
type SentenceMessage = { key: SentenceKey; params: Readonly<Record<string, string>> };

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
  .map((key) => ({ key, pattern: toPattern(EN[key]) }));

/** Splitting alternates literal parts with parameter names. */
function toPattern(text: string): RegExp {
  const parts = text
    .split(PARAMETER)
    .map((part, at) => (at % 2 === 0 ? RegExp.escape(part) : `(?<${part}>.+)`));
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** Parameters that are translated. Others are values, such as names. */
const WORDS = new Set(['thing', 'expected', 'resolution']);
const SENTENCES = new Set(['sentence']);

export function messageOfSentence(sentence: string): SentenceMessage | undefined {
  const constant = constants.get(sentence);
  if (constant !== undefined) return { key: constant, params: {} };
  for (const { key, pattern } of patterns) {
    const match = pattern.exec(sentence);
    if (match !== null) return { key, params: { ...match.groups } };
  }

  return undefined;
}

/**
 * Translates a sentence, found by its English text (HTTP-111). `otherwise` is the message for
 * sentences without a translation.
 */
export function staffSentence(sentence: string, otherwise: MessageKey): string {
  const language = staffLanguage();
  return language === 'EN'
    ? sentence
    : (translated(language, sentence) ?? textIn(language, { key: otherwise, params: {} }));
}

function translated(language: GuestLanguage, sentence: string): string | undefined {
  const message = messageOfSentence(sentence);
  if (message === undefined) return undefined;
  const params = Object.entries(message.params).map(([name, value]) => [
    name,
    WORDS.has(name)
      ? wordsIn(language, value)
      : SENTENCES.has(name)
        ? (translated(language, value) ?? value)
        : value,
  ]);

  return textIn(language, {
    key: message.key,
    params: Object.fromEntries(params) as Record<string, string>,
  });
}

/** Translates common nouns. */
function wordsIn(language: GuestLanguage, text: string): string {
  const keys = text.split(' or ').map((word) => `word.${word}`);
  const or = ` ${textIn(language, { key: 'word.or', params: {} })} `;
  return keys.every((key): key is MessageKey => Object.hasOwn(EN, key))
    ? keys.map((key) => textIn(language, { key, params: {} })).join(or)
    : text;
}

/** A field error without a translation gets the meaning of its code. */
export function staffFieldError<E extends { code: string; message: string }>(error: E): E {
  const code = Object.hasOwn(FIELD_CODES, error.code)
    ? (error.code as keyof typeof FIELD_CODES)
    : 'invalid';
  return { ...error, message: staffSentence(error.message, `field.${code}`) };
}
