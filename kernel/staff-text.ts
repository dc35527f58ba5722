import { IntlMessageFormat } from 'intl-messageformat';
import { requestedLanguage, type GuestLanguage } from './guest-language.ts';
import { EN } from './pure/messages/en.ts';
import { messageOf, type Message, type MessageKey, type ParamsArgument } from './pure/messages/message.ts';
import { RU } from './pure/messages/ru.ts';

const CATALOG: Readonly<Record<GuestLanguage, Readonly<Record<MessageKey, string>>>> = { EN, RU };

/** Each text is parsed once per process. */
const compiled: Readonly<Record<GuestLanguage, Map<MessageKey, IntlMessageFormat>>> = {
  EN: new Map(),
  RU: new Map(),
};

/** The language of staff: Russian or English by `Accept-Language`, else English (rule HTTP-110). */
export const staffLanguage = (): GuestLanguage => requestedLanguage() ?? 'EN';

/** The text of a message in a language. */
export function textIn(language: GuestLanguage, { key, params }: Message): string {
  const known = compiled[language].get(key);
  const format =
    known ?? new IntlMessageFormat(CATALOG[language][key], language.toLowerCase(), undefined, { ignoreTag: true });
  if (known === undefined) compiled[language].set(key, format);
  return String(format.format(params));
}

/** The text of a message in the language of the request of staff. */
export const staffText = <K extends MessageKey>(key: K, ...params: ParamsArgument<K>): string =>
  textIn(staffLanguage(), messageOf(key, ...params));
