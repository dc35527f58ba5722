import { IntlMessageFormat } from 'intl-messageformat';
import { localeOf, type Language } from '../pure/format.ts';
import type { TextKey, Texts } from './en/index.ts';

export type { TextKey } from './en/index.ts';
export type { Language } from '../pure/format.ts';

type Values = Record<string, string | number>;

const STORED = 'carte-console-language';

const LOADERS: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en/index.ts')).en,
  ru: async () => (await import('./ru/index.ts')).ru,
};

let language: Language = 'en';
let texts = {} as Texts;
const compiled = new Map<string, IntlMessageFormat>();

export const currentLanguage = (): Language => language;

/** Returns the stored language, or else the browser's. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'ru') return stored;
  return navigator.language.startsWith('ru') ? 'ru' : 'en';
}

/** Loads only the texts of this language. */
export async function loadLanguage(next: Language): Promise<void> {
  texts = await LOADERS[next]();
  language = next;
  compiled.clear();
  localStorage.setItem(STORED, next);
  document.documentElement.lang = next;
}

/** Returns the text of a key with its values. Plurals are ICU messages. */
export function t(key: TextKey, values?: Values): string {
  const text = texts[key];
  if (!text.includes('{')) return text;
  const message = compiled.get(key) ?? new IntlMessageFormat(text, localeOf(language));
  compiled.set(key, message);
  return String(message.format(values));
}

/**
 * The sentence of a code of the API, such as `orderStatus` `SENT`, with its values; a new code
 * stays itself.
 */
export function code(group: string, value: string, values?: Values): string {
  const key = `${group}.${value}`;
  return isKey(key) ? t(key, values) : value;
}

/** Returns the codes of a group with a sentence, sorted by it. */
export function listCodes(group: string): readonly string[] {
  const prefix = `${group}.`;
  const found = Object.keys(texts).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  );

  return found.toSorted((one, other) =>
    code(group, one).localeCompare(code(group, other), localeOf(language)),
  );
}

/** Returns the reason why the action is impossible. */
export const needs = (permission: string | null): string | null =>
  permission === null ? null : t('error.needs', { permission: code('permission', permission) });

const isKey = (key: string): key is TextKey => Object.hasOwn(texts, key);
