import { relative, sep } from 'node:path';
import type { Reporter, Test, TestResult } from '@jest/reporters';

/** Runs of at most this many files print each test. */
const FEW_FILES = 5;
const PROGRESS_MS = 15_000;
const SLOWEST = 10;

type Level = {
  name: string;
  files: number;
  done: number;
  tests: number;
  failed: number;
  ms: number;
};
type SlowTest = { title: string; ms: number };

/** Jest's console stays replaced after a file that runs in this process. */
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/**
 * Prints progress every 15 s, then a table of the levels, the ten slowest tests and the failures.
 */
export default class LevelReporter implements Pick<Reporter, 'onTestFileResult' | 'getLastError'> {
  readonly #levels = new Map<string, Level>();
  readonly #slow: SlowTest[] = [];
  readonly #failures: string[] = [];
  #files = 0;
  #shownAt = 0;
  #startedAt = 0;

  onRunStart({ numTotalTestSuites }: { numTotalTestSuites: number }): void {
    this.#files = numTotalTestSuites;
    this.#startedAt = Date.now();
    this.#shownAt = Date.now();
  }

  onTestFileStart(test: Test): void {
    this.#levelOf(test).files += 1;
  }

  onTestFileResult(test: Test, result: TestResult): void {
    const level = this.#levelOf(test);
    const file = relative(test.context.config.rootDir, test.path);
    level.done += 1;
    level.tests += result.numPassingTests + result.numFailingTests;
    level.failed += result.numFailingTests + (result.testExecError === undefined ? 0 : 1);
    level.ms += result.perfStats.runtime;

    for (const { fullName, duration, status } of result.testResults) {
      if (duration) this.#slow.push({ title: `${file} › ${fullName}`, ms: duration });
      if (status === 'failed') print(`✗ ${file} › ${fullName}`);
      else if (this.#files <= FEW_FILES)
        print(`${SIGNS[status] ?? '-'} ${fullName} (${duration ?? 0} ms)`);
    }

    if (result.failureMessage) this.#failures.push(`${file}\n${result.failureMessage}`);
    if (this.#files <= FEW_FILES || result.failureMessage) {
      for (const { message, origin } of result.console ?? []) print(`${message}\n${origin}`);
    }
    this.#showProgress();
  }

  onRunComplete(): void {
    const levels = [...this.#levels.values()];
    if (this.#files > FEW_FILES) {
      print('\nLevel           Files   Tests  Failed  Seconds of files');
      for (const level of levels) print(formatRow(level));
      print('\nSlowest tests');
      const slowest = this.#slow.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
      for (const { title, ms } of slowest) print(`${seconds(ms).padStart(7)} s  ${title}`);
    }
    for (const failure of this.#failures) print(`\n${failure}`);
  }

  getLastError(): void {}

  #levelOf(test: Test): Level {
    const [, name = 'other'] = relative(test.context.config.rootDir, test.path).split(sep);
    const level = this.#levels.get(name) ?? { name, files: 0, done: 0, tests: 0, failed: 0, ms: 0 };
    this.#levels.set(name, level);
    return level;
  }

  #showProgress(): void {
    if (this.#files <= FEW_FILES || Date.now() - this.#shownAt < PROGRESS_MS) return;
    this.#shownAt = Date.now();
    const levels = [...this.#levels.values()];
    const done = levels.reduce((sum, level) => sum + level.done, 0);
    const parts = levels.map(
      ({ name, done: files, failed }) => `${name} ${files}${failed > 0 ? ` (${failed} ✗)` : ''}`,
    );
    print(
      `  ${seconds(Date.now() - this.#startedAt)} s  ${done}/${this.#files} files: ${parts.join(', ')}`,
    );
  }
}

const SIGNS: Record<string, string> = { passed: '✓', failed: '✗' };

function formatRow({ name, done, tests, failed, ms }: Level): string {
  const cells = [String(done).padStart(6), String(tests).padStart(8), String(failed).padStart(8)];
  return name.padEnd(15) + cells.join('') + seconds(ms).padStart(18);
}
