import { describe, expect, test } from '@jest/globals';
import {
  decideOutcome,
  pauseMs,
  WEBHOOK_PACE,
} from '../../../modules/events/rules/webhook-pace.ts';

const HOUR_MS = 3_600_000;

/** Times of the attempts before `untilMs`, in ms from the first. */
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

test('[EVT-10] pauses grow to 12 hours and leave 14 attempts in three days', () => {
  const times = attemptsUntil(WEBHOOK_PACE.giveUpMs);
  const pauses = times.slice(1).map((ms, at) => ms - times[at]!);

  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(12 * HOUR_MS);
  expect(times).toHaveLength(14);
});

describe('the outcome of an attempt', () => {
  const now = Date.parse('2026-03-14T09:00:00Z');
  const facts = {
    status: 500,
    failures: 3,
    failingSince: now - HOUR_MS,
    lastAcceptedAt: null,
    now,
  };

  test.each([
    ['[EVT-10] a redirect is retried', { status: 302 }, { result: 'RETRIED', pauseMs: 120_000 }],
    ['[EVT-10] no answer is retried', { status: null }, { result: 'RETRIED', pauseMs: 120_000 }],
    [
      '[EVT-10] 2xx delivers, whatever failed before',
      { status: 299, failingSince: 0 },
      { result: 'DELIVERED' },
    ],
    [
      '[EVT-10] 410 disables at once',
      { status: 410, failures: 1 },
      { result: 'GONE', pauseMs: 5_000 },
    ],
    [
      '[EVT-40] a longer Retry-After counts',
      { retryAfterMs: 300_000 },
      { result: 'RETRIED', pauseMs: 300_000 },
    ],
    [
      '[EVT-40] a shorter one does not',
      { retryAfterMs: 1_000 },
      { result: 'RETRIED', pauseMs: 120_000 },
    ],
    [
      '[EVT-37] three days without any acceptance disable',
      { failingSince: now - 72 * HOUR_MS },
      { result: 'FAILING', pauseMs: 120_000 },
    ],
    [
      '[EVT-37] an acceptance before the first failure does not count',
      { failingSince: now - 72 * HOUR_MS, lastAcceptedAt: now - 73 * HOUR_MS },
      { result: 'FAILING', pauseMs: 120_000 },
    ],
    [
      '[EVT-37] an acceptance since then sets the event aside',
      { failingSince: now - 72 * HOUR_MS, lastAcceptedAt: now - 71 * HOUR_MS },
      { result: 'FAILED' },
    ],
    [
      '[EVT-37] a minute less than three days is retried',
      { failingSince: now - 72 * HOUR_MS + 60_000, lastAcceptedAt: now },
      { result: 'RETRIED', pauseMs: 120_000 },
    ],
  ])('%s', (_, changed, expected) => {
    expect(decideOutcome({ ...facts, ...changed }, WEBHOOK_PACE)).toEqual(expected);
  });
});
