import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './stages.ts';

const run = promisify(execFile);

const MAIN = ['origin/main', 'main'];

/**
 * Returns paths that differ from the merge base with the main branch, including deleted and
 * untracked files. Undefined if git cannot compare.
 */
export async function changedFiles(): Promise<string[] | undefined> {
  const git = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 2 ** 20 });
    return stdout.split('\n').filter((line) => line !== '');
  };

  for (const branch of MAIN) {
    const base = await git('merge-base', 'HEAD', branch).catch(() => []);
    if (base.length === 0) continue;

    return [
      ...(await git('diff', '--name-only', '--no-renames', base[0]!)),
      ...(await git('ls-files', '--others', '--exclude-standard')),
    ];
  }

  return undefined;
}
