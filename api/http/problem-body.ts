import { Type } from 'typebox';
import type { FieldError, Problem } from '../../kernel/problem.ts';
import { PROBLEMS } from '../../kernel/pure/problems.ts';
import { ProblemBody } from './problem-schema.ts';
import { createSerializer } from './serializer.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The request that a problem answers. `instance` is its path without the query. */
type ProblemContext = { instance: string; requestId: string; traceId?: string | undefined };

/** A problem may have more members than the schema names. */
const write = createSerializer(Type.Object(ProblemBody.properties, { additionalProperties: true }), false);

/**
 * Writes the answer of a problem as other answers are written, with money (rules HTTP-7, HTTP-10).
 */
export const problemText = (problem: Problem, context: ProblemContext): string => write(problemBody(problem, context));

/** The RFC 9457 body of a problem (rule HTTP-10), with money in kopecks. */
export function problemBody(problem: Problem, context: ProblemContext): Record<string, unknown> {
  const { status, title } = PROBLEMS[problem.kind];
  const { detail, errors, violations, extra } = problem.details;
  const shown = errors === undefined ? undefined : shownErrors(errors);
  return {
    ...extra,
    type: `/problems/${problem.kind}`,
    title,
    status,
    detail: detail ?? (shown && namedFields(shown)) ?? PROBLEMS[problem.kind].when,
    instance: context.instance,
    requestId: context.requestId,
    ...(context.traceId === undefined ? {} : { traceId: context.traceId }),
    ...shown,
    ...(violations === undefined ? {} : { violations }),
  };
}

/**
 * Field errors in one answer at most. More of them do not help, and the sender could choose their
 * number.
 */
const SHOWN_ERRORS = 50;
/** Characters of a field's name: a path repeats names that the sender made up. */
const FIELD_CHARACTERS = 200;

/** The first field errors, and in `errorsOmitted` how many more there are. */
function shownErrors(errors: readonly FieldError[]): { errors: FieldError[]; errorsOmitted?: number } {
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

function namedFields({ errors, errorsOmitted = 0 }: ReturnType<typeof shownErrors>): string | undefined {
  if (errors.length === 0) return undefined;
  const named = errors.slice(0, NAMED).map(({ field, message }) => `${field}: ${message.replace(/\.$/, '')}`);
  const rest = errors.length + errorsOmitted - named.length;
  return `${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}
