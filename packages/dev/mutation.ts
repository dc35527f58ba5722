import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeStartFailure } from '../../platform/start-failure.ts';
import { toolFolder } from './programs/tool-folders.ts';
import { endOnSignals, root, runProgram } from './stages.ts';

// `npm run carte -- mutation [<folder or file> …]`: Stryker changes one operator of a rule at a
// time, and a unit test must fail. A second run checks only changes; `--force` checks all.
// `--static` also changes values computed at module load, which takes five times as long.

const folder = join(root, '.carte', 'mutation');

/**
 * Stryker counts coverage in the environment of the test file, and reloads changed files for
 * each.
 */
const OWN_REALM = {
  testEnvironment: 'node',
  runtime: 'jest-runtime',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
};

async function main(places: readonly string[], options: ReadonlySet<string>): Promise<number> {
  const modules = await toolFolder('stryker', (line) => console.log(line));
  await mkdir(folder, { recursive: true });
  const { default: jest } = (await import(`${root}jest.config.mjs`)) as { default: object };
  const settings = {
    mutate: places.map((place) =>
      place.endsWith('.ts') ? place : `${place.replace(/\/$/, '')}/**/*.ts`,
    ),
    plugins: [join(modules, '@stryker-mutator/jest-runner/dist/src/index.js')],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: {
      projectType: 'custom',
      config: { ...jest, ...OWN_REALM, testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    },
    // Stryker's rewriting needs the compiler's JavaScript API, which TypeScript 7 lacks.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    // Leaves one core free.
    concurrency: 1,
    incremental: true,
    force: options.has('--force'),
    ignoreStatic: !options.has('--static'),
    incrementalFile: join(folder, 'incremental.json'),
    tempDirName: join(folder, 'sandbox'),
    ignorePatterns: ['.carte', 'bench/results'],
    reporters: ['clear-text', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: join(folder, 'report.json') },
    allowConsoleColors: false,
  };

  const file = join(folder, 'stryker.config.json');
  await writeFile(file, JSON.stringify(settings, null, 2));

  return runProgram(
    process.execPath,
    [join(modules, '@stryker-mutator/core/bin/stryker.js'), 'run', file],
    'inherit',
  );
}

endOnSignals();
const given = process.argv.slice(2);
const places = given.filter((text) => !text.startsWith('--'));
const options = new Set(given.filter((text) => text.startsWith('--')));

try {
  process.exitCode = await main(
    places.length === 0 ? globSync('modules/{*,*/*}/rules', { cwd: root }) : places,
    options,
  );
} catch (error) {
  console.error(describeStartFailure(error));
  process.exitCode = 1;
}
