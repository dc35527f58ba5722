import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedProgram, type Source } from './cached-program.ts';
import { startGuarded, type Log } from './guarded-process.ts';
import { onPath } from './on-path.ts';

/** A version of the Go module that its proxy serves with all its dependencies; Debian's package has a version of its own. */
const GO_VERSION = 'v0.305.0';
/** Part of the folder in the cache: changes when another program is wanted there. */
const CACHED_AS = '1';

/** Neither package manager may hold up a test run that can do without. */
const PACKAGE_LIMIT_MS = 60_000;
const BUILD_LIMIT_MS = 15 * 60_000;

/**
 * `promtool`, which checks and tests the alert rules: on PATH, in the cache, from Debian's package (19 MB, seconds, installed
 * nowhere), and only when `isMandatory` built with Go, which takes about 4 minutes. Otherwise the reasons why there is none.
 */
export async function resolvePromtool(options: { log: Log; isMandatory: boolean; env?: NodeJS.ProcessEnv }) {
  const { log, isMandatory, env = process.env } = options;
  const sources: Source<'package' | 'build'>[] = [
    { source: 'package', fetch: (folder) => unpack(folder, env, log) },
    ...(isMandatory ? [{ source: 'build' as const, fetch: (folder: string) => build(folder, env, log) }] : []),
  ];
  return cachedProgram({ program: 'promtool', version: CACHED_AS, env, log, sources });
}

/** Takes the program out of Debian's package, with the package lists of the machine or else with fresh ones of our own. */
async function unpack(folder: string, env: NodeJS.ProcessEnv, log: Log): Promise<string | undefined> {
  const [apt, dpkg] = [onPath('apt-get', env['PATH']), onPath('dpkg-deb', env['PATH'])];
  if (apt === undefined || dpkg === undefined) return 'this system is not Debian';
  log('Fetching promtool from the package of Debian, once for this machine…');
  const step = stepIn(folder, env, PACKAGE_LIMIT_MS);
  let reason = await step(apt, ['download', 'prometheus']);
  if (reason !== undefined) {
    await mkdir(join(folder, 'state', 'lists', 'partial'), { recursive: true });
    const own = ['-o', `Dir::State=${folder}/state`, '-o', `Dir::Cache=${folder}/cache`];
    reason = (await step(apt, [...own, 'update'])) ?? (await step(apt, [...own, 'download', 'prometheus']));
  }
  reason ??= await step('/bin/sh', ['-c', '"$0" -x prometheus_*.deb unpacked', dpkg]);
  if (reason !== undefined) return reason;
  await rename(join(folder, 'unpacked', 'usr', 'bin', 'promtool'), join(folder, 'promtool'));
  return undefined;
}

/** `go install` refuses a module with `replace` or `exclude`; as a dependency of an empty module it can be built. */
async function build(folder: string, env: NodeJS.ProcessEnv, log: Log): Promise<string | undefined> {
  const go = onPath('go', env['PATH']);
  if (go === undefined) return 'Go is not installed';
  log('Building promtool with Go, once for this machine (about 4 minutes)…');
  await writeFile(join(folder, 'go.mod'), 'module promtool\n\ngo 1.24\n');
  const program = 'github.com/prometheus/prometheus/cmd/promtool';
  const step = stepIn(folder, { ...env, GOWORK: 'off', CGO_ENABLED: '0' }, BUILD_LIMIT_MS);
  const reason =
    (await step(go, ['get', `${program}@${GO_VERSION}`])) ??
    (await step(go, ['build', '-ldflags=-s -w', '-o', 'promtool', program]));
  await rm(join(folder, 'go.mod'));
  return reason;
}

/** Runs programs in a folder; a step gives the last line of one that failed, or undefined. */
function stepIn(folder: string, env: NodeJS.ProcessEnv, limitMs: number) {
  return async (command: string, args: string[]): Promise<string | undefined> => {
    const lines: string[] = [];
    const child = await startGuarded({
      command,
      args,
      cwd: folder,
      env,
      output: (line) => lines.push(line),
      stopSignal: 'KILL',
      signal: AbortSignal.timeout(limitMs),
      deleteFolder: folder,
    });
    const { code } = await child.exited;
    return code === 0 ? undefined : `${args.join(' ')}: ${(lines.at(-1) ?? 'no reason given').slice(0, 200)}`;
  };
}
