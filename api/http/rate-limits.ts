import type { Env } from '../../platform/env.ts';
import { createWindowCounter, type Budget, type WindowCounter } from './hot-rate-limit.ts';
import type { RateLimitClass } from './route.ts';

export type RateVerdict = { allowed: boolean; headers: Record<string, string> };

export type RateLimits = {
  /** The budget of a class, which the pre-Koa reads count against as well; null where the limit is off. */
  counter(limit: RateLimitClass): WindowCounter | null;
  /** Counts one request of `key` (an address or a user) against a class and says whether it may pass. */
  take(limit: RateLimitClass, key: string): RateVerdict;
};

/** Requests per minute by class from RATE_LIMIT_MENU, _PUBLIC, _ADDRESSES, _ORDERING, _ADMIN and _WEBHOOK (rule HTTP-13), counted in this process. */
export function createRateLimits(
  env: Pick<
    Env,
    | 'RATE_LIMIT_MENU'
    | 'RATE_LIMIT_PUBLIC'
    | 'RATE_LIMIT_ADDRESSES'
    | 'RATE_LIMIT_ORDERING'
    | 'RATE_LIMIT_ADMIN'
    | 'RATE_LIMIT_WEBHOOK'
  >,
): RateLimits {
  const create = (name: RateLimitClass, quota: number | null) =>
    quota === null ? null : createWindowCounter(name, quota);
  const counters: Record<RateLimitClass, WindowCounter | null> = {
    menu: create('menu', env.RATE_LIMIT_MENU),
    public: create('public', env.RATE_LIMIT_PUBLIC),
    addresses: create('addresses', env.RATE_LIMIT_ADDRESSES),
    ordering: create('ordering', env.RATE_LIMIT_ORDERING),
    admin: create('admin', env.RATE_LIMIT_ADMIN),
    webhooks: create('webhooks', env.RATE_LIMIT_WEBHOOK),
    none: null,
  };
  return {
    counter: (limit) => counters[limit],
    take(limit, key) {
      const found = counters[limit];
      if (found === null) return { allowed: true, headers: {} };
      const budget = found.take(key, performance.now());
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
