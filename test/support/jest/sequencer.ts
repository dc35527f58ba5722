import { relative, sep } from 'node:path';
import sequencer from '@jest/test-sequencer';
import type { Test } from '@jest/test-result';

/** Its declarations describe the CommonJS file, whose exports are a level deeper. */
const TestSequencer = sequencer as unknown as typeof sequencer.default;

/** Levels whose files take longest: a run ends sooner if none of them starts last. */
const FIRST = ['soak', 'workshop', 'e2e', 'workflows'];

/**
 * Jest's order of test files (failed ones, then the longest of the last run, then the largest), by
 * level: a fresh clone has no durations.
 */
export default class LevelSequencer extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ path, context }: Test): number {
  const [, level = ''] = relative(context.config.rootDir, path).split(sep);
  const rank = FIRST.indexOf(level);
  return rank === -1 ? FIRST.length : rank;
}
