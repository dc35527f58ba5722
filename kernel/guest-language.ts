import { AsyncLocalStorage } from 'node:async_hooks';
import Negotiator from 'negotiator';

/** The languages of the texts for guests. */
export type GuestLanguage = 'RU' | 'EN';

const LANGUAGES: Readonly<Record<string, GuestLanguage>> = { ru: 'RU', en: 'EN' };
const requested = new AsyncLocalStorage<GuestLanguage | null>();

/**
 * The first language of `Accept-Language` that has texts for guests. Null if there is none, or if
 * any language is as welcome: then the setting decides (rule HTTP-103).
 */
export function languageIn(acceptLanguage: string | undefined): GuestLanguage | null {
  if (acceptLanguage === undefined || acceptLanguage === '') return null;
  const header = acceptLanguage.slice(0, LONGEST);
  const cached = known.get(header);
  if (cached !== undefined) return cached;
  const language = firstIn(header);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(header, language);
  return language;
}

/** Browsers send few different values, each with every request. */
const known = new Map<string, GuestLanguage | null>();
const MOST_KNOWN = 1_000;
/** Characters of the header that are read: browsers send fewer, and a long one costs time. */
const LONGEST = 200;

function firstIn(acceptLanguage: string): GuestLanguage | null {
  for (const tag of new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages()) {
    if (tag === '*') return null;
    const code = tag.split('-')[0]!.toLowerCase();
    const language = Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code] : undefined;
    if (language !== undefined) return language;
  }
  return null;
}

/** Runs the work of a request whose guest reads this language. */
export const inLanguage = <T>(language: GuestLanguage | null, work: () => T): T => requested.run(language, work);

/** The language of the request that is being answered; null if it names none, or outside of one. */
export const requestedLanguage = (): GuestLanguage | null => requested.getStore() ?? null;
