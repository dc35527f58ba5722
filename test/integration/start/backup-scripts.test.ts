import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

const archive = (path: string, name: string) => run('sh', [script('archive.sh'), path, name, join(folder, 'archive')]);
const restore = () =>
  run('sh', [script('restore.sh'), '2026-11-28 09:30:00+00'], {
    env: {
      PATH: process.env['PATH'],
      PGDATA: join(folder, 'data'),
      BASE: join(folder, 'base'),
      ARCHIVE: join(folder, 'archive'),
    },
  });

test('[OPS-101] the archive takes a segment once, and rejects another one of the same name', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await writeFile(one, 'first');
  await writeFile(other, 'second');
  await archive(one, '0001');
  await archive(one, '0001');

  await expect(archive(other, '0001')).rejects.toMatchObject({ code: 1 });
  expect(gunzipSync(await readFile(join(folder, 'archive', '0001.gz'))).toString()).toBe('first');
  expect(await readdir(join(folder, 'archive'))).toEqual(['0001.gz']);
});

test('[OPS-101] a restoration rejects a running server, and keeps the former data of a stopped one', async () => {
  const [data, base, source] = [join(folder, 'data'), join(folder, 'base'), join(folder, 'source')];
  for (const path of [data, base, source]) await mkdir(path);
  await writeFile(join(source, 'PG_VERSION'), '18\n');
  await run('tar', ['-czf', join(base, 'base.tar.gz'), '-C', source, '.']);
  await writeFile(join(data, 'postmaster.pid'), '1');
  await expect(restore()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('still runs') });
  await rm(join(data, 'postmaster.pid'));
  await writeFile(join(data, 'PG_VERSION'), 'former\n');
  await restore();

  const former = (await readdir(folder)).find((name) => name.startsWith('data.before-'))!;
  expect(await readFile(join(folder, former, 'PG_VERSION'), 'utf8')).toBe('former\n');
  expect(await readFile(join(data, 'PG_VERSION'), 'utf8')).toBe('18\n');
  expect((await readdir(data)).toSorted()).toEqual(['PG_VERSION', 'postgresql.auto.conf', 'recovery.signal']);
});
