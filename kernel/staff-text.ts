import { AsyncLocalStorage } from 'node:async_hooks';
import { IntlMessageFormat } from 'intl-messageformat';
import type { GuestLanguage } from './guest-language.ts';
import { EN } from './pure/messages/en.ts';
import {
  createMessage,
  type Message,
  type MessageKey,
  type ParamsArgument,
} from './pure/messages/message.ts';
import { RU } from './pure/messages/ru.ts';

const CATALOG: Readonly<Record<GuestLanguage, Readonly<Record<MessageKey, string>>>> = { EN, RU };

/** Messages, parsed once per process. */
const compiled: Readonly<Record<GuestLanguage, Map<MessageKey, IntlMessageFormat>>> = {
  EN: new Map(),
  RU: new Map(),
};

const ofStaff = new AsyncLocalStorage<GuestLanguage>();

export const inStaffLanguage = <T>(language: GuestLanguage, work: () => T): T =>
  ofStaff.run(language, work);

/** English by default. */
export const staffLanguage = (): GuestLanguage => ofStaff.getStore() ?? 'EN';

export function textIn(language: GuestLanguage, { key, params }: Message): string {
  const known = compiled[language].get(key);
  const format =
    known ??
    new IntlMessageFormat(CATALOG[language][key], language.toLowerCase(), undefined, {
      ignoreTag: true,
    });

  if (known === undefined) compiled[language].set(key, format);

  return String(format.format(params));
}

/** Uses the language of the staff request. */
export const staffText = <K extends MessageKey>(key: K, ...params: ParamsArgument<K>): string =>
  textIn(staffLanguage(), createMessage(key, ...params));

export const staffTexts = (messages: readonly Message[]): string =>
  messages.map((message) => textIn(staffLanguage(), message)).join(' ');
