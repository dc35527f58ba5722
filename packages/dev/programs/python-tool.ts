import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../../../platform/start-failure.ts';
import { cacheFolder } from '../../../tools/cached-program.ts';
import { startGuarded, type Log } from '../../../tools/guarded-process.ts';
import { withLock } from '../../../tools/lock.ts';
import { onPath } from '../../../tools/on-path.ts';

/**
 * The folder of the programs (`python`, `schemathesis`, …) of a Python environment of its own, outside the checkout (see `cacheFolder`), with
 * the pinned packages of the file `requirements`; made once per list of packages. Two processes making it wait for each other.
 * @throws StartFailure with one sentence when there is no Python or the packages cannot be installed.
 */
export async function pythonTool(options: {
  name: string;
  requirements: string;
  log: Log;
  env?: NodeJS.ProcessEnv;
}): Promise<string> {
  const { name, requirements, log, env = process.env } = options;
  const python = onPath('python3', env['PATH']);
  if (python === undefined) throw new StartFailure(`${name} needs python3 (3.10 or newer) on PATH.`);
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder(env), `${name}-${digest}`);
  const [programs, done] = [join(folder, 'bin'), join(folder, 'complete')];
  if (existsSync(done)) return programs;

  await mkdir(cacheFolder(env), { recursive: true });
  return withLock(`${folder}.lock`, {
    onWait: (pid) => log(`Waiting for process ${pid}, which is installing ${name}…`),
    async work() {
      if (existsSync(done)) return programs;
      // A torn environment of an interrupted set-up; environments cannot be moved, so a mark says that one is whole.
      await rm(folder, { recursive: true, force: true });
      log(`Installing ${name} with Python, once for this machine (about a minute)…`);
      await step(python, ['-m', 'venv', folder]);
      await step(join(programs, 'pip'), ['install', '--quiet', '--no-deps', '-r', requirements]);
      await writeFile(`${done}.new`, '');
      await rename(`${done}.new`, done);
      return programs;
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
