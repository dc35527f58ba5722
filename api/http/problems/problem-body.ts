import { Type } from 'typebox';
import type { Problem } from '../../../kernel/problem.ts';
import { PROBLEMS } from '../../../kernel/pure/problems.ts';
import { problemTexts } from './problem-texts.ts';
import { ProblemBody } from './problem-schema.ts';
import { createSerializer } from '../serializer.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** `instance` excludes the query. */
type ProblemContext = { instance: string; requestId: string; traceId?: string | undefined };

/** Problems may have more members than the schema. */
const write = createSerializer(
  Type.Object(ProblemBody.properties, { additionalProperties: true }),
  false,
);

/** Serializes money like other responses (rules HTTP-7, HTTP-10). */
export const problemText = (problem: Problem, context: ProblemContext): string =>
  write(problemBody(problem, context));

/** Returns the RFC 9457 body of a problem (rule HTTP-10), with money in kopecks. */
export function problemBody(problem: Problem, context: ProblemContext): Record<string, unknown> {
  const { violations, extra } = problem.details;
  const { title, detail, ...shown } = problemTexts(problem);

  return {
    ...extra,
    type: `/problems/${problem.kind}`,
    title,
    status: PROBLEMS[problem.kind].status,
    detail,
    instance: context.instance,
    requestId: context.requestId,
    ...(context.traceId === undefined ? {} : { traceId: context.traceId }),
    ...shown,
    ...(violations === undefined ? {} : { violations }),
  };
}
