import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGuarded } from '../../tools/guarded-process.ts';

/** The part of a stage in the last line of a run. */
export type Outcome = { passed: number; failed: number; skipped: number; failures: string[] };

export const root = fileURLToPath(new URL('../..', import.meta.url));

const binary = (name: string): string => `${root}node_modules/.bin/${name}`;

/** Checks at once: most of them use one core. */
const LANES = 2;
/**
 * Of one lane. Several checkers of the compiler read much of the same code, so more of them than
 * there are cores only cost time.
 */
const CHECKERS = String(Math.max(1, Math.floor(availableParallelism() / LANES)));
/**
 * For the compiler and the linter, which are written in Go: less often in search of garbage, a
 * quarter of their time less.
 */
const CHECK_ENVIRONMENT = { GOGC: '400' };

type Check = { name: string; program: string; args: readonly string[] };

/** Checks of the sources that need no server. */
const staticChecks: readonly Check[] = [
  // What has not changed since the last check, and depends on nothing that has, is not checked
  // again.
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
  { name: 'migrations', program: process.execPath, args: ['packages/dev/migrations/check-migrations.ts'] },
  { name: 'unused code', program: binary('knip'), args: ['--no-progress'] },
  ...['env', 'metrics', 'access', 'problems', 'codes', 'rules'].map((name) => ({
    name: `generated ${name}`,
    program: process.execPath,
    args: [`packages/dev/generate/${name}.ts`, '--check'],
  })),
];

const interruption = new AbortController();

/** Aborted by the first termination signal of this process; a stage's program ends with it. */
export const interrupted = interruption.signal;

/**
 * Ends only the running stage on Ctrl-C, so that servers are still stopped and the totals are still
 * printed.
 */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());
}

/**
 * Starts a program of a stage and waits for its end; `output` as in {@link startGuarded}. Returns
 * its exit code.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  output: ((line: string) => void) | 'inherit',
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const program = await startGuarded({ command, args, output, env, cwd: root, signal: interrupted });
  const { code } = await program.exited;
  return code ?? 1;
}

/**
 * Runs one stage with its name and its time on the terminal; an error of the stage itself counts as
 * one failure.
 */
export async function runStage(name: string, work: () => Promise<Outcome>): Promise<Outcome> {
  console.log(`▸ ${name}`);
  const startedAt = Date.now();
  const outcome = await work();
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome.failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  return outcome;
}

const lint = (name: string, ...args: readonly string[]): Check => ({ name, program: binary('oxlint'), args });

/**
 * Returns the checks of the linter. Its rules about types take two minutes of a core for all files,
 * so with `changedFiles` they check these alone.
 */
function lintChecks(changedFiles: readonly string[] | undefined): Check[] {
  if (changedFiles === undefined) return [lint('lint', '--type-aware')];
  const files = changedFiles.filter((file) => file.endsWith('.ts') && existsSync(join(root, file)));
  return [lint('lint'), ...(files.length > 0 ? [lint('lint of changed files', '--type-aware', ...files)] : [])];
}

/**
 * Runs the static checks; each counts as one test. The output of a failed one is shown. With
 * `changedFiles`, rules about types check these files alone.
 */
export async function runStaticChecks(changedFiles?: readonly string[]): Promise<Outcome[]> {
  const left = [...lintChecks(changedFiles), ...staticChecks];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let check = left.shift(); check !== undefined && !interrupted.aborted; check = left.shift())
      outcomes.push(await runStaticCheck(check));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
}

function runStaticCheck({ name, program, args }: Check): Promise<Outcome> {
  return runStage(name, async () => {
    const lines: string[] = [];
    const code = await runProgram(program, args, (line) => lines.push(line), { ...process.env, ...CHECK_ENVIRONMENT });
    if (code === 0) return { passed: 1, failed: 0, skipped: 0, failures: [] };
    console.log(lines.join('\n'));
    return { passed: 0, failed: 1, skipped: 0, failures: [name] };
  });
}

/**
 * Prints what failed and, as the last line, the totals. Sets the exit code: 0 only when something
 * passed and nothing failed.
 */
export function report(outcomes: readonly Outcome[]): void {
  const sum = (field: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[field], 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  if (interrupted.aborted) failures.push('the run was interrupted');
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
  const [passed, failed, skipped] = [
    sum('passed'),
    Math.max(sum('failed'), interrupted.aborted ? 1 : 0),
    sum('skipped'),
  ];
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
