import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../../../platform/start-failure.ts';
import { cacheFolder } from '../../../tools/cached-program.ts';
import { startGuarded, type Log } from '../../../tools/guarded-process.ts';
import { withLock } from '../../../tools/lock.ts';

const MANIFESTS = ['package.json', 'package-lock.json'];

/**
 * The folder `node_modules` of a tool that few people need and that brings dozens of packages. Its manifest and lock file
 * are kept in `packages/dev/programs/npm/<name>`; it is installed once for this machine, outside the checkout (see `cacheFolder`), under
 * the digest of its lock file. Its install scripts are not run.
 * @throws StartFailure with npm's last words when it cannot be installed.
 */
export async function npmTool(name: string, log: Log, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const source = join(import.meta.dirname, 'npm', name);
  const lockFile = await readFile(join(source, 'package-lock.json'));
  const digest = createHash('sha256').update(lockFile).digest('hex').slice(0, 12);
  const cache = cacheFolder(env);
  const folder = join(cache, `npm-${name}-${digest}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;

  await mkdir(cache, { recursive: true });
  await withLock(`${folder}.lock`, {
    onWait: (pid) => log(`Waiting for process ${pid}, which is installing ${name}…`),
    async work() {
      if (existsSync(modules)) return;
      log(`Installing ${name}, once for this machine…`);
      const unfinished = await mkdtemp(`${folder}-unfinished-`);
      try {
        for (const manifest of MANIFESTS) await cp(join(source, manifest), join(unfinished, manifest));
        await install(name, unfinished, env);
        // Whole or not at all: the folder appears in one step.
        await rename(unfinished, folder);
      } finally {
        await rm(unfinished, { recursive: true, force: true });
      }
    },
  });
  return modules;
}

async function install(name: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const npm = env['npm_execpath'];
  const args = ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
  const lines: string[] = [];
  const child = await startGuarded({
    ...(npm === undefined ? { command: 'npm', args } : { command: process.execPath, args: [npm, ...args] }),
    cwd: folder,
    env,
    output: (line) => lines.push(line),
    stopSignal: 'KILL',
    deleteFolder: folder,
  });
  const { code } = await child.exited;
  if (code !== 0) throw new StartFailure(`${name} cannot be installed: ${lines.slice(-3).join(' ')}`);
}
