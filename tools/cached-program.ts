import { execFile } from 'node:child_process';
import { constants, accessSync, statSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, delimiter } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from './guarded-process.ts';
import { withLock } from './lock.ts';

/**
 * Puts a file whose name begins with the program's name into `folder`, or returns the reason for a
 * failure.
 */
export type Source<Name extends string> = {
  source: Name;
  fetch: (folder: string) => Promise<string | undefined>;
};

export type Found<Name extends string> = { path: string; source: 'path' | 'cache' | Name };
/** Errors of all sources, and the searched locations. */
export type Missing = { path: string; reasons: string[] };

const run = promisify(execFile);

/**
 * Finds a program on PATH or in the cache, or fetches it from the first working source. A file
 * that fails the check is never used.
 */
export async function cachedProgram<Name extends string>(options: {
  program: string;
  version: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  signal?: AbortSignal | undefined;
  sources: readonly Source<Name>[];
  /** Default `--version`. */
  versionOption?: string;
  /** By default, a file works if it prints its version. */
  works?: (file: string) => Promise<boolean>;
}): Promise<Found<Name> | Missing> {
  const { program, version, env, log, signal, sources, versionOption = '--version' } = options;
  const answers = options.works ?? ((file: string) => tellsVersion(file, versionOption));
  const installed = onPath(program, env['PATH']);
  if (installed !== undefined && (await answers(installed)))
    return { path: installed, source: 'path' };

  const cache = cacheFolder(env);
  const name = `${program}-${version}`;
  const path = join(cache, name, program);
  if (await answers(path)) return { path, source: 'cache' };

  await mkdir(cache, { recursive: true });

  return withLock(join(cache, `${name}.lock`), {
    onWait: (pid) => log(`Waiting for process ${pid}, which is installing ${program}…`),
    async work() {
      if (await answers(path)) return { path, source: 'cache' };
      const reasons: string[] = [];

      for (const { source, fetch } of sources) {
        const reason = await install(cache, path, { program, fetch, answers });
        signal?.throwIfAborted();
        if (reason === undefined) return { path, source };
        reasons.push(reason);
      }

      return { path, reasons };
    },
  });
}

/**
 * Returns the folder that checkouts share: CARTE_CACHE_DIR, else `$XDG_CACHE_HOME/carte`, else
 * `~/.cache/carte`.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'];
  return env['CARTE_CACHE_DIR'] || join(base || join(env['HOME'] ?? homedir(), '.cache'), 'carte');
}

type Installing = {
  program: string;
  fetch: (folder: string) => Promise<string | undefined>;
  answers: (file: string) => Promise<boolean>;
};

/** Moves the working program to `path` atomically. */
async function install(
  cache: string,
  path: string,
  { program, fetch, answers }: Installing,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(cache, `${program}-unfinished-`));
  try {
    const reason = await fetch(folder);
    if (reason !== undefined) return reason;
    const file = (await readdir(folder)).find((name) => name.startsWith(program));
    if (file === undefined || !(await answers(join(folder, file))))
      return 'the fetched program does not run';
    await mkdir(join(path, '..'), { recursive: true });
    await rename(join(folder, file), path);

    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A partial file prints no version. */
async function tellsVersion(path: string, option: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    await run(path, [option], { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

export function onPath(program: string, path = ''): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}
