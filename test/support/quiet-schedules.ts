/**
 * An interval that does not end during a test. Temporal counts intervals from 1970: one of an hour
 * acts at a full hour, even a minute after its creation. The second one of 27 years was over in
 * 2024.
 */
export const NEVER = '240000h';

/** The longest pause of a timer of a process, for work that a test does not want to repeat. */
export const NO_TIMER = '500h';

/**
 * For the clock of any zone in Europe; the nightly import and the comparison of gifts have one time
 * a day and no interval.
 */
const hoursAway = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16);

/**
 * Disables scheduled imports and watches. Maintenance (sweep, reconciler, removal of media) does
 * not change.
 */
export const QUIET_SCHEDULES = {
  SYNC_LISTS_EVERY: NEVER,
  SYNC_MENU_EVERY: NEVER,
  SYNC_STOP_LIST_EVERY: NEVER,
  SYNC_MENU_FULL_AT: hoursAway,
  GIFTS_COMPARED_AT: hoursAway,
  ORDER_WATCH_EVERY: NEVER,
} as const;
