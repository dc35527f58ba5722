import { Problem } from '../../../kernel/problem.ts';
import type { Env } from '../../../modules/env.ts';
import { refusedCallerOf } from '../caller.ts';
import { clientAddress } from '../client-address.ts';
import type { HttpMiddleware } from '../context.ts';
import type { RateLimits } from '../limits/rate-limits.ts';

/**
 * Rejects invalid storefront keys (rule HTTP-40). Each costs its address one menu, because the
 * gateway does not limit requests with keys.
 */
export function storefrontKeys(limits: RateLimits, env: Pick<Env, 'TRUST_PROXY'>): HttpMiddleware {
  return async (ctx, next) => {
    const refused = refusedCallerOf(ctx.req);
    if (refused === undefined || ctx.method === 'OPTIONS') return next();
    const { allowed, headers } = limits.take('menu', clientAddress(ctx.req, env.TRUST_PROXY));
    ctx.set(headers);
    if (!allowed) throw new Problem('rate-limited');
    ctx.state.refusedKey = refused.refusedKey;
    throw refused.problem;
  };
}
