import type { FieldError } from './field-errors.ts';
import { PROBLEMS, type ProblemKind } from './problems.ts';

/** Returns the sentence of a problem, its fields, or the meaning of its kind. */
export function problemSentence(
  kind: ProblemKind,
  { detail, errors }: { detail?: string | undefined; errors?: readonly FieldError[] | undefined },
): string {
  return detail ?? (errors && namedFields(shownErrors(errors))) ?? PROBLEMS[kind].when;
}

/** The sender controls the number of field errors. */
const SHOWN_ERRORS = 50;
/** The sender controls the field's path. */
const FIELD_CHARACTERS = 200;

/** `errorsOmitted` counts the others. */
export function shownErrors(errors: readonly FieldError[]): {
  errors: FieldError[];
  errorsOmitted?: number;
} {
  const shown = errors
    .slice(0, SHOWN_ERRORS)
    .map((error) =>
      error.field.length > FIELD_CHARACTERS
        ? { ...error, field: `${error.field.slice(0, FIELD_CHARACTERS)}…` }
        : error,
    );

  const omitted = errors.length - shown.length;

  return omitted === 0 ? { errors: shown } : { errors: shown, errorsOmitted: omitted };
}

/** `errors` has all. */
const NAMED = 3;

/**
 * Joins the sentences of the first fields, undefined without errors. `more` formats the number of
 * others.
 */
export function namedFields(
  { errors, errorsOmitted = 0 }: ReturnType<typeof shownErrors>,
  more = (rest: number): string => `and ${rest} more`,
): string | undefined {
  if (errors.length === 0) return undefined;
  const named = errors
    .slice(0, NAMED)
    .map(({ field, message }) => `${field}: ${message.replace(/\.$/, '')}`);
  const rest = errors.length + errorsOmitted - named.length;

  return `${named.join('; ')}${rest > 0 ? `; ${more(rest)}` : ''}.`;
}
