/** In ms. */
export type DebounceTimes = { debounceMs: number; debounceMaxMs: number };

/** A rebuild waits for a pause of 5 s, at most 30 s after the first change. */
export const DEBOUNCE_DEFAULTS = { debounce: '5s', debounceMax: '30s' } as const;

/**
 * Returns for how many ms a rebuild waits for another change; 0 starts it. Call it again after each
 * change.
 */
export const waitForPauseMs = (
  { debounceMs, debounceMaxMs }: DebounceTimes,
  sinceFirstMs: number,
): number => Math.max(0, Math.min(debounceMs, debounceMaxMs - sinceFirstMs));
