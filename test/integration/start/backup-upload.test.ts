import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freeLowPort } from '../../../tools/ports.ts';
import { eventually, root, startProcess, type Started } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const run = promisify(execFile);
const SCRIPT = join(root, 'ops/backup/upload.sh');
const DAY_MS = 86_400_000;

// rclone is not an npm package. Without it the test is skipped; with CI=true it fails.
const rclone = await programForTests('rclone');

let folder: string;
let started: Started | undefined;
beforeEach(async () => {
  folder = await temporaryFolder('backup-upload');
  for (const name of [
    'bin',
    'volume/archive',
    'volume/backups',
    'target/backup/base',
    'target/backup/wal',
    'target/backup/media',
    'target/media/images',
  ])
    await mkdir(join(folder, name), { recursive: true });
  await copyFile(join(root, 'test/support/rclone-folders.sh'), join(folder, 'bin', 'rclone'));
  await chmod(join(folder, 'bin', 'rclone'), 0o755);
  started = undefined;
});
afterEach(async () => {
  await started?.kill();
  await rm(folder, { recursive: true, force: true });
});

const at = (...names: string[]) => join(folder, ...names);
const names = async (path: string) => (await readdir(at(path))).toSorted();
const nameBackup = (days: number) =>
  new Date(Date.now() - days * DAY_MS).toISOString().replaceAll(/[-:]|\.\d+/g, '');
const env = (more: NodeJS.ProcessEnv = {}) => ({
  PATH: [at('bin'), process.env['PATH']].join(delimiter),
  TARGET: at('target'),
  VOLUME: at('volume'),
  BACKUP_PASSPHRASE: 'passphrase',
  BACKUP_S3_BUCKET: 'backups',
  BACKUP_DAYS: '14',
  BACKUP_EVERY_HOURS: '24',
  ENCRYPTION_KEYS: 'keys',
  MEDIA_S3_BUCKET: 'images',
  ...more,
});
async function writeBase(
  parent: string,
  days: number,
  files = ['base.tar.gz', 'backup_manifest'],
): Promise<string> {
  const name = nameBackup(days);
  await mkdir(at(parent, name), { recursive: true });
  for (const file of files) await writeFile(at(parent, name, file), name);
  return name;
}
/** Writes a log segment, archived `days` ago, to object storage. */
async function writeSegment(name: string, days: number): Promise<void> {
  const path = at('target/backup/wal', name);
  await writeFile(path, name);
  const moment = new Date(Date.now() - days * DAY_MS);
  await utimes(path, moment, moment);
}
async function runRound(more: NodeJS.ProcessEnv = {}): Promise<void> {
  started = startProcess('upload.sh', 'sh', [SCRIPT], env(more));
  started.exited.catch(() => undefined);
  const ended = (command: string) => async () => {
    const { stdout } = await run('ps', ['-o', 'args=', '-g', String(started!.child.pid)]).catch(
      () => ({ stdout: '' }),
    );
    return stdout.includes(command) ? true : undefined;
  };
  await eventually('the slow round is over', ended('sleep 300'));
  await eventually('the fast round is over', ended('sleep 15'));
}
const readTime = async (kind: string) => {
  const metrics = await readFile(at('volume/backup-state/metrics.txt'), 'utf8');
  return Number(
    new RegExp(
      `^carte_backup_last_success_timestamp_seconds\\{kind="${kind}"\\} (\\d+)$`,
      'm',
    ).exec(metrics)![1],
  );
};

