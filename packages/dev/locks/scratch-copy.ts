import { cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** What a copy does not take along: packages are linked, the rest is not source. */
const LEFT_OUT = new Set(['node_modules', '.git', '.carte', 'coverage']);

/** Copies the sources of a tree to a new folder and links its packages; tests run there as they do in the original. */
export async function scratchCopy(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(root, folder, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) });
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
}
