export type DebounceTimes = { debounceMs: number; debounceMaxMs: number };

export const DEBOUNCE_DEFAULTS = { debounce: '5s', debounceMax: '30s' } as const;

/** Returns the remaining wait in ms. Call it again after each change. */
export const waitForPauseMs = (
  { debounceMs, debounceMaxMs }: DebounceTimes,
  sinceFirstMs: number,
): number => Math.max(0, Math.min(debounceMs, debounceMaxMs - sinceFirstMs));
