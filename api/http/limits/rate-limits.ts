import type { Env } from '../../../modules/env.ts';
import { createWindowCounter, type Budget, type WindowCounter } from './hot-rate-limit.ts';
import type { RateClass } from '../../../modules/access/schemas/api-keys.ts';
import type { Caller } from '../caller.ts';
import type { RateLimitClass, UserActor } from '../route.ts';

export type RateVerdict = { allowed: boolean; headers: Record<string, string> };

export type RateLimits = {
  /** Null if the limit is off. */
  counter(limit: RateLimitClass): WindowCounter | null;
  /**
   * Counts a request. Reads with a storefront key count for the class of the key, and its guest
   * counts like any other (rule HTTP-40). Null if the limit is off.
   */
  count(limit: RateLimitClass, caller: Caller, cost?: number): Counted;
  /** API keys have their own class. */
  countStaff(limit: RateLimitClass, staff: Pick<UserActor, 'userId' | 'rateClass'>): Counted;
  /** Counts for `key`, an address or a user. `allowed` is false if the limit is reached. */
  take(limit: RateLimitClass, key: string, cost?: number): RateVerdict;
};

type Counted = { counter: WindowCounter; budget: Budget } | { counter: null; budget: null };

const KEY_CLASSES: Readonly<Record<RateClass, 'key' | 'key-high'>> = {
  STANDARD: 'key',
  HIGH: 'key-high',
};

/** Classes that a key's own class replaces. */
const READS: ReadonlySet<RateLimitClass> = new Set(['menu', 'public', 'search', 'media']);

/** Creates this process's limits per minute (rules HTTP-13, HTTP-20). */
export function createRateLimits(
  env: Pick<Env, Extract<keyof Env, `RATE_LIMIT_${string}`>>,
): RateLimits {
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
    key: create('key', env.RATE_LIMIT_KEY),
    'key-high': create('key-high', env.RATE_LIMIT_KEY_HIGH),
    none: null,
  };

  const countOne = (counter: WindowCounter, key: string, cost?: number): Counted => ({
    counter,
    budget: counter.take(key, performance.now(), cost),
  });

  function count(
    limit: RateLimitClass,
    { address, key, namesGuest }: Caller,
    cost?: number,
  ): Counted {
    const counter = counters[limit];
    if (counter === null) return { counter: null, budget: null };
    if (key === null) return countOne(counter, address, cost);
    const own = countOne(counters[KEY_CLASSES[key.rateClass]]!, `key ${key.id}`, cost);
    if (own.budget?.allowed === false || (READS.has(limit) && !namesGuest)) return own;

    return countOne(counter, address, cost);
  }

  return {
    counter: (limit) => counters[limit],
    count,
    countStaff(limit, { userId, rateClass }) {
      const counter = counters[limit];
      if (counter === null) return { counter: null, budget: null };
      if (rateClass === null) return countOne(counter, `user ${userId}`);
      return countOne(counters[KEY_CLASSES[rateClass]]!, `key ${userId}`);
    },
    take(limit, key, cost) {
      const counter = counters[limit];
      if (counter === null) return { allowed: true, headers: {} };
      const budget = counter.take(key, performance.now(), cost);
      return { allowed: budget.allowed, headers: budgetHeaders(counter, budget) };
    },
  };
}

/** Returns `RateLimit-Policy` and `RateLimit` and, for a rejection, `Retry-After`. */
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
