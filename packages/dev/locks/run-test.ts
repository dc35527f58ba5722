import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startGuarded } from '../../../tools/guarded-process.ts';

export type TestRun = {
  /** Full names. */
  passed: string[];
  failed: { name: string; reason: string }[];
  /** Why the file gave no result: it cannot be loaded, or never ended. */
  broken: string | null;
};

/** Longer than the time-out of each listed test. A test without its lock may hang. */
const LIMIT_MS = 240_000;
/** Shorter than in `npm test`: a test that waits for a removed lock has failed. */
const TEST_LIMIT_MS = 60_000;

type Result = {
  testResults: {
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** Runs the tests of one file whose full name contains one of the titles, in a copy of the tree. */
export async function runTest(
  folder: string,
  test: { file: string; titles: readonly string[] },
  run: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<TestRun> {
  const output = join(folder, 'jest-result.json');
  await rm(output, { force: true });
  const pattern = test.titles
    .map((title) => title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join('|');
  const limit = AbortSignal.timeout(LIMIT_MS);
  const program = await startGuarded({
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--runInBand',
      '--forceExit',
      `--testTimeout=${TEST_LIMIT_MS}`,
      '--json',
      `--outputFile=${output}`,
      '-t',
      pattern,
      '--runTestsByPath',
      test.file,
    ],
    output: () => undefined,
    cwd: folder,
    env: run.env,
    signal: AbortSignal.any([run.signal, limit]),
  });

  await program.exited;
  const text = await readFile(output, 'utf8').catch(() => null);
  if (text === null)
    return { passed: [], failed: [], broken: limit.aborted ? 'it never ended' : 'no result' };

  return read(JSON.parse(text) as Result);
}

function read({ testResults }: Result): TestRun {
  const tests = testResults.flatMap((file) => file.assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  const passed = tests.filter(({ status }) => status === 'passed');
  const reason = (texts: readonly string[]): string => firstLine(texts.join('\n'));

  return {
    passed: passed.map(({ fullName }) => fullName),
    failed: failed.map(({ fullName, failureMessages }) => ({
      name: fullName,
      reason: reason(failureMessages),
    })),
    broken:
      passed.length + failed.length > 0
        ? null
        : reason(testResults.map(({ message }) => message)) || 'no test ran',
  };
}

function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text).split('\n');
  return (lines.find((line) => line.trim() !== '' && !line.includes('●')) ?? '')
    .trim()
    .slice(0, 100);
}
