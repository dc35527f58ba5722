import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeStartFailure } from '../../platform/start-failure.ts';
import { endOnSignals, interrupted, report, root, runProgram, runStage, runStaticChecks } from './stages.ts';
import type { Outcome } from './stages.ts';
import { prepareBuiltPrograms } from './programs/programs.ts';
import { startTestServers, type TestServers } from './test-servers.ts';

// `npm test`: the static checks, then every test but those of the soak, on one PostgreSQL and one Temporal of its own.
// `npm test -- <pattern or jest options>`: only those tests.

/** Tests of processes and timers wait for half of their time and the others for the database, so that this many keep two cores at work. */
const jestWorkers = 5;

/** Tests of minutes that only grow confidence: a part of `npm run soak`, and of a run that names them. */
const SOAK_ONLY = '--testPathIgnorePatterns=/test/soak/';

/** Of each jest process: modules and worlds of tests outlive many collections of a small one, and are copied each time. */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** The part of jest's `--json` result that is counted. */
type JestResult = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

async function runJest(args: readonly string[], env: NodeJS.ProcessEnv, folder: string): Promise<Outcome> {
  const resultFile = join(folder, 'jest.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const nodeOptions = ['--disable-warning=ExperimentalWarning', ...YOUNG_GENERATION];
  const jestOptions = [`--maxWorkers=${jestWorkers}`, '--json', `--outputFile=${resultFile}`];
  const code = await runProgram(process.execPath, [...nodeOptions, jest, ...jestOptions, ...args], 'inherit', env);
  const text = await readFile(resultFile, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return { passed: 0, failed: 1, skipped: 0, failures: [`jest ended with code ${code} and no result`] };
  }
  const result: JestResult = JSON.parse(text);
  const failures = result.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file} could not run`];
    return failed.map(({ fullName }) => `${file} › ${fullName}`);
  });
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    // jest may also fail as a whole, for example when it finds no test.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: result.numPendingTests + result.numTodoTests,
    failures: failed === 0 && code !== 0 ? [`jest ended with code ${code}`] : failures,
  };
}

const asked = process.argv.slice(2);
const isSoak = process.env['SOAK_FACTOR'] !== undefined;
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
    tests: async () => runJest(jestArgs, servers?.env ?? {}, folder),
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
