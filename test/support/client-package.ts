import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './processes.ts';

export async function installClient(project: string): Promise<void> {
  const target = join(project, 'node_modules/@carte/client');
  const tsc = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', 'packages/client', '--outDir', join(target, 'dist')], {
    cwd: root,
  });
  await cp(join(root, 'packages/client/package.json'), join(target, 'package.json'));
}
