import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const script = (name: string) => join(root, 'ops/backup', name);

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('backup-scripts');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const archive = (path: string, name: string) =>
  run('sh', [script('archive.sh'), path, name, join(folder, 'archive')]);
test('[OPS-101] the archive accepts a segment once, and rejects another one of the same name', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await writeFile(one, 'first');
  await writeFile(other, 'second');
  await archive(one, '0001');
  await archive(one, '0001');

  await expect(archive(other, '0001')).rejects.toMatchObject({ code: 1 });
  expect(gunzipSync(await readFile(join(folder, 'archive', '0001.gz'))).toString()).toBe('first');
  expect(await readdir(join(folder, 'archive'))).toEqual(['0001.gz']);
});
