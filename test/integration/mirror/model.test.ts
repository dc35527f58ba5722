import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ACCIDENTS, sequences } from '../../support/model/draws.ts';
import { modelFixture, type MirrorModel } from '../../support/model/model-fixture.ts';
import { runSequence, type Tally } from '../../support/model/run-sequence.ts';
import { repetitions, wholeInSoak } from '../../support/repetitions.ts';

/** The test command always generates the same sequences. MODEL_SEED repeats a failure. */
const isLong = repetitions(1) > 1;
const seed = Number(process.env['MODEL_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_121));
/** The path in a failure leads to its shortest sequence. */
const path = process.env['MODEL_PATH'];
const numRuns = isLong ? repetitions(50) : wholeInSoak(15, 4);
const ENDS = ['tried again', 'given up'];

let fixture: MirrorModel;
beforeAll(async () => {
  fixture = await modelFixture();
});
afterAll(() => fixture.close());

describe('the mirror and its reference model', () => {
  test(
    `[MIR-20] remain equal after every step of ${numRuns} random sequences, without partial menus (MODEL_SEED=${seed})`,
    async () => {
      const tally: Tally = {};
      await fc.assert(
        fc.asyncProperty(sequences, (sequence) => runSequence(fixture, sequence, tally)),
        { seed, numRuns, endOnFailure: !isLong, ...(path === undefined ? {} : { path }) },
      );
      process.stderr.write(`model test, seed ${seed}: ${JSON.stringify(tally)}\n`);
      // A path belongs to only one sequence.
      if (path !== undefined) return;
      expect(tally).toMatchObject({ sequences: numRuns });
      const wanted = ['SUCCESS', 'UNCHANGED', 'both at once', 'public menus built meanwhile'];
      const rare = [
        'SUSPICIOUS_SHRINK',
        ...ACCIDENTS.flatMap((entry) => ENDS.map((end) => `accident ${entry}, ${end}`)),
      ];
      expect(
        [...wanted, ...(isLong ? rare : [])].filter((text) => (tally[text] ?? 0) === 0),
      ).toEqual([]);
    },
    30 * 60_000,
  );
});
