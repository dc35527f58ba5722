import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  earlierProgress,
  repeatingProgress,
  reportingTo,
  reportProgress,
} from '../../../platform/progress.ts';
import type { Progress } from '../../../platform/progress.ts';
import { eventually } from '../../support/processes.ts';

const reports: Progress[] = [];
const port = {
  report: (progress: Progress) => void reports.push(progress),
  earlier: { day: 3 },
  everyMs: 10,
};
const LIMIT_MS = 200;

/** Resolves with the number of reports once no report has arrived for the time limit. */
async function silence(): Promise<number> {
  let count = reports.length;
  for (;;) {
    await delay(2 * LIMIT_MS);
    if (reports.length === count) return count;
    count = reports.length;
  }
}

describe('[OPS-191] the progress of an activity', () => {
  beforeEach(() => {
    reports.length = 0;
  });

  test('joins reports with earlier ones, and does nothing outside an activity', async () => {
    reportProgress({ lost: 1 });
    await reportingTo(port, async () => {
      reportProgress({ batch: 3, of: 12 });
      reportProgress({ bytes: 7 });
    });

    expect(reports).toEqual([
      { batch: 3, of: 12 },
      { batch: 3, of: 12, bytes: 7 },
    ]);
  });

  test('returns the last report of an earlier attempt', async () => {
    expect(earlierProgress()).toEqual({});
    expect(await reportingTo(port, async () => earlierProgress())).toEqual({ day: 3 });
  });

  test('repeats during a call with a time-out of its own, at most for that time', async () => {
    const answer = Promise.withResolvers<string>();
    const called = reportingTo(port, () => {
      reportProgress({ step: 'answer' });
      return repeatingProgress(LIMIT_MS, () => answer.promise);
    });
    const repeated = await silence();
    await delay(5 * port.everyMs);
    const later = reports.length;
    answer.resolve('done');

    expect(await called).toBe('done');
    expect(repeated).toBeGreaterThan(1);
    // A busy machine skips intervals and adds none.
    expect(repeated).toBeLessThanOrEqual(1 + LIMIT_MS / port.everyMs);
    expect(later).toBe(repeated);
    expect(reports.every(({ step }) => step === 'answer')).toBe(true);
  });

  test('restarts the time of a call', async () => {
    const answer = Promise.withResolvers<void>();
    const called = reportingTo(port, () =>
      repeatingProgress(LIMIT_MS, async () => {
        await silence();
        reports.length = 0;
        reportProgress({ step: 'second' });
        await silence();
        await answer.promise;
      }),
    );
    await eventually('the second step is repeated', async () =>
      reports.length > 1 ? true : undefined,
    );
    answer.resolve();
    await called;

    expect(reports.every(({ step }) => step === 'second')).toBe(true);
  });
});
