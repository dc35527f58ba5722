import { Problem } from '../../../kernel/problem.ts';
import type { Env } from '../../../modules/env.ts';
import { readCaller } from '../caller.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { budgetHeaders, type RateLimits } from './rate-limits.ts';
import type { RateLimitClass } from '../route.ts';

const MAX_TARGET_CHARACTERS = 8_000;
const MAX_PARAMETERS = 100;

/** Returns true for URLs that cost more than their response. */
export function isTooLong(target: string): boolean {
  if (target.length > MAX_TARGET_CHARACTERS) return true;
  let parameters = 1;
  for (let at = target.indexOf('&'); at >= 0; at = target.indexOf('&', at + 1)) parameters += 1;
  return parameters > MAX_PARAMETERS;
}

/** Counts a request without a route. Throws `rate-limited`. */
export type LimitByAddress = (ctx: HttpContext, as?: RateLimitClass, cost?: number) => void;

export function limitByAddress(limits: RateLimits, env: Pick<Env, 'TRUST_PROXY'>): LimitByAddress {
  return (ctx, as = ctx.state.api, cost = 1) => {
    const { counter, budget } = limits.count(as, readCaller(ctx.req, env.TRUST_PROXY), cost);
    if (counter === null) return;
    ctx.set(budgetHeaders(counter, budget));
    if (!budget.allowed) throw new Problem('rate-limited');
  };
}

/** Counts CORS preflights, which are answered before routing. */
export function preflightLimit(limit: LimitByAddress): HttpMiddleware {
  return async (ctx, next) => {
    if (ctx.method === 'OPTIONS') limit(ctx);
    await next();
  };
}

/** Rejects too long URLs, after the headers that pages need to read the rejection. */
export function urlLimit(): HttpMiddleware {
  return async (ctx, next) => {
    if (isTooLong(ctx.req.url ?? '')) throw new Problem('uri-too-long');
    await next();
  };
}
