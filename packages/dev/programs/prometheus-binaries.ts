import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedProgram, type Source } from '../../../tools/cached-program.ts';
import { stepIn, takeFromPackage } from './debian-package.ts';
import type { Log } from '../../../tools/guarded-process.ts';
import { onPath } from '../../../tools/on-path.ts';

/** A version of the Go module that its proxy serves with all its dependencies; Debian's package has a version of its own. */
const GO_VERSION = 'v0.305.0';
/** Part of the folder in the cache: changes when another program is wanted there. */
const CACHED_AS = '1';

const BUILD_LIMIT_MS = 15 * 60_000;

/**
 * `promtool`, which checks and tests the alert rules: on PATH, in the cache, from Debian's package (19 MB, seconds, installed
 * nowhere), and only when `isMandatory` built with Go, which takes about 4 minutes. Otherwise the reasons why there is none.
 */
export async function resolvePromtool(options: { log: Log; isMandatory: boolean; env?: NodeJS.ProcessEnv }) {
  const { log, isMandatory, env = process.env } = options;
  const sources: Source<'package' | 'build'>[] = [
    {
      source: 'package',
      fetch: (folder) => takeFromPackage(folder, { name: 'prometheus', file: 'usr/bin/promtool', env, log }),
    },
    ...(isMandatory ? [{ source: 'build' as const, fetch: (folder: string) => build(folder, env, log) }] : []),
  ];
  return cachedProgram({ program: 'promtool', version: CACHED_AS, env, log, sources });
}

/** `prometheus` of the same package, for the test that it reads our processes; it is built nowhere. Otherwise the reasons why there is none. */
export async function resolvePrometheus({ log, env = process.env }: { log: Log; env?: NodeJS.ProcessEnv }) {
  const fetch = (folder: string) =>
    takeFromPackage(folder, { name: 'prometheus', file: 'usr/bin/prometheus', env, log });
  return cachedProgram({
    program: 'prometheus',
    version: CACHED_AS,
    env,
    log,
    sources: [{ source: 'package', fetch }],
  });
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
