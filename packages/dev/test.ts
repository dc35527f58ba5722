import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeStartFailure } from '../../platform/start-failure.ts';
import { endOnSignals, interrupted, report, root, runProgram, runStage, runStaticChecks } from './stages.ts';
import type { Outcome } from './stages.ts';
import { prepareBuiltPrograms } from './programs/programs.ts';
import { startTestServers, type TestServers } from './test-servers.ts';

// `npm test`: the static checks, then every test but those of the soak, on one PostgreSQL and one
// Temporal of its own. `npm test -- <pattern or jest options>`: only those tests.

/**
 * Tests of processes and timers wait for half of their time and the others for the database, so
 * that this many use two cores.
 */
const jestWorkers = 4;

/**
 * Tests of minutes that only grow confidence: a part of `npm run soak`, and of a run that names
 * them.
 */
const SOAK_ONLY = '--testPathIgnorePatterns=/test/soak/';

/** A run that searches for rare failures: no file is repeated. */
const isSoak = process.env['SOAK_FACTOR'] !== undefined;

/**
 * Of each jest process: modules and worlds of tests outlive many collections of a small one, and
 * are copied each time.
 */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** Most failed files that may be caused by load; more of them indicate a defect. */
const FEW = 5;

/** The part of jest's `--json` result that is counted. */
type JestFile = {
  name: string;
  status: string;
  assertionResults: { status: string; fullName: string }[];
};
type JestResult = { testResults: JestFile[] };

/** Runs jest with these arguments; undefined if it ended without a result. */
async function runJest(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<{ code: number; result: JestResult | undefined }> {
  const resultFile = join(folder, 'jest.json');
  await rm(resultFile, { force: true });
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const nodeOptions = ['--disable-warning=ExperimentalWarning', ...YOUNG_GENERATION];
  // A failed test may leave timers and processes behind, which would keep jest waiting.
  const jestOptions = ['--forceExit', '--json', `--outputFile=${resultFile}`];
  const code = await runProgram(process.execPath, [...nodeOptions, jest, ...jestOptions, ...args], 'inherit', env);
  const text = await readFile(resultFile, 'utf8').catch(() => undefined);
  return { code, result: text === undefined ? undefined : JSON.parse(text) };
}

/** One line for each failed test, or for the file that could not be loaded. */
const failuresOf = ({ name, status, assertionResults }: JestFile): string[] => {
  const file = relative(root, name);
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${file} could not run`];
  return failed.map(({ fullName }) => `${file} › ${fullName}`);
};

const countOf = (files: readonly JestFile[], ...statuses: string[]): number =>
  files.flatMap((file) => file.assertionResults).filter(({ status }) => statuses.includes(status)).length;

/**
 * Runs the tests. Files that failed in parallel run again, alone: the second result counts, and the
 * first failure is printed as one under load (decision 42). More than {@link FEW} failed files are
 * not repeated.
 */
async function runTests(args: readonly string[], env: NodeJS.ProcessEnv, folder: string): Promise<Outcome> {
  const { code, result } = await runJest([`--maxWorkers=${jestWorkers}`, ...args], env, folder);
  if (result === undefined) {
    return { passed: 0, failed: 1, skipped: 0, failures: [`jest ended with code ${code} and no result`] };
  }
  let files = result.testResults;
  const failedFiles = files.filter(({ status }) => status === 'failed');
  if (failedFiles.length > 0 && failedFiles.length <= FEW && files.length > FEW && !isSoak && !interrupted.aborted) {
    const names = failedFiles.map(({ name }) => name);
    console.log(`\nFailed under load, once more alone:\n${failedFiles.flatMap(failuresOf).join('\n')}`);
    const options = args.filter((arg) => arg.startsWith('--'));
    const alone = await runJest([...options, '--runInBand', '--runTestsByPath', ...names], env, folder);
    const second = new Map(alone.result?.testResults.map((file) => [file.name, file]));
    files = files.map((file) => second.get(file.name) ?? file);
    if (alone.code !== 0 && files.every(({ status }) => status !== 'failed')) {
      return { passed: 0, failed: 1, skipped: 0, failures: [`jest ended with code ${alone.code}`] };
    }
  }
  const failures = files.flatMap(failuresOf);
  // jest can also fail as a whole, for example if it finds no tests.
  if (failedFiles.length === 0 && code !== 0) failures.push(`jest ended with code ${code}`);
  return {
    passed: countOf(files, 'passed'),
    failed: failures.length,
    skipped: countOf(files, 'pending', 'todo', 'skipped', 'disabled'),
    failures,
  };
}

const asked = process.argv.slice(2);
const jestArgs = asked.length === 0 && !isSoak ? [SOAK_ONLY] : asked;
const folder = await mkdtemp(join(tmpdir(), 'carte-test-'));
endOnSignals();
let servers: TestServers | undefined;
const outcomes = asked.length === 0 ? await runStaticChecks() : [];
try {
  const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const steps: Record<string, () => Promise<Outcome>> = {
    async programs() {
      if (asked.length === 0) await prepareBuiltPrograms({ log: (line) => console.log(line), signal: interrupted });
      return nothing;
    },
    async servers() {
      servers = await startTestServers(folder, interrupted);
      return nothing;
    },
    tests: async () => runTests(jestArgs, servers?.env ?? {}, folder),
  };
  for (const [name, work] of Object.entries(steps)) {
    if (!interrupted.aborted) outcomes.push(await runStage(name, work));
  }
} catch (error) {
  outcomes.push({ passed: 0, failed: 1, skipped: 0, failures: [describeStartFailure(error)] });
} finally {
  await servers?.stop();
  await rm(folder, { recursive: true, force: true });
}
report(outcomes);
