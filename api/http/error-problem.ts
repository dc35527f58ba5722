import { problemOfConstraint } from '../../app/constraint-problems.ts';
import { isProblem, Problem } from '../../contracts/problem.ts';

/** Codes that say: a part we need does not answer now. PostgreSQL shutting down or full, sockets refused, Temporal (gRPC 14), the media store. */
const UNAVAILABLE = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  '57P01',
  '57P03',
  '53300',
  'MEDIA_STORE',
  14,
]);

/** The pool gives its time-outs no code: every connection is taken, or the server does not answer. */
const POOL_TIMEOUTS = ['timeout exceeded when trying to connect', 'Connection terminated due to connection timeout'];

/** The problem to answer for anything that was thrown, and whether it is a fault that must be logged. */
export function problemOfError(error: unknown): { problem: Problem; fault: boolean } {
  if (isProblem(error)) return { problem: error, fault: false };
  const constraint = problemOfConstraint(error);
  if (constraint !== null) return { problem: constraint, fault: false };
  if (causes(error).some((each) => UNAVAILABLE.has(each.code) || POOL_TIMEOUTS.includes(each.message)))
    return { problem: new Problem('unavailable', { headers: { 'Retry-After': '5' } }), fault: true };
  return { problem: new Problem('internal'), fault: true };
}

function causes(error: unknown): { code?: unknown; message: string }[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
