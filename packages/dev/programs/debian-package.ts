import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startGuarded, type Log } from '../../../tools/guarded-process.ts';
import { onPath } from '../../../tools/on-path.ts';

/** A package manager may not hold up a test run that can do without. */
const LIMIT_MS = 60_000;

/**
 * Takes one program out of a package of Debian into `folder`, with the package lists of the machine or else with fresh ones of our own; nothing is
 * installed. Returns why it could not.
 */
export async function takeFromPackage(
  folder: string,
  { name, file, env, log }: { name: string; file: string; env: NodeJS.ProcessEnv; log: Log },
): Promise<string | undefined> {
  const [apt, dpkg] = [onPath('apt-get', env['PATH']), onPath('dpkg-deb', env['PATH'])];
  if (apt === undefined || dpkg === undefined) return 'this system is not Debian';
  log(`Fetching ${basename(file)} from the package of Debian, once for this machine…`);
  const step = stepIn(folder, env, LIMIT_MS);
  let reason = await step(apt, ['download', name]);
  if (reason !== undefined) {
    await mkdir(join(folder, 'state', 'lists', 'partial'), { recursive: true });
    const own = ['-o', `Dir::State=${folder}/state`, '-o', `Dir::Cache=${folder}/cache`];
    reason = (await step(apt, [...own, 'update'])) ?? (await step(apt, [...own, 'download', name]));
  }
  reason ??= await step('/bin/sh', ['-c', `"$0" -x ${name}_*.deb unpacked`, dpkg]);
  if (reason !== undefined) return reason;
  await rename(join(folder, 'unpacked', file), join(folder, basename(file)));
  return undefined;
}

/** Runs programs in a folder; a step gives the last line of one that failed, or undefined. */
export function stepIn(folder: string, env: NodeJS.ProcessEnv, limitMs: number) {
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
