import { siteOf } from '../../kernel/window-count.ts';

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

/** Length of a budget's window (rule HTTP-13). */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/**
 * Budgets that a site of IPv6 has, because a mobile network may keep thousands of phones in one
 * (rule HTTP-24).
 */
export const BUDGETS_OF_SITE = 64;

/**
 * Counts requests per key in windows that begin with the key's first request, in this process. It
 * never waits and allocates only for a new key, because the hot reads are counted as well;
 * `rate-limiter-flexible` costs a promise and a timer, about as much as such an answer as a whole.
 */
export function createWindowCounter(name: string, quota: number): WindowCounter {
  const windows = new Map<string, { count: number; endsAt: number }>();
  let sweepAt = 0;

  /**
   * Once a window: deletes inactive keys, so memory is proportional to the clients of the last two
   * minutes.
   */
  function sweep(now: number): void {
    sweepAt = now + WINDOW_MS;
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
  }

  function counted(key: string, most: number, now: number, cost: number): Budget {
    let window = windows.get(key);
    if (window === undefined) {
      window = { count: 0, endsAt: now + WINDOW_MS };
      windows.set(key, window);
    } else if (now >= window.endsAt) {
      window.count = 0;
      window.endsAt = now + WINDOW_MS;
    }
    window.count += cost;
    return {
      allowed: window.count <= most,
      remaining: Math.max(0, most - window.count),
      // The clock counts fractions, whose rounding must not make a window of 60 s last 61.
      resetSeconds: Math.min(WINDOW_SECONDS, Math.ceil((window.endsAt - now) / 1000)),
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
