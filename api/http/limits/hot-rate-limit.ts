import { toSite } from '../../../kernel/window-count.ts';

export type Budget = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowCounter = {
  readonly name: string;
  readonly policy: string;
  /**
   * Counts a request synchronously. `now` is in monotonic ms. IPv6 networks also count for their
   * site.
   */
  take(key: string, now: number, cost?: number): Budget;
};

/** Rules HTTP-13, HTTP-78. */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/** A mobile network may have thousands of phones in one site (rule HTTP-24). */
export const BUDGETS_OF_SITE = 64;

/** Times before index `first` have expired. */
type Counted = { times: number[]; first: number };

/**
 * Counts in a sliding window of 60 s per key (rule HTTP-78). `rate-limiter-flexible` costs about as
 * much as a hot response.
 */
export function createWindowCounter(name: string, quota: number): WindowCounter {
  const keys = new Map<string, Counted>();
  let sweepAt = 0;

  /** Bounds the memory to the requests of two minutes. */
  function sweep(now: number): void {
    sweepAt = now + WINDOW_MS;
    for (const [key, { times }] of keys) if (times.at(-1)! <= now - WINDOW_MS) keys.delete(key);
  }

  function counted(key: string, most: number, now: number, cost: number): Budget {
    let requests = keys.get(key);
    if (requests === undefined) keys.set(key, (requests = { times: [], first: 0 }));
    const { times } = requests;
    while (requests.first < times.length && times[requests.first]! <= now - WINDOW_MS)
      requests.first += 1;
    if (requests.first > most) {
      times.splice(0, requests.first);
      requests.first = 0;
    }

    const rest = most - (times.length - requests.first);
    // A rejected request uses only the rest of the budget, so that it does not delay later
    // requests.
    for (let use = Math.min(cost, rest); use > 0; use -= 1) times.push(now);
    const missing = Math.max(0, cost - rest - 1);
    const endsAt = (times[requests.first + missing] ?? now) + WINDOW_MS;

    return {
      allowed: cost <= rest,
      remaining: Math.max(0, rest - cost),
      // Rounding up must not exceed 60 s.
      resetSeconds: Math.min(WINDOW_SECONDS, Math.ceil((endsAt - now) / 1000)),
    };
  }

  return {
    name,
    policy: `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    take(key, now, cost = 1) {
      if (now >= sweepAt) sweep(now);
      const own = counted(key, quota, now, cost);
      const site = toSite(key);
      // A rejected network does not use the budget of its site.
      if (site === undefined || !own.allowed) return own;
      const all = counted(site, quota * BUDGETS_OF_SITE, now, cost);

      return all.allowed && all.remaining >= own.remaining ? own : all;
    },
  };
}
