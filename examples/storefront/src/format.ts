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

/** Formats rubles in the language of the guest. */
export const rubles = (money: number): string => MONEY_FORMATS[shop().language].format(money);

/** The wall clock of a date with an offset, independent of the guest's time zone. */
export const clock = (at: string): string =>
  new Date(`${at.slice(0, 16)}Z`).toLocaleTimeString(localeNow(), {
    timeStyle: 'short',
    timeZone: 'UTC',
  });

/** A date `YYYY-MM-DD` as today, tomorrow or a day of the week, on the restaurant's clock. */
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

/** The trimmed text of a field; empty if the form lacks the field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
