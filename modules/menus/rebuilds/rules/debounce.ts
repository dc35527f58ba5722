/** Durations of a debounce, in milliseconds. */
export type DebounceTimes = { debounceMs: number; debounceMaxMs: number };

/**
 * Defaults of the product: a rebuild waits until changes pause for 5 s, and at most 30 s after the
 * first change.
 */
export const DEBOUNCE_DEFAULTS = { debounce: '5s', debounceMax: '30s' } as const;

/**
 * Returns the milliseconds for which a rebuild waits for another change when the first one was
 * `sinceFirstMs` ago; 0 means that it waits no longer. If another change arrives within that time,
 * call it again; otherwise changes have paused.
 */
export const waitForPauseMs = ({ debounceMs, debounceMaxMs }: DebounceTimes, sinceFirstMs: number): number =>
  Math.max(0, Math.min(debounceMs, debounceMaxMs - sinceFirstMs));