describe('the deletion of backups by age', () => {
  // Ages of base backups in days, before and after the removal.
  test.each<{ ages: number[]; stay: number[] }>([
    { ages: [15, 16, 20], stay: [15, 16, 20] },
    { ages: [14.5], stay: [14.5] },
    { ages: [1, 15, 20], stay: [1] },
    { ages: [13.9, 14.1], stay: [13.9] },
    { ages: [0, 1, 13], stay: [0, 1, 13] },
  ])('[OPS-145] keeps base backups of $stay of $ages days', async ({ ages, stay }) => {
    for (const days of ages) await writeBase('target/backup/base', days);
    await runRound();

    expect(await names('target/backup/base')).toEqual(
      stay
        .map(nameBackup)
        .map((name) => expect.stringMatching(new RegExp(`^${name.slice(0, 11)}`)))
        .toReversed(),
    );
  });

  test('[OPS-145] keeps the log that the oldest base backup needs', async () => {
    await writeBase('target/backup/base', 20);
    await writeBase('target/backup/base', 12);
    for (const [name, days] of [
      ['1.gz', 19],
      ['2.gz', 15],
      ['3.gz', 12.1],
      ['4.gz', 0],
      ['00000002.history.gz', 90],
    ] as const)
      await writeSegment(name, days);
    await runRound();

    expect(await names('target/backup/wal')).toEqual(['00000002.history.gz', '3.gz', '4.gz']);
  });

  test('[OPS-145] keeps the log while every base backup is old', async () => {
    await writeBase('target/backup/base', 20);
    await writeSegment('1.gz', 40);
    await runRound();

    expect(await names('target/backup/wal')).toEqual(['1.gz']);
  });

  test('[OPS-145] deletes nothing because of a base backup with a future time', async () => {
    const old = await writeBase('target/backup/base', 15);
    const future = await writeBase('target/backup/base', -400);
    await writeSegment('1.gz', 0);
    await runRound();

    expect(await names('target/backup/base')).toEqual([old, future]);
    expect(await names('target/backup/wal')).toEqual(['1.gz']);
  });

  test.each([
    ['incomplete', async () => void (await writeBase('target/backup/base', 1, ['base.tar.gz']))],
    ['not listed', async () => writeFile(at('target/refused'), 'lsf\n')],
  ])('[OPS-145] keeps an old base backup while a newer one is %s', async (_, provoke) => {
    const old = await writeBase('target/backup/base', 15);
    await provoke();
    await runRound();

    expect(await names('target/backup/base')).toContain(old);
  });

  test('[OPS-145] keeps an old base backup while the upload of a newer one fails', async () => {
    const old = await writeBase('target/backup/base', 15);
    const fresh = await writeBase('volume/backups', 0);
    await writeFile(at('target/corrupt'), `${fresh}\n`);
    await runRound();

    expect(await names('target/backup/base')).toEqual([old]);
    expect(await names('volume/backups')).toEqual([fresh]);
    expect(started!.output()).toContain('Base backups could not be uploaded.');
  });
});

test('[OPS-145] an upload that was read back replaces older base backups and removes them from the host', async () => {
  await writeBase('target/backup/base', 15);
  const fresh = await writeBase('volume/backups', 0);
  await mkdir(at('volume/backups/unfinished'));
  await runRound();

  expect(await names('target/backup/base')).toEqual([fresh]);
  expect(await names(`target/backup/base/${fresh}`)).toEqual(['backup_manifest', 'base.tar.gz']);
  expect(await names('volume/backups')).toEqual(['unfinished']);
});

describe('the metrics of uploads', () => {
  test('[OPS-147] show the time of the newest base backup and of the last uploads', async () => {
    const newest = await writeBase('target/backup/base', 3);
    await runRound({ BACKUP_EVERY_HOURS: '12' });
    const age = Date.now() / 1000 - (await readTime('base'));

    expect(Math.abs(age - (3 * DAY_MS) / 1000)).toBeLessThan(60);
    expect(newest).toBe(
      new Date((await readTime('base')) * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, ''),
    );
    for (const kind of ['log', 'media', 'keys'])
      expect(Date.now() / 1000 - (await readTime(kind))).toBeLessThan(60);
    expect(await readFile(at('volume/backup-state/metrics.txt'), 'utf8')).toContain(
      'carte_backup_interval_seconds 43200\n',
    );
  });

  test.each([
    ['beside an older one', [2, -3], 2],
    ['alone', [-3], null],
  ])('[OPS-147] ignore a base backup named in the future: %s', async (_, ages, expectedDays) => {
    for (const days of ages) await writeBase('target/backup/base', days);
    await runRound();
    const time = await readTime('base');

    expect(time === 0 ? null : Math.round((Date.now() / 1000 - time) / (DAY_MS / 1000))).toBe(
      expectedDays,
    );
  });

  test('[OPS-147] keep the last time if an upload fails', async () => {
    await writeFile(at('target/refused'), 'move\nrcat\nlsf\n');
    await runRound();

    expect(await Promise.all(['base', 'log', 'keys'].map(readTime))).toEqual([0, 0, 0]);
    expect(await readTime('media')).toBeGreaterThan(0);
  });
});

