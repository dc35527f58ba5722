import type { Problem } from '../../contracts/problem.ts';
import { PROBLEMS } from '../../contracts/problems.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The RFC 9457 body of a problem (rule HTTP-10). `instance` is the request path without its query. */
export function problemBody(
  problem: Problem,
  context: { instance: string; requestId: string },
): Record<string, unknown> {
  const { status, title } = PROBLEMS[problem.kind];
  const { detail, errors, violations, extra } = problem.details;
  return {
    ...extra,
    type: `/problems/${problem.kind}`,
    title,
    status,
    detail: detail ?? PROBLEMS[problem.kind].when,
    instance: context.instance,
    requestId: context.requestId,
    ...(errors === undefined ? {} : { errors }),
    ...(violations === undefined ? {} : { violations }),
  };
}
