import { expect, test } from '@jest/globals';
import { pauseMs, WEBHOOK_PACE } from '../../../modules/events/rules/webhook-pace.ts';

const HOUR_MS = 3_600_000;

/** Times of the attempts before `untilMs`, in milliseconds from the first one. */
function attemptsUntil(untilMs: number): number[] {
  const times = [0];
  for (;;) {
    const next = times.at(-1)! + pauseMs(WEBHOOK_PACE, times.length);
    if (next >= untilMs) return times;
    times.push(next);
  }
}

test('[EVT-17] an hour of failures costs six attempts, and the next one follows within 45 minutes', () => {
  const times = attemptsUntil(HOUR_MS);

  expect(times.map((ms) => ms / 1_000)).toEqual([0, 5, 35, 155, 755, 2_555]);
  expect(times.at(-1)! + pauseMs(WEBHOOK_PACE, times.length) - HOUR_MS).toBeLessThan(45 * 60_000);
});

test('[EVT-10] pauses grow to 12 hours and leave 14 attempts before an endpoint is disabled', () => {
  const times = attemptsUntil(WEBHOOK_PACE.giveUpMs);
  const pauses = times.slice(1).map((ms, at) => ms - times[at]!);

  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(12 * HOUR_MS);
  expect(times).toHaveLength(14);
});
