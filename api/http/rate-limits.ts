import type { Env } from '../../modules/env.ts';
import { createWindowCounter, type Budget, type WindowCounter } from './hot-rate-limit.ts';
import type { RateLimitClass } from './route.ts';

export type RateVerdict = { allowed: boolean; headers: Record<string, string> };

export type RateLimits = {
  /** The budget of a class, which the pre-Koa reads count against as well; null where the limit is off. */
  counter(limit: RateLimitClass): WindowCounter | null;
  /** Counts one request of `key` (an address or a user), or as many as it costs, against a class and says whether it may pass. */
  take(limit: RateLimitClass, key: string, cost?: number): RateVerdict;
};

/** Requests per minute by class from the settings RATE_LIMIT_* (rules HTTP-13 and HTTP-20), counted in this process. */
export function createRateLimits(env: Pick<Env, Extract<keyof Env, `RATE_LIMIT_${string}`>>): RateLimits {
  const create = (name: RateLimitClass, quota: number | null) =>
    quota === null ? null : createWindowCounter(name, quota);
  const counters: Record<RateLimitClass, WindowCounter | null> = {
    menu: create('menu', env.RATE_LIMIT_MENU),
    public: create('public', env.RATE_LIMIT_PUBLIC),
    search: create('search', env.RATE_LIMIT_SEARCH),
    addresses: create('addresses', env.RATE_LIMIT_ADDRESSES),
    ordering: create('ordering', env.RATE_LIMIT_ORDERING),
    'sign-in': create('sign-in', env.RATE_LIMIT_SIGN_IN),
    media: create('media', env.RATE_LIMIT_MEDIA),
    documents: create('documents', env.RATE_LIMIT_DOCUMENTS),
    admin: create('admin', env.RATE_LIMIT_ADMIN),
    webhooks: create('webhooks', env.RATE_LIMIT_WEBHOOK),
    none: null,
  };
  return {
    counter: (limit) => counters[limit],
    take(limit, key, cost) {
      const found = counters[limit];
      if (found === null) return { allowed: true, headers: {} };
      const budget = found.take(key, performance.now(), cost);
      return { allowed: budget.allowed, headers: budgetHeaders(found, budget) };
    },
  };
}

/** `RateLimit-Policy` and `RateLimit`, and `Retry-After` in seconds with a refusal. */
export function budgetHeaders(
  { name, policy }: Pick<WindowCounter, 'name' | 'policy'>,
  budget: Budget,
): Record<string, string> {
  return {
    'RateLimit-Policy': policy,
    RateLimit: `"${name}";r=${budget.remaining};t=${budget.resetSeconds}`,
    ...(budget.allowed ? {} : { 'Retry-After': String(budget.resetSeconds) }),
  };
}
