import { dateFormat, numberFormat } from './intl.ts';

export type Language = 'en' | 'ru';

const LOCALES = { en: 'en-US', ru: 'ru-RU' } as const;

export const localeOf = (language: Language): string => LOCALES[language];

/** Formats rubles, such as `1,250.50 ₽`. Omits kopecks if they are zero. */
export function money(amount: number, language: Language): string {
  return numberFormat(localeOf(language), {
    style: 'currency',
    currency: 'RUB',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount);
}

export const count = (value: number, language: Language): string =>
  numberFormat(localeOf(language), {}).format(value);

/** Formats a moment without the zone's name. Omits the date of today, and the present year. */
export function moment(
  at: string,
  zone: string,
  language: Language,
  now: Date = new Date(),
): string {
  const date = new Date(at);
  const formatDay = (day: Date) =>
    dateFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(day);
  const [shown, today] = [formatDay(date), formatDay(now)];

  return dateFormat(localeOf(language), {
    timeZone: zone,
    ...(shown === today ? {} : { day: 'numeric', month: 'short' }),
    ...(shown.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(date);
}

/** Formats a date such as `2026-11-29`. */
export const calendarDay = (day: string, language: Language): string =>
  dateFormat(localeOf(language), { timeZone: 'UTC', dateStyle: 'medium' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** Returns the short name of a zone, such as `GMT+3`. */
export function zoneName(zone: string, language: Language, at: Date = new Date()): string {
  const parts = dateFormat(localeOf(language), {
    timeZone: zone,
    timeZoneName: 'short',
  }).formatToParts(at);

  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration in its largest unit, such as `4 min`. */
export function age(seconds: number, language: Language): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  return numberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.floor(seconds / size),
  );
}

export function bytes(value: number, language: Language): string {
  const unit = value >= 1_000_000 ? 'megabyte' : 'kilobyte';
  return numberFormat(localeOf(language), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(value / (unit === 'megabyte' ? 1_000_000 : 1_000));
}
