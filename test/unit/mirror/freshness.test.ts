import { describe, expect, test } from '@jest/globals';
import type { Job } from '../../../modules/mirror/rules/jobs.ts';
import {
  ALERT_AFTER_SECONDS,
  computeFreshness,
  type ImportFacts,
} from '../../../modules/mirror/rules/freshness.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const now = 100 * 24 * HOUR;
type Facts = Partial<ImportFacts> & { job?: Job };
const facts = ({ job = 'STOP_LIST', ...more }: Facts = {}): ImportFacts => ({
  alertAfterSeconds: ALERT_AFTER_SECONDS[job],
  hasNightly: job === 'MENU',
  now,
  everyMs: 45 * SECOND,
  isDue: true,
  isRunning: false,
  dueSince: now - 10 * 24 * HOUR,
  lastStartedAt: now - 30 * SECOND,
  lastSuccessAt: now - 30 * SECOND,
  lastFullAt: null,
  ...more,
});

describe('the outdated state of an import', () => {
  test.each<[string, Facts, boolean]>([
    ['a stop-list of 300 s', { lastSuccessAt: now - 300 * SECOND }, false],
    ['a stop-list of 301 s', { lastSuccessAt: now - 301 * SECOND }, true],
    ['a menu of 1800 s', { job: 'MENU', lastSuccessAt: now - 1800 * SECOND }, false],
    ['a menu of 1801 s', { job: 'MENU', lastSuccessAt: now - 1801 * SECOND }, true],
    [
      'organizations of two hours',
      { job: 'ORGANIZATIONS', everyMs: HOUR, lastSuccessAt: now - 2 * HOUR },
      false,
    ],
    [
      'organizations of more',
      { job: 'ORGANIZATIONS', everyMs: HOUR, lastSuccessAt: now - 2 * HOUR - 1 },
      true,
    ],
    ['what never succeeded and is due for long', { lastSuccessAt: null }, true],
    ['what never succeeded and is new', { lastSuccessAt: null, dueSince: now - SECOND }, false],
    ['what is paused and old', { isDue: false, lastSuccessAt: now - HOUR }, true],
  ])('%s', (_, more, isStale) => {
    expect(computeFreshness(facts(more)).isStale).toBe(isStale);
  });

  test('follows the age of the last success', () => {
    expect(computeFreshness(facts()).ageSeconds).toBe(30);
    expect(computeFreshness(facts({ lastSuccessAt: null })).ageSeconds).toBeNull();
  });
});

describe('the number of missed runs', () => {
  test.each<[string, Facts, number]>([
    ['none while one is just due', { lastStartedAt: now - 60 * SECOND }, 0],
    ['one', { lastStartedAt: now - 70 * SECOND }, 1],
    ['ten', { lastStartedAt: now - (450 + 30) * SECOND }, 10],
    ['none while one is at work', { lastStartedAt: now - HOUR, isRunning: true }, 0],
    ['none of what is paused', { lastStartedAt: now - HOUR, isDue: false }, 0],
    [
      'counted from the end of a pause',
      { lastStartedAt: now - HOUR, dueSince: now - 70 * SECOND },
      1,
    ],
    ['counted from the beginning', { lastStartedAt: null, dueSince: now - 70 * SECOND }, 1],
  ])('%s', (_, more, missed) => {
    expect(computeFreshness(facts(more)).missedRuns).toBe(missed);
  });
});

test.each<[string, Facts, boolean]>([
  ['last night', { lastFullAt: now - 24 * HOUR }, false],
  ['26 hours ago', { lastFullAt: now - 26 * HOUR }, false],
  ['the night before', { lastFullAt: now - 27 * HOUR }, true],
  ['never, and the menu is new', { dueSince: now - HOUR }, false],
  ['never', {}, true],
  ['never, and it is paused', { isDue: false }, false],
])('the nightly import of %s', (_, more, isFullOverdue) => {
  expect(computeFreshness(facts({ job: 'MENU', ...more })).isFullOverdue).toBe(isFullOverdue);
});
