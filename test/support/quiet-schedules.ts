/**
 * Never ends during a test. Temporal aligns intervals to 1970, so a 1 h schedule may fire a minute
 * after its creation. The second interval of 27 years ended in 2024.
 */
const NEVER = '240000h';

/** Timers allow at most 24 days. */
export const NO_TIMER = '500h';

/** 12 hours away in any European time zone, for jobs with a time of day. */
const hoursAway = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16);

/**
 * Disables scheduled imports and polls, but not maintenance (sweep, reconciler, removal of media).
 */
export const QUIET_SCHEDULES = {
  SYNC_LISTS_EVERY: NEVER,
  SYNC_MENU_EVERY: NEVER,
  SYNC_STOP_LIST_EVERY: NEVER,
  SYNC_MENU_FULL_AT: hoursAway,
  GIFTS_COMPARED_AT: hoursAway,
  ORDER_WATCH_EVERY: NEVER,
} as const;
