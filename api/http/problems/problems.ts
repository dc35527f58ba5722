import { loggable } from '../../../platform/log.ts';
import { Problem } from '../../../kernel/problem.ts';
import { PROBLEMS } from '../../../kernel/pure/problems.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { problemOfError } from './error-problem.ts';
import type { LimitByAddress } from '../limits/request-limits.ts';
import { PROBLEM_TYPE, problemText } from './problem-body.ts';
import { noteRefusal, type RefusalDeps } from './refused.ts';

/** Converts thrown errors to RFC 9457 responses. Unknown errors become `internal`. */
export function problems(deps: RefusalDeps): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { problem, fault } = problemOfError(error);
      if (fault)
        deps.log.error(
          { requestId: ctx.state.requestId, kind: problem.kind, error: loggable(error) },
          'a request failed',
        );

      await noteRefusal(deps, ctx, problem);
      answer(ctx, problem);
    }
  };
}

function answer(ctx: HttpContext, problem: Problem): void {
  ctx.status = PROBLEMS[problem.kind].status;
  ctx.set(problem.details.headers ?? {});
  ctx.set('Cache-Control', 'no-store');
  ctx.remove('ETag');
  const { requestId, traceId } = ctx.state;
  ctx.body = problemText(problem, { instance: ctx.path, requestId, traceId });
  ctx.type = PROBLEM_TYPE;
}

/** Must be the last middleware. */
export function unmatched(
  allowedMethods: (path: string) => string[],
  limit: LimitByAddress,
): HttpMiddleware {
  return async (ctx) => {
    if (ctx.method !== 'OPTIONS') limit(ctx);
    const allowed = allowedMethods(ctx.path);
    if (allowed.length === 0) throw new Problem('not-found');
    const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ');
    if (ctx.method !== 'OPTIONS')
      throw new Problem('method-not-allowed', { headers: { Allow: allow } });
    ctx.set('Allow', allow);
    ctx.status = 204;
  };
}
