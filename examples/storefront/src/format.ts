import { LANGUAGES, type Language } from './languages.ts';
import { shop } from './store.ts';

const localeNow = (): string => LANGUAGES[shop().language].locale;

const MONEY = {
  style: 'currency',
  currency: 'RUB',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 0,
} as const;
const MONEY_FORMATS: Readonly<Record<Language, Intl.NumberFormat>> = {
  ru: new Intl.NumberFormat(LANGUAGES.ru.locale, MONEY),
  en: new Intl.NumberFormat(LANGUAGES.en.locale, MONEY),
};

export const rubles = (money: number): string => MONEY_FORMATS[shop().language].format(money);

/** Formats the local time of a timestamp in its own offset, not in the guest's time zone. */
export const clock = (at: string): string =>
  new Date(`${at.slice(0, 16)}Z`).toLocaleTimeString(localeNow(), {
    timeStyle: 'short',
    timeZone: 'UTC',
  });

/** Formats a date (`YYYY-MM-DD`) as today, tomorrow or a weekday in the restaurant's time zone. */
export function dayName(date: string, timeZone: string): string {
  const today = new Date().toLocaleDateString('sv-SE', { timeZone });
  const days = Math.round((Date.parse(date) - Date.parse(today)) / 86_400_000);
  const locale = localeNow();
  if (days === 0 || days === 1)
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  return new Date(date).toLocaleDateString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
}

/** The trimmed text of a field; empty if the form has no such field. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
