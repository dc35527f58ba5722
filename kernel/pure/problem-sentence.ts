import type { FieldError } from './field-errors.ts';
import { PROBLEMS, type ProblemKind } from './problems.ts';

/** The `detail` of a problem: its own sentence, the broken fields, or the meaning of its kind. */
export function problemSentence(
  kind: ProblemKind,
  { detail, errors }: { detail?: string | undefined; errors?: readonly FieldError[] | undefined },
): string {
  return detail ?? (errors && namedFields(shownErrors(errors))) ?? PROBLEMS[kind].when;
}

/**
 * Field errors in one answer at most. More of them do not help, and the sender could choose their
 * number.
 */
const SHOWN_ERRORS = 50;
/** Characters of a field's name: a path repeats names that the sender made up. */
const FIELD_CHARACTERS = 200;

/** The first field errors, and in `errorsOmitted` how many more there are. */
export function shownErrors(errors: readonly FieldError[]): { errors: FieldError[]; errorsOmitted?: number } {
  const shown = errors
    .slice(0, SHOWN_ERRORS)
    .map((error) =>
      error.field.length > FIELD_CHARACTERS ? { ...error, field: `${error.field.slice(0, FIELD_CHARACTERS)}…` } : error,
    );
  const omitted = errors.length - shown.length;
  return omitted === 0 ? { errors: shown } : { errors: shown, errorsOmitted: omitted };
}

/** Fields that a problem names in its sentence; `errors` has them all. */
const NAMED = 3;

/** The first fields with their sentences; undefined without errors. `more` counts the others. */
export function namedFields(
  { errors, errorsOmitted = 0 }: ReturnType<typeof shownErrors>,
  more = (rest: number): string => `and ${rest} more`,
): string | undefined {
  if (errors.length === 0) return undefined;
  const named = errors.slice(0, NAMED).map(({ field, message }) => `${field}: ${message.replace(/\.$/, '')}`);
  const rest = errors.length + errorsOmitted - named.length;
  return `${named.join('; ')}${rest > 0 ? `; ${more(rest)}` : ''}.`;
}
