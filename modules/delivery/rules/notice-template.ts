import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';

/** Placeholders with descriptions. */
export const NOTICE_VALUES = {
  organization: 'name of the restaurant',
  city: 'city of the restaurant',
  deliveryMinutes: 'minutes of a delivery now',
  pickupMinutes: 'minutes until an order can be fetched now',
  opensAt: 'next opening, wall clock',
  closesAt: 'closing of today, wall clock',
  closingInMinutes: 'minutes until the restaurant closes',
} as const;

export type NoticeValue = keyof typeof NOTICE_VALUES;

export type NoticeValues = Readonly<Record<NoticeValue, string | number | null>>;

const NAMED = /\{([^{}]*)\}/g;
const isValue = (name: string): name is NoticeValue => Object.hasOwn(NOTICE_VALUES, name);

/** Returns an error for every unknown placeholder (FUL-19). */
export function templateErrors(field: string, text: string): FieldError[] {
  const unknown = [...text.matchAll(NAMED)]
    .map((match) => match[1]!)
    .filter((name) => !isValue(name));
  return [...new Set(unknown)].map((name) =>
    fieldError(
      field,
      'invalid',
      `Unknown name "${name}". Known: ${Object.keys(NOTICE_VALUES).join(', ')}.`,
    ),
  );
}

/** Fills a template; null if a value is missing (FUL-19). */
export function filledTemplate(text: string, values: NoticeValues): string | null {
  const named = [...text.matchAll(NAMED)].map((match) => match[1]!).filter(isValue);
  if (named.some((name) => values[name] === null)) return null;
  return text.replaceAll(NAMED, (whole, name: string) =>
    isValue(name) ? String(values[name]) : whole,
  );
}
