import { Problem } from '../../../kernel/problem.ts';
import type { Env } from '../../../modules/env.ts';
import { readRefusedCaller } from '../caller.ts';
import { clientAddress } from '../client-address.ts';
import type { HttpMiddleware } from '../context.ts';
import type { RateLimits } from '../limits/rate-limits.ts';

/**
 * Rejects invalid storefront keys (rule HTTP-40). Each rejection counts as a menu read of the
 * address, because the gateway does not limit requests with keys.
 */
export function storefrontKeys(limits: RateLimits, env: Pick<Env, 'TRUST_PROXY'>): HttpMiddleware {
  return async (ctx, next) => {
    const refused = readRefusedCaller(ctx.req);
    if (refused === undefined || ctx.method === 'OPTIONS') return next();
    const { allowed, headers } = limits.take('menu', clientAddress(ctx.req, env.TRUST_PROXY));
    ctx.set(headers);
    if (!allowed) throw new Problem('rate-limited');
    ctx.state.refusedKey = refused.refusedKey;

    throw refused.problem;
  };
}
