import { relative, sep } from 'node:path';
import sequencer from '@jest/test-sequencer';
import type { Test } from '@jest/test-result';

/** The declarations describe the CommonJS file, whose exports are one level deeper. */
const TestSequencer = sequencer as unknown as typeof sequencer.default;

/** The slowest levels start first, which shortens the run. */
const FIRST = ['soak', 'workshop', 'e2e', 'workflows'];

/** Orders test files by level, then as Jest does. A fresh clone has no durations. */
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
