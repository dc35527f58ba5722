import { INVISIBLE } from './erp-text.ts';
import type { FieldError } from './field-errors.ts';

/** Maximum characters after trimming. */
export type TextLimits<Field extends string> = Readonly<Record<Field, number>>;

/** Rejected characters. Invisible ones would make two names or secrets look equal. */
const REFUSED = {
  name: new RegExp(`\\p{Cc}|${INVISIBLE.source}`, 'u'),
  words: /(?![\t\n\r])\p{Cc}/u,
} as const;

export type TextKind = keyof typeof REFUSED;

/**
 * Returns errors of texts that are empty, too long, or contain forbidden characters. `words` may
 * contain tabs and line breaks.
 */
export function textErrors<Field extends string>(
  input: Readonly<Record<Field, string>>,
  limits: TextLimits<Field>,
  kind: TextKind,
): FieldError[] {
  const fields = Object.keys(limits) as Field[];
  return fields.flatMap(
    (field) => findError(field, input[field].trim(), limits[field], REFUSED[kind]) ?? [],
  );
}

/** Returns the error of a name that is blank or contains control or invisible characters. */
export function nameErrors(field: string, name: string): FieldError[] {
  if (isBlank(name)) return [{ field, code: 'required', message: 'The name is empty.' }];
  return textErrors({ [field]: name }, { [field]: Infinity }, 'name');
}

export const isBlank = (text: string): boolean => text.replaceAll(INVISIBLE, '').trim() === '';

function findError(
  field: string,
  text: string,
  longest: number,
  refused: RegExp,
): FieldError | undefined {
  if (isBlank(text)) return { field, code: 'required', message: 'Must not be empty' };
  if (Array.from(text).length > longest)
    return { field, code: 'max_length', message: `At most ${longest} characters` };
  if (refused.test(text))
    return { field, code: 'invalid', message: 'Must not contain control or invisible characters' };

  return undefined;
}
