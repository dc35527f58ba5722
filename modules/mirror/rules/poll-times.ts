/** The times of one job: each interval, shifted by the offset of its connection; ms. */
export type PollTimes = { everyMs: number; offsetMs: number };

/** Longest wait in one piece: an interval that a setting makes endless. */
const LONGEST_MS = 24 * 3_600_000;

/** The next start of an interval after `now`; Unix ms. */
export function nextPollAt(now: number, { everyMs, offsetMs }: PollTimes): number {
  const next = (Math.floor((now - offsetMs) / everyMs) + 1) * everyMs + offsetMs;
  return Math.min(next, now + LONGEST_MS);
}
