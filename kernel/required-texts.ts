import { Problem } from './problem.ts';
import { nameErrors, textErrors, type TextKind, type TextLimits } from './pure/required-texts.ts';

/** Returns the trimmed texts. Throws `validation` with the errors of {@link textErrors}. */
export function requiredTexts<Field extends string>(
  input: Readonly<Record<Field, string>>,
  limits: TextLimits<Field>,
  kind: TextKind = 'name',
): Record<Field, string> {
  const errors = textErrors(input, limits, kind);
  if (errors.length > 0) throw new Problem('validation', { errors });
  const fields = Object.keys(limits) as Field[];

  return Object.fromEntries(fields.map((field) => [field, input[field].trim()])) as Record<
    Field,
    string
  >;
}

/** Returns a trimmed name. Throws `validation` with the errors of {@link nameErrors}. */
export function requiredName(name: string): string {
  const errors = nameErrors('name', name);
  if (errors.length > 0) throw new Problem('validation', { errors });
  return name.trim();
}
