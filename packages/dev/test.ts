import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeStartFailure } from '../../platform/start-failure.ts';
import { changedFiles } from './changed-files.ts';
import {
  endOnSignals,
  interrupted,
  report,
  root,
  runProgram,
  runStage,
  runStaticChecks,
} from './stages.ts';
import type { Outcome } from './stages.ts';
import { prepareBuiltPrograms } from './programs/programs.ts';
import { startTestServers, type TestServers } from './test-servers.ts';
import { unchangedWorkshops } from './workshops.ts';

// `npm test`: static checks, then tests of behavior, on a new PostgreSQL and Temporal. Patterns and
// jest options select tests.

/** Four workers use two cores, because many tests wait half of their time. */
const WORKERS = 4;

/** Each file of the soak starts whole products, and its time limits allow for one of them. */
const SOAK_WORKERS = 1;
const SOAK = '/test/soak/';

/**
 * Modules and fixtures survive many collections of a small young generation, and are copied each
 * time.
 */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

const jest = [
  '--disable-warning=ExperimentalWarning',
  ...YOUNG_GENERATION,
  join(root, 'node_modules/jest/bin/jest.js'),
];

/** The used part of jest's `--json` result. */
type JestFile = {
  name: string;
  status: string;
  assertionResults: { status: string; fullName: string }[];
};

/** Returns one line per failed test, or per file that could not be loaded. */
const listFailures = ({ name, status, assertionResults }: JestFile): string[] => {
  const file = relative(root, name);
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${file} could not run`];
  return failed.map(({ fullName }) => `${file} › ${fullName}`);
};

const countTests = (files: readonly JestFile[], ...statuses: string[]): number =>
  files.flatMap((file) => file.assertionResults).filter(({ status }) => statuses.includes(status))
    .length;

async function runTests(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { folder, workers }: { folder: string; workers: number },
): Promise<Outcome> {
  const resultFile = join(await mkdtemp(join(folder, 'jest-')), 'result.json');
  // A failed test may leave timers and processes that keep jest waiting.
  const options = [
    '--forceExit',
    '--json',
    `--outputFile=${resultFile}`,
    `--maxWorkers=${workers}`,
  ];
  const code = await runProgram(process.execPath, [...jest, ...options, ...args], 'inherit', env);

  const text = await readFile(resultFile, 'utf8').catch(() => undefined);
  if (text === undefined) {
    const failure = `jest ended with code ${code} and no result`;
    return { passed: 0, failed: 1, skipped: 0, failures: [failure] };
  }

  const { testResults: files } = JSON.parse(text) as { testResults: JestFile[] };
  const failures = files.flatMap(listFailures);
  // jest can also fail as a whole, for example without any test.
  if (failures.length === 0 && code !== 0) failures.push(`jest ended with code ${code}`);

  return {
    passed: countTests(files, 'passed'),
    failed: failures.length,
    skipped: countTests(files, 'pending', 'todo', 'skipped', 'disabled'),
    failures,
  };
}

/** Unit tests need no server. */
async function selectsOnlyUnitTests(args: readonly string[]): Promise<boolean> {
  const lines: string[] = [];
  await runProgram(process.execPath, [...jest, '--listTests', ...args], (line) => lines.push(line));
  const files = lines.filter((line) => line.endsWith('.test.ts'));
  return files.length > 0 && files.every((file) => file.includes('/test/unit/'));
}

function selectUsualTests(): string[] {
  const workshops = isFull ? [] : unchangedWorkshops(changed);
  const left = workshops.map((name) => `/test/workshop/${name}/`);
  return ['--testPathIgnorePatterns', SOAK, ...left];
}

const isFull = process.env['SOAK_FACTOR'] !== undefined;
const given = process.argv.slice(2);
const isPart = given.length > 0;
const folder = await mkdtemp(join(tmpdir(), 'carte-test-'));
endOnSignals();
let servers: TestServers | undefined;
const changed = isPart || isFull ? undefined : await changedFiles();
const outcomes = isPart ? [] : await runStaticChecks(changed);

try {
  const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const jestArgs = isPart ? given : selectUsualTests();
  const needsServers = !isPart || !(await selectsOnlyUnitTests(given));
  const env = () => servers?.env ?? process.env;
  const steps: Record<string, () => Promise<Outcome>> = {
    async programs() {
      if (isPart) return nothing;
      await prepareBuiltPrograms({ log: (line) => console.log(line), signal: interrupted, isFull });
      return nothing;
    },
    async servers() {
      if (needsServers) servers = await startTestServers(folder, interrupted);
      return nothing;
    },
    tests: async () =>
      runTests(jestArgs, env(), { folder, workers: isPart && isFull ? SOAK_WORKERS : WORKERS }),
    ...(isFull && !isPart
      ? { soak: async () => runTests([SOAK], env(), { folder, workers: SOAK_WORKERS }) }
      : {}),
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
