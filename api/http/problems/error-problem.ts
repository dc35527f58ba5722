import { problemOfConstraint } from '../../../kernel/constraint-problems.ts';
import { isProblem, Problem } from '../../../kernel/problem.ts';
import { isDatabaseOutage } from '../../../platform/database-outage.ts';

/** 14 is gRPC's code of an unavailable Temporal server. */
const UNAVAILABLE = new Set<unknown>(['MEDIA_STORE', 14]);

/** Returns the problem, and whether it is a fault to log. */
export function problemOfError(error: unknown): { problem: Problem; fault: boolean } {
  if (isProblem(error)) return { problem: error, fault: error.cause !== undefined };
  const constraint = problemOfConstraint(error);
  if (constraint !== null) return { problem: constraint, fault: false };
  if (isDatabaseOutage(error) || listCodes(error).some((code) => UNAVAILABLE.has(code)))
    return {
      problem: new Problem('unavailable', { headers: { 'Retry-After': '5' } }),
      fault: true,
    };

  return { problem: new Problem('internal'), fault: true };
}

function listCodes(error: unknown): unknown[] {
  return error instanceof Error
    ? [(error as { code?: unknown }).code, ...listCodes(error.cause)]
    : [];
}
