import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Env } from '../../platform/env.ts';
import type { RateLimitClass } from './route.ts';

export type RateVerdict = { allowed: boolean; headers: Record<string, string> };

export type RateLimits = {
  /** Counts one request of `key` (an address or a user) against a class and says whether it may pass. */
  take(limit: RateLimitClass, key: string): Promise<RateVerdict>;
};

const WINDOW_SECONDS = 60;
const UNLIMITED: RateVerdict = { allowed: true, headers: {} };

/**
 * Requests per minute by class from RATE_LIMIT_MENU, _PUBLIC and _ADMIN (spec 1, Limits), counted in this process.
 * Headers: `RateLimit-Policy` and `RateLimit`, and `Retry-After` in seconds with a refusal.
 */
export function createRateLimits(
  env: Pick<Env, 'RATE_LIMIT_MENU' | 'RATE_LIMIT_PUBLIC' | 'RATE_LIMIT_ADMIN'>,
): RateLimits {
  const points: Record<RateLimitClass, number | null> = {
    menu: env.RATE_LIMIT_MENU,
    public: env.RATE_LIMIT_PUBLIC,
    admin: env.RATE_LIMIT_ADMIN,
    none: null,
  };
  const limiters = new Map(
    Object.entries(points).flatMap(([name, quota]) =>
      quota === null
        ? []
        : [[name, { quota, limiter: new RateLimiterMemory({ points: quota, duration: WINDOW_SECONDS }) }] as const],
    ),
  );
  return {
    async take(limit, key) {
      const found = limiters.get(limit);
      if (found === undefined) return UNLIMITED;
      const result = await found.limiter.consume(key).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return verdict(limit, found.quota, result);
    },
  };
}

function verdict(name: string, quota: number, result: RateLimiterRes): RateVerdict {
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  const allowed = result.consumedPoints <= quota;
  return {
    allowed,
    headers: {
      'RateLimit-Policy': `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
      RateLimit: `"${name}";r=${Math.max(0, result.remainingPoints)};t=${seconds}`,
      ...(allowed ? {} : { 'Retry-After': String(seconds) }),
    },
  };
}
