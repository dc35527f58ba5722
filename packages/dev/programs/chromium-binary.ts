import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../tools/cached-program.ts';
import type { Log } from '../../../tools/guarded-process.ts';
import { withLock } from '../../../tools/lock.ts';
import { onPath } from '../../../tools/on-path.ts';

/** Names under which Debian and others install the browser. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_LIMIT_MS = 10 * 60_000;

/**
 * A Chromium for tests: on PATH, else, when `isMandatory`, installed from Debian's packages, which needs root and takes minutes. A
 * browser has some hundred packages of libraries, so it is not unpacked into the cache like smaller programs. Otherwise the reasons
 * why there is none.
 */
export async function resolveChromium(options: {
  log: Log;
  isMandatory: boolean;
  env?: NodeJS.ProcessEnv;
}): Promise<{ path: string } | { reasons: string[] }> {
  const { log, isMandatory, env = process.env } = options;
  const installed = found(env);
  if (installed !== undefined) return { path: installed };
  if (!isMandatory) return { reasons: [`none of ${NAMES.join(', ')} is on PATH`] };

  await mkdir(cacheFolder(env), { recursive: true });
  return withLock(join(cacheFolder(env), 'chromium.lock'), {
    onWait: (pid) => log(`Waiting for process ${pid}, which is installing Chromium…`),
    async work() {
      const reason = found(env) === undefined ? await install(env, log) : undefined;
      const path = found(env);
      return path === undefined ? { reasons: [reason ?? 'the package has brought no browser'] } : { path };
    },
  });
}

function found(env: NodeJS.ProcessEnv): string | undefined {
  return NAMES.map((name) => onPath(name, env['PATH'])).find((path) => path !== undefined);
}

/** Installs Debian's package, with fresh package lists when those of the machine do not have it. Gives the reason of a failure. */
async function install(env: NodeJS.ProcessEnv, log: Log): Promise<string | undefined> {
  const apt = onPath('apt-get', env['PATH']);
  if (apt === undefined) return 'this is not Debian';
  if (process.getuid?.() !== 0) return 'only root may install packages';
  log('Installing Chromium from the package of Debian, once for this machine…');
  const run = (...args: string[]) =>
    promisify(execFile)(apt, args, {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: INSTALL_LIMIT_MS,
      maxBuffer: 64 * 1_048_576,
    }).then(
      () => undefined,
      (error: unknown) => `apt-get ${args.join(' ')}: ${String(error).slice(0, 300)}`,
    );
  const get = () => run('install', '--yes', '--no-install-recommends', 'chromium');
  return (await get()) === undefined ? undefined : ((await run('update')) ?? (await get()));
}
