import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { cachedProgram } from '../../../tools/cached-program.ts';
import { takeFromPackage } from './debian-package.ts';
import type { Log } from '../../../tools/guarded-process.ts';

/** Part of the folder in the cache: changes when another library is wanted there. */
const CACHED_AS = '1';
const NAME = 'libfaketimeMT.so.1';
/** Debian's names of processors, by those of Node. */
const TRIPLETS: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

const run = promisify(execFile);

/** The library that gives one process a clock of its own, for tests: in the cache, or from Debian's package, installed nowhere. Otherwise the reasons why there is none. */
export async function resolveFaketime({ log, env = process.env }: { log: Log; env?: NodeJS.ProcessEnv }) {
  const file = `usr/lib/${TRIPLETS[process.arch] ?? process.arch}/faketime/${NAME}`;
  return cachedProgram({
    program: NAME,
    version: CACHED_AS,
    env,
    log,
    works: shiftsTime,
    sources: [
      { source: 'package', fetch: (folder) => takeFromPackage(folder, { name: 'libfaketime', file, env, log }) },
    ],
  });
}

/** Whether a program that is started with the library sees the time that it is told. */
async function shiftsTime(library: string): Promise<boolean> {
  try {
    await access(library);
    const env = { LD_PRELOAD: library, FAKETIME: '@2001-02-03 04:05:06' };
    const { stdout } = await run('/bin/date', ['+%Y'], { env, timeout: 10_000 });
    return stdout.trim() === '2001';
  } catch {
    return false;
  }
}
