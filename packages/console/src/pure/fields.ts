import { localTime, toMoment } from './moments.ts';

export type FieldKind =
  | 'text'
  | 'long'
  | 'number'
  | 'choice'
  | 'choices'
  | 'flag'
  | 'moment'
  | 'localTime'
  | 'day'
  | 'time'
  | 'password'
  | 'lines'
  | 'restaurants';

/** `name` is the path of the value in the request, such as `a.b`. */
export type FieldShape = {
  name: string;
  kind: FieldKind;
  isNumeric?: boolean | undefined;
  /** For `choices`. The API expects null instead of an empty list. */
  isNullable?: boolean | undefined;
};

export type Values = Record<string, unknown>;

export const toText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : JSON.stringify(value);

export const valueAt = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Values | null | undefined)?.[name], record);

/** Creates the objects on the path. */
export function setAt(record: Values, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let inner = record;
  for (const name of names) inner = (inner[name] ??= {}) as Values;
  inner[last] = value;
}

const LISTS: readonly FieldKind[] = ['choices', 'restaurants'];

/** Converts a value from the API for a field. */
export function shown(
  { kind }: FieldShape,
  value: unknown,
  zone: string,
): string | boolean | string[] {
  if (kind === 'flag') return value === true;
  if (LISTS.includes(kind)) return Array.isArray(value) ? value.map(String) : [];
  if (value === null || value === undefined) return '';
  if (kind === 'moment') return localTime(value as string, zone);
  if (kind === 'lines') return (value as string[]).join('\n');

  return String(value as string | number);
}

/**
 * Converts a field for the API. Empty fields become null, except flags, lines, and choices that are
 * not nullable.
 */
function sent(
  { kind, isNumeric = false, isNullable = false }: FieldShape,
  value: unknown,
  zone: string,
): unknown {
  if (kind === 'flag') return value === true;
  if (kind === 'restaurants')
    return (value as string[]).length === 0 ? null : (value as string[]).map(Number);
  if (kind === 'choices') {
    const entries = (value as string[]).map((entry) => (isNumeric ? Number(entry) : entry));
    return isNullable && entries.length === 0 ? null : entries;
  }

  const text = String((value as string | undefined) ?? '').trim();
  if (kind === 'lines')
    return text === ''
      ? []
      : text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean);

  if (text === '') return null;
  if (kind === 'number' || isNumeric) return Number(text.replace(',', '.').replaceAll(/\s/g, ''));

  return kind === 'moment' ? toMoment(text, zone) : text;
}

export function formValues(fields: readonly FieldShape[], record: unknown, zone: string): Values {
  const values: Values = {};
  for (const field of fields)
    setAt(values, field.name, shown(field, valueAt(record, field.name), zone));
  return values;
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export function changedFields<Field extends FieldShape>(
  fields: readonly Field[],
  values: Values,
  record: unknown,
  zone: string,
): Field[] {
  return fields.filter(
    (field) =>
      !isSame(valueAt(values, field.name), shown(field, valueAt(record, field.name), zone)),
  );
}

/** Returns the body of a request. Empty fields only with `withEmpty`. */
export function toBody(
  fields: readonly FieldShape[],
  values: Values,
  zone: string,
  withEmpty: boolean,
): Values {
  const body: Values = {};
  for (const field of fields) {
    const value = sent(field, valueAt(values, field.name), zone);
    if (withEmpty || value !== null) setAt(body, field.name, value);
  }

  return body;
}
