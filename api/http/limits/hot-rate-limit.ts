import { siteOf } from '../../../kernel/window-count.ts';

/** The rest of a budget after one request. */
export type Budget = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowCounter = {
  readonly name: string;
  /** Value of the header RateLimit-Policy. */
  readonly policy: string;
  /**
   * Counts one request of `key` at `now` (ms of a monotonic clock), or as many as it costs; of a
   * network of IPv6 against its site as well. Never waits.
   */
  take(key: string, now: number, cost?: number): Budget;
};

/** Length of a budget's window (rules HTTP-13, HTTP-78). */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/**
 * Budgets that a site of IPv6 has, because a mobile network may keep thousands of phones in one
 * (rule HTTP-24).
 */
export const BUDGETS_OF_SITE = 64;

/** The times of the counted requests of a key, oldest first from `first`; earlier ones are over. */
type Counted = { times: number[]; first: number };

/**
 * Counts requests per key in this process, so that no window of 60 s has more than the budget (rule
 * HTTP-78): each request is over 60 s after it was counted. It never waits and allocates only what
 * the requests of a minute need, because the hot reads are counted as well; `rate-limiter-flexible`
 * costs a promise and a timer, about as much as such an answer as a whole.
 */
export function createWindowCounter(name: string, quota: number): WindowCounter {
  const keys = new Map<string, Counted>();
  let sweepAt = 0;

  /**
   * Once a window: deletes inactive keys, so memory is proportional to the requests of the last two
   * minutes.
   */
  function sweep(now: number): void {
    sweepAt = now + WINDOW_MS;
    for (const [key, { times }] of keys) if (times.at(-1)! <= now - WINDOW_MS) keys.delete(key);
  }

  function counted(key: string, most: number, now: number, cost: number): Budget {
    let requests = keys.get(key);
    if (requests === undefined) keys.set(key, (requests = { times: [], first: 0 }));
    const { times } = requests;
    while (requests.first < times.length && times[requests.first]! <= now - WINDOW_MS) requests.first += 1;
    if (requests.first > most) {
      times.splice(0, requests.first);
      requests.first = 0;
    }
    const left = most - (times.length - requests.first);
    // A rejection uses up the rest of the budget and no more, so it delays no later request.
    for (let use = Math.min(cost, left); use > 0; use -= 1) times.push(now);
    const missing = Math.max(0, cost - left - 1);
    const endsAt = (times[requests.first + missing] ?? now) + WINDOW_MS;
    return {
      allowed: cost <= left,
      remaining: Math.max(0, left - cost),
      // The clock counts fractions, whose rounding must not make a window of 60 s last 61.
      resetSeconds: Math.min(WINDOW_SECONDS, Math.ceil((endsAt - now) / 1000)),
    };
  }

  return {
    name,
    policy: `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    take(key, now, cost = 1) {
      if (now >= sweepAt) sweep(now);
      const own = counted(key, quota, now, cost);
      const site = siteOf(key);
      // Rejections of a network do not count against its neighbors.
      if (site === undefined || !own.allowed) return own;
      const all = counted(site, quota * BUDGETS_OF_SITE, now, cost);
      return all.allowed && all.remaining >= own.remaining ? own : all;
    },
  };
}
