import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeStartFailure } from '../platform/start-failure.ts';
import { startPostgres } from './postgres.ts';
import { endOnSignals, interrupted, report, root, runProgram, runStage, runStaticChecks } from './stages.ts';
import type { Outcome } from './stages.ts';
import { resolveTemporal } from './temporal-binary.ts';
import { startTemporal } from './temporal-server.ts';

// `npm test`: the static checks, then every test on one PostgreSQL and one Temporal of its own.
// `npm test -- <pattern or jest options>`: only those tests.

/** Each jest process also drives servers and browsers of its own on the same cores. */
const jestWorkers = 2;

/** What has been started, to be stopped whatever happens. */
const started: { stop: () => Promise<void> }[] = [];

/**
 * Starts both servers on free ports with throw-away data, whatever the environment says about others.
 * Returns the environment for the tests.
 */
async function startServers(folder: string): Promise<NodeJS.ProcessEnv> {
  const { TEMPORAL_ADDRESS: _otherServer, ...env } = process.env;
  const temporal = await resolveTemporal({ env, log: (line) => console.log(line), signal: interrupted });
  if (temporal.kind !== 'binary') throw new Error('without TEMPORAL_ADDRESS a binary is resolved');
  const quiet = (): void => undefined;
  const dataDir = join(folder, 'postgres');
  const database = await startPostgres({ dataDir, durable: false, temporary: true, log: quiet });
  started.push(database);
  const workflows = await startTemporal({ binary: temporal.path, log: quiet });
  started.push(workflows);
  return { ...env, TEST_DATABASE_URL: database.url, TEST_TEMPORAL_ADDRESS: workflows.address };
}

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
  const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
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

const jestArgs = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'carte-test-'));
endOnSignals();
const outcomes = jestArgs.length === 0 ? await runStaticChecks() : [];
try {
  let env: NodeJS.ProcessEnv = {};
  const steps: Record<string, () => Promise<Outcome>> = {
    async servers() {
      env = await startServers(folder);
      return { passed: 0, failed: 0, skipped: 0, failures: [] };
    },
    tests: async () => runJest(jestArgs, env, folder),
  };
  for (const [name, work] of Object.entries(steps)) {
    if (!interrupted.aborted) outcomes.push(await runStage(name, work));
  }
} catch (error) {
  outcomes.push({ passed: 0, failed: 1, skipped: 0, failures: [describeStartFailure(error)] });
} finally {
  await Promise.all(started.map(async (server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
}
report(outcomes);
