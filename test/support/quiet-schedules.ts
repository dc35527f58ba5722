/**
 * Never ends during a test. Temporal aligns intervals to 1970: a 1 h schedule may fire after a
 * minute, and this interval last ended in 2024.
 */
const NEVER = '240000h';

/** Timers allow at most 24 days. */
export const NO_TIMER = '500h';

/** 12 hours away in any European time zone. */
const hoursAway = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16);

/** Disables imports and polls, but not maintenance. */
export const QUIET_SCHEDULES = {
  SYNC_LISTS_EVERY: NEVER,
  SYNC_MENU_EVERY: NEVER,
  SYNC_STOP_LIST_EVERY: NEVER,
  SYNC_MENU_FULL_AT: hoursAway,
  GIFTS_COMPARED_AT: hoursAway,
  ORDER_WATCH_EVERY: NEVER,
} as const;
