import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGuarded } from '../../tools/guarded-process.ts';

export type Outcome = { passed: number; failed: number; skipped: number; failures: string[] };

export const root = fileURLToPath(new URL('../..', import.meta.url));

const binary = (name: string): string => `${root}node_modules/.bin/${name}`;

/** Most checks use one core. */
const LANES = 2;
/**
 * Checkers of the compiler per lane. They read much of the same code, so more checkers than cores
 * only cost time.
 */
const CHECKERS = String(Math.max(1, Math.floor(availableParallelism() / LANES)));
/**
 * Less garbage collection saves a quarter of the time of the compiler and the linter, which are
 * written in Go.
 */
const CHECK_ENVIRONMENT = { GOGC: '400' };

type Check = { name: string; program: string; args: readonly string[] };

const staticChecks: readonly Check[] = [
  // Skips unchanged files and their dependents.
  {
    name: 'types',
    program: binary('tsc'),
    args: [
      '-p',
      '.',
      '--checkers',
      CHECKERS,
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/types.tsbuildinfo',
    ],
  },
  { name: 'types of the console', program: binary('tsc'), args: ['-p', 'packages/console'] },
  { name: 'types of the storefront', program: binary('tsc'), args: ['-p', 'examples/storefront'] },
  {
    name: 'format',
    program: binary('oxfmt'),
    args: ['--list-different'],
  },
  { name: 'imports', program: process.execPath, args: ['packages/dev/imports/check-imports.ts'] },
  {
    name: 'migrations',
    program: process.execPath,
    args: ['packages/dev/migrations/check-migrations.ts'],
  },
  { name: 'unused code', program: binary('knip'), args: ['--no-progress'] },
  ...['env', 'metrics', 'access', 'problems', 'codes', 'rules'].map((name) => ({
    name: `generated ${name}`,
    program: process.execPath,
    args: [`packages/dev/generate/${name}.ts`, '--check'],
  })),
];

const interruption = new AbortController();

/** Aborted by the first termination signal; the program of a stage ends with it. */
export const interrupted = interruption.signal;

/**
 * On a termination signal, ends the running stage and skips the others. The process continues,
 * stops its servers and prints totals.
 */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => interruption.abort());
}

/** Runs a program of a stage and returns its exit code. For `output` see {@link startGuarded}. */
export async function runProgram(
  command: string,
  args: readonly string[],
  output: ((line: string) => void) | 'inherit',
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const program = await startGuarded({
    command,
    args,
    output,
    env,
    cwd: root,
    signal: interrupted,
  });

  const { code } = await program.exited;

  return code ?? 1;
}

/**
 * Runs a stage, and prints its name and time. An error of the stage itself counts as one failure.
 */
export async function runStage(name: string, work: () => Promise<Outcome>): Promise<Outcome> {
  console.log(`▸ ${name}`);
  const startedAt = Date.now();
  const outcome = await work();
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome.failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);

  return outcome;
}

const lint = (name: string, ...args: readonly string[]): Check => ({
  name,
  program: binary('oxlint'),
  args,
});

/** Type-aware rules take two minutes of a core, so with `changedFiles` they check only these. */
function lintChecks(changedFiles: readonly string[] | undefined): Check[] {
  if (changedFiles === undefined) return [lint('lint', '--type-aware')];
  const files = changedFiles.filter((file) => file.endsWith('.ts') && existsSync(join(root, file)));

  return [
    lint('lint'),
    ...(files.length > 0 ? [lint('lint of changed files', '--type-aware', ...files)] : []),
  ];
}

/**
 * Runs the static checks, each counted as one test, and prints the output of failed ones. With
 * `changedFiles`, type-aware rules check only these.
 */
export async function runStaticChecks(changedFiles?: readonly string[]): Promise<Outcome[]> {
  const left = [...lintChecks(changedFiles), ...staticChecks];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (
      let check = left.shift();
      check !== undefined && !interrupted.aborted;
      check = left.shift()
    )
      outcomes.push(await runStaticCheck(check));
  };

  await Promise.all(Array.from({ length: LANES }, lane));

  return outcomes;
}

function runStaticCheck({ name, program, args }: Check): Promise<Outcome> {
  return runStage(name, async () => {
    const lines: string[] = [];
    const code = await runProgram(program, args, (line) => lines.push(line), {
      ...process.env,
      ...CHECK_ENVIRONMENT,
    });
    if (code === 0) return { passed: 1, failed: 0, skipped: 0, failures: [] };

    console.log(lines.join('\n'));

    return { passed: 0, failed: 1, skipped: 0, failures: [name] };
  });
}

/** Prints failures and totals. Sets exit code 0 only if something passed and nothing failed. */
export function report(outcomes: readonly Outcome[]): void {
  const sum = (field: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[field], 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  if (interrupted.aborted) failures.push('the run was interrupted');
  if (failures.length > 0)
    console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
  const [passed, failed, skipped] = [
    sum('passed'),
    Math.max(sum('failed'), interrupted.aborted ? 1 : 0),
    sum('skipped'),
  ];

  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
