/** `offsetMs`: offset of the connection. */
export type PollTimes = { everyMs: number; offsetMs: number };

/** A setting may disable polls with a huge interval. */
const LONGEST_MS = 24 * 3_600_000;

/** Returns the next start of an interval, Unix ms. */
export function nextPollAt(now: number, { everyMs, offsetMs }: PollTimes): number {
  const next = (Math.floor((now - offsetMs) / everyMs) + 1) * everyMs + offsetMs;
  return Math.min(next, now + LONGEST_MS);
}
