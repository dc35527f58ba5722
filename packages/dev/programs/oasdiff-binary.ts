import { cachedProgram, type Found, type Missing } from '../../../tools/cached-program.ts';
import { goInstall } from '../../../tools/go-install.ts';
import type { Log } from '../../../tools/guarded-process.ts';

/** The newest version whose dependencies the Go module proxy serves all; OpenAPI 3.1 is read since 1.15. */
const VERSION = '1.33.0';

/** `oasdiff`, which compares API descriptions: on PATH, in the cache, else built with Go; or the reasons why there is none. */
export async function resolveOasdiff(options: {
  log: Log;
  env?: NodeJS.ProcessEnv;
}): Promise<Found<'build'> | Missing> {
  const { log, env = process.env } = options;
  return cachedProgram({
    program: 'oasdiff',
    version: VERSION,
    env,
    log,
    sources: [
      {
        source: 'build',
        fetch: (folder) =>
          goInstall(folder, {
            title: `oasdiff ${VERSION} with Go, once for this machine (about a minute)`,
            packages: [`github.com/oasdiff/oasdiff@v${VERSION}`],
            env,
            log,
            signal: undefined,
          }),
      },
    ],
  });
}
