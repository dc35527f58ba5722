import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launchFor } from '../../tools/postgres-user.ts';
import { programFolder, startPostgres, withClient, type Postgres } from '../../tools/postgres.ts';
import { onPath } from '../../tools/cached-program.ts';
import { unlessMandatory } from './unless-mandatory.ts';
import { eventually, root } from './processes.ts';

const run = promisify(execFile);
const scripts = join(root, 'ops/backup');

export type Restoration = { code: number; stdout: string; stderr: string };

/** A PostgreSQL with a log archive, which `ops/backup` restores to a point in time. */
export type ArchivedPostgres = {
  postgres: Postgres;
  archive: string;
  /** Oldest first. */
  segments(): Promise<string[]>;
  archivedSegments(): Promise<number>;
  /** Switches the log segment and waits until earlier records are archived. */
  cutLog(): Promise<void>;
  /** Checks the backup. Null if `psql` is missing. */
  check(newestBaseBackup: Date): Promise<boolean | null>;
  /** Returns the earliest moment that the backup can restore. */
  backUp(): Promise<Date>;
  runRestore(moment: string): Promise<Restoration>;
  startRestored(): Promise<Postgres>;
  /** Starts another server from the backup and the log up to `to`. */
  restore(to: Date): Promise<Postgres>;
};

/** Starts a PostgreSQL with continuous archiving, as described in PostgreSQL's manual. */
export async function startArchivedPostgres(folder: string): Promise<ArchivedPostgres> {
  const [live, restored, archive, bases] = ['live', 'restored', 'archive', 'bases'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [folder, archive, bases]) await mkdir(path, { recursive: true });
  await chmod(folder, 0o755);
  // The server may run as another user.
  await chmod(archive, 0o777);
  const log = (): void => undefined;
  const settings = {
    wal_level: 'replica',
    full_page_writes: 'on',
    archive_mode: 'on',
    archive_command: `sh "${scripts}/archive.sh" "%p" "%f" "${archive}"`,
  };
  const postgres = await startPostgres({ dataDir: live, durable: false, settings, log });
  const programs = await programFolder();
  const self: ArchivedPostgres = {
    postgres,
    archive,
    segments: async () =>
      (await readdir(archive)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).toSorted(),
    archivedSegments: () =>
      withClient(postgres.url, async (client) => {
        await client.query('select pg_switch_wal()');
        const { rows } = await client.query<{ count: number }>(
          'select archived_count::int as count from pg_stat_archiver',
        );
        return rows[0]!.count;
      }),
    async cutLog() {
      const segment = await withClient(postgres.url, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          'select pg_walfile_name(pg_switch_wal()) as name',
        );
        return rows[0]!.name;
      });
      await eventually('the segment is archived', async () =>
        stat(join(archive, `${segment}.gz`)).then(
          () => true,
          () => undefined,
        ),
      );
    },
    async check(newestBaseBackup) {
      const { hostname, port, password } = new URL(postgres.url);
      await mkdir(join(folder, 'backup-state'), { recursive: true });
      await writeFile(
        join(folder, 'backup-state', 'base'),
        `${Math.floor(newestBaseBackup.getTime() / 1000)}\n`,
      );
      const env = {
        PATH: process.env['PATH'],
        VOLUME: folder,
        BACKUP_EVERY_HOURS: '24',
        PGHOST: hostname,
        PGPORT: port,
        PGPASSWORD: decodeURIComponent(password),
      };
      if (onPath('psql', process.env['PATH']) === undefined) {
        unlessMandatory(new Error('psql is missing'));
        return null;
      }
      return run('sh', [join(scripts, 'check.sh')], { env }).then(
        () => true,
        (error: { code: number }) => {
          if (error.code === 1) return false;
          throw error;
        },
      );
    },
    async backUp() {
      await mkdir(restored, { recursive: true });
      const copy = join(folder, 'copy');
      await withClient(postgres.url, async (client) => {
        await client.query(`select pg_backup_start('drill', true)`);
        // Code 1: a file changed during the backup. The log repairs that.
        await run('sh', [
          '-c',
          'mkdir "$1" && { tar -cf - -C "$0" . || [ $? = 1 ]; } | tar -xpf - -C "$1"',
          join(live, 'cluster'),
          copy,
        ]);
        const { rows } = await client.query<{ labelfile: string }>(
          'select labelfile from pg_backup_stop(false)',
        );
        await run('rm', ['-rf', join(copy, 'postmaster.pid'), join(copy, 'pg_wal')]);
        await run('cp', ['-a', join(live, 'cluster', 'pg_twophase'), join(copy, 'pg_wal')]);
        const label = join(copy, 'backup_label');
        await writeFile(label, rows[0]!.labelfile, { mode: 0o600 });
        const { uid, gid } = await stat(copy);
        await chown(label, uid, gid);
        for (const path of [restored, folder]) await chown(path, uid, gid);
      });
      // As in base-backup.sh, rounds up to whole seconds.
      const end = new Date(Math.ceil(Date.now() / 1000) * 1000);
      await delay(end.getTime() - Date.now());
      const base = join(bases, `${end.toISOString().replaceAll(/[-:]|\.000/g, '')}`);
      await mkdir(base);
      await run('tar', ['-czf', join(base, 'base.tar.gz'), '-C', copy, '.']);
      await rm(copy, { recursive: true });
      await copyFile(join(live, 'password'), join(restored, 'password'));
      return end;
    },
    async runRestore(moment) {
      const cluster = join(restored, 'cluster');
      const { command, args, ...user } = launchFor(join(live, 'cluster'), [
        folder,
        programs,
        scripts,
      ]).command('sh', [join(scripts, 'restore.sh'), moment]);
      const env = {
        PATH: [programs, process.env['PATH']].join(delimiter),
        PGDATA: cluster,
        BASES: bases,
        ARCHIVE: archive,
      };
      return run(command, args, { env, cwd: '/', ...user }).then(
        (ended) => ({ code: 0, ...ended }),
        (error: Restoration) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
      );
    },
    startRestored: () =>
      startPostgres({
        dataDir: restored,
        durable: false,
        settings: { ...settings, archive_mode: 'off' },
        log,
      }),
    async restore(to) {
      await self.cutLog();
      await postgres.stop();
      const { code, stderr } = await self.runRestore(to.toISOString());
      if (code !== 0) throw new Error(`restore.sh failed: ${stderr}`);
      return self.startRestored();
    },
  };
  return self;
}