describe('the download of a backup', () => {
  const fetchBackup = (moment: string) =>
    run('sh', [SCRIPT, 'restore', moment], { env: env() }).catch(
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );

  test('[OPS-146] selects the newest complete base backup before the given time', async () => {
    const wanted = await writeBase('target/backup/base', 2);
    await writeBase('target/backup/base', 4);
    await writeBase('target/backup/base', 1, ['backup_manifest']);
    await writeFile(at('target/backup/settings.env'), 'ENCRYPTION_KEYS=keys\n');

    expect(await fetchBackup('latest')).toMatchObject({ stdout: 'ENCRYPTION_KEYS=keys\n' });
    expect(await names('volume/restore')).toEqual([wanted]);
  });

  test('[OPS-146] reports the first possible time for one before all base backups', async () => {
    await writeBase('target/backup/base', 2);
    const first = await writeBase('target/backup/base', 4);
    const moment = first.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:');

    expect(await fetchBackup('2020-01-01T00:00:00Z')).toEqual({
      code: 1,
      stderr: `No base backup is as old as 2020-01-01T00:00:00Z. The first possible moment is ${moment}.\n`,
    });
  });

  test('[OPS-146] reports an empty object storage', async () => {
    expect(await fetchBackup('latest')).toEqual({
      code: 1,
      stderr: 'Object storage has no complete base backup.\n',
    });
  });
});

test.each(['0', '', 'two', '1.5'])('[OPS-145] the upload rejects %p days', async (days) => {
  await expect(run('sh', [SCRIPT], { env: env({ BACKUP_DAYS: days }) })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('BACKUP_DAYS must be a whole number'),
  });
});

describeWith(rclone, 'rclone', () => {
  test('[OPS-99, OPS-147] uploads, encrypts and restores a backup, and serves the metrics', async () => {
    const port = await freeLowPort();
    await rm(at('bin/rclone'));
    const real = {
      PATH: [join(rclone!, '..'), process.env['PATH']].join(delimiter),
      METRICS_PORT: String(port),
      RCLONE_CONFIG: '/dev/null',
      RCLONE_CONFIG_BACKUP_TYPE: 'crypt',
      RCLONE_CONFIG_BACKUP_REMOTE: at('target/backup'),
      RCLONE_CONFIG_MEDIA_TYPE: 'alias',
      RCLONE_CONFIG_MEDIA_REMOTE: at('target/media'),
    };
    const fresh = await writeBase('volume/backups', 0);
    await writeFile(at('volume/archive/1.gz'), 'segment');
    await writeFile(at('target/media/images/dish.webp'), 'picture');
    await rm(at('target/backup'), { recursive: true });
    await runRound(real);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics.txt`);
    const other = await fetch(`http://127.0.0.1:${port}/base`);
    const hidden = await run('grep', ['-rl', fresh, at('target')]).catch(
      ({ stdout }: { stdout: string }) => ({
        stdout,
      }),
    );
    await started!.kill();
    const restored = await run('sh', [SCRIPT, 'restore', 'latest'], { env: env(real) });

    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toContain(
      'carte_backup_last_success_timestamp_seconds{kind="base"}',
    );
    expect(other.status).toBe(404);
    expect(hidden.stdout).toBe('');
    expect(await names('volume/backups')).toEqual([]);
    expect(restored.stdout).toBe('ENCRYPTION_KEYS=keys\n');
    expect(await readFile(at('volume/restore', fresh, 'base.tar.gz'), 'utf8')).toBe(fresh);
    expect((await stat(at('volume/archive/1.gz'))).size).toBe(7);
  });
});
