import { AsyncLocalStorage } from 'node:async_hooks';
import Negotiator from 'negotiator';

export type GuestLanguage = 'RU' | 'EN';

const LANGUAGES: Readonly<Record<string, GuestLanguage>> = { ru: 'RU', en: 'EN' };
const requested = new AsyncLocalStorage<GuestLanguage | null>();

/** Returns the first supported language, or null if the setting applies (HTTP-103). */
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

/** Browsers send few different values. */
const known = new Map<string, GuestLanguage | null>();
const MOST_KNOWN = 1_000;
/** Limits the cost of long headers. */
const LONGEST = 200;

function firstIn(acceptLanguage: string): GuestLanguage | null {
  for (const tag of new Negotiator({
    headers: { 'accept-language': acceptLanguage },
  }).languages()) {
    if (tag === '*') return null;
    const code = tag.split('-')[0]!.toLowerCase();
    const language = Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code] : undefined;
    if (language !== undefined) return language;
  }

  return null;
}

export const inLanguage = <T>(language: GuestLanguage | null, work: () => T): T =>
  requested.run(language, work);

export const requestedLanguage = (): GuestLanguage | null => requested.getStore() ?? null;
