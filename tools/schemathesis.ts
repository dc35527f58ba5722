import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../platform/start-failure.ts';
import { cacheFolder } from './cached-program.ts';
import { startGuarded, type Log } from './guarded-process.ts';
import { withLock } from './lock.ts';
import { onPath } from './on-path.ts';

const REQUIREMENTS = fileURLToPath(new URL('../test/fuzz/requirements.txt', import.meta.url));

/**
 * Path of the program `schemathesis` in a Python environment of its own, outside the checkout, with the pinned packages of
 * test/fuzz/requirements.txt; made once per list of packages. Two processes making it wait for each other.
 * @throws StartFailure with one sentence when there is no Python or the packages cannot be installed.
 */
export async function resolveSchemathesis({ log, env = process.env }: { log: Log; env?: NodeJS.ProcessEnv }) {
  const python = onPath('python3', env['PATH']);
  if (python === undefined) throw new StartFailure('Schemathesis needs python3 (3.10 or newer) on PATH.');
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder(env), `schemathesis-${digest}`);
  const [program, done] = [join(folder, 'bin', 'schemathesis'), join(folder, 'complete')];
  if (existsSync(done)) return program;

  await mkdir(cacheFolder(env), { recursive: true });
  return withLock(`${folder}.lock`, {
    onWait: (pid) => log(`Waiting for process ${pid}, which is installing Schemathesis…`),
    async work() {
      if (existsSync(done)) return program;
      // A torn environment of an interrupted set-up; environments cannot be moved, so a mark says that one is whole.
      await rm(folder, { recursive: true, force: true });
      log('Installing Schemathesis, once for this machine (about a minute)…');
      await step(python, ['-m', 'venv', folder]);
      await step(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '-r', REQUIREMENTS]);
      await writeFile(`${done}.new`, '');
      await rename(`${done}.new`, done);
      return program;
    },
  });
}

async function step(command: string, args: string[]): Promise<void> {
  const lines: string[] = [];
  const child = await startGuarded({ command, args, output: (line) => lines.push(line), stopSignal: 'KILL' });
  const { code } = await child.exited;
  if (code !== 0)
    throw new StartFailure(`${command} ${args[0]} failed: ${(lines.at(-1) ?? 'no reason given').slice(0, 300)}`);
}
