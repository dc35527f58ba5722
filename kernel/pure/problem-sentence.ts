import type { FieldError } from './field-errors.ts';
import { PROBLEMS, type ProblemKind } from './problems.ts';

/**
 * Returns the `detail` of a problem: its sentence, the broken fields, or the meaning of its kind.
 */
export function problemSentence(
  kind: ProblemKind,
  { detail, errors }: { detail?: string | undefined; errors?: readonly FieldError[] | undefined },
): string {
  return detail ?? (errors && namedFields(shownErrors(errors))) ?? PROBLEMS[kind].when;
}

/** Limit of field errors in an answer: the sender controls their number. */
const SHOWN_ERRORS = 50;
/** Limit of a field's name: the sender controls its path. */
const FIELD_CHARACTERS = 200;

/** Returns the first field errors, and the number of others in `errorsOmitted`. */
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

/** Fields in the sentence of a problem; `errors` has all. */
const NAMED = 3;

/** Joins the sentences of the first fields, undefined without errors. `more` counts the others. */
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
