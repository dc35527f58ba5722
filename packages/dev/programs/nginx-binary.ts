import { cachedProgram } from '../../../tools/cached-program.ts';
import { takeFromPackage } from './debian-package.ts';
import type { Log } from '../../../tools/guarded-process.ts';

/** Part of the folder in the cache: changes when another program is wanted there. */
const CACHED_AS = '1';

/** An nginx for tests of `ops/gateway.conf`: on PATH, in the cache, or from Debian's package, installed nowhere. Otherwise the reasons why there is none. */
export async function resolveNginx({ log, env = process.env }: { log: Log; env?: NodeJS.ProcessEnv }) {
  return cachedProgram({
    program: 'nginx',
    version: CACHED_AS,
    versionOption: '-v',
    env,
    log,
    sources: [
      {
        source: 'package',
        fetch: (folder) => takeFromPackage(folder, { name: 'nginx', file: 'usr/sbin/nginx', env, log }),
      },
    ],
  });
}
