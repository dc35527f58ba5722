import assert from 'node:assert/strict';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emptyTally, schedules } from '../../support/gifts/right-schedules.ts';
import { runInMemory } from '../../support/gifts/rights-in-memory.ts';
import { wholeInSoak } from '../../support/repetitions.ts';

const SCHEDULES = wholeInSoak(100_000, 2_000);

test('[CMP-80] two sessions move rights like the model, with any waits and crashes', () => {
  const tally = emptyTally();
  fc.assert(
    fc.property(schedules(8), (schedule) => {
      const { stored, expected, rebuilt } = runInMemory(schedule, tally);
      assert.deepEqual(stored, expected);
      assert.deepEqual(rebuilt, expected);
      assert.ok(expected.every(({ status }) => status !== 'RESERVED'));
    }),
    { numRuns: SCHEDULES },
  );
  process.stdout.write(`${SCHEDULES} schedules in memory: ${JSON.stringify(tally)}\n`);

  expect(Math.min(tally.redeemed, tally.waits, tally.deaths)).toBeGreaterThan(SCHEDULES / 10);
});
