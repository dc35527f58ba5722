import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, withClient, type Postgres } from '../../tools/postgres.ts';
import { onPath } from '../../tools/cached-program.ts';
import { unlessMandatory } from './unless-mandatory.ts';
import { eventually, root } from './processes.ts';

const run = promisify(execFile);
const scripts = join(root, 'ops/backup');

/** A PostgreSQL that archives its log, and its restoration to a moment, by `ops/backup`. */
export type ArchivedPostgres = {
  postgres: Postgres;
  /** Cuts the log, and returns how many segments were archived. */
  archivedSegments(): Promise<number>;
  /** Runs the health check of the archive; null where `psql` is missing. */
  check(): Promise<boolean | null>;
  /** Copies the data folder while the server runs. */
  backUp(): Promise<void>;
  /** Ends the server, and starts another one on the backup with the log up to the moment. */
  restore(to: Date): Promise<Postgres>;
};

/**
 * Starts a PostgreSQL in `folder` with continuous archiving. Backup and restoration are those of
 * PostgreSQL's manual, chapter "Continuous Archiving and Point-in-Time Recovery".
 */
export async function startArchivedPostgres(folder: string): Promise<ArchivedPostgres> {
  const [live, restored, archive] = ['live', 'restored', 'archive'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, archive]) await mkdir(path, { recursive: true });
  await chmod(folder, 0o755);
  // The server may run as another user than this process.
  await chmod(archive, 0o777);
  const log = (): void => undefined;
  const settings = {
    wal_level: 'replica',
    full_page_writes: 'on',
    archive_mode: 'on',
    archive_command: `sh "${scripts}/archive.sh" "%p" "%f" "${archive}"`,
  };
  const postgres = await startPostgres({ dataDir: live, durable: false, settings, log });
  return {
    postgres,
    archivedSegments: () =>
      withClient(postgres.url, async (client) => {
        await client.query('select pg_switch_wal()');
        const { rows } = await client.query<{ count: number }>(
          'select archived_count::int as count from pg_stat_archiver',
        );
        return rows[0]!.count;
      }),
    async check() {
      const { hostname, port, password } = new URL(postgres.url);
      const env = {
        PATH: process.env['PATH'],
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
      const copy = join(restored, 'copy');
      await withClient(postgres.url, async (client) => {
        await client.query(`select pg_backup_start('drill', true)`);
        await run('cp', ['-a', join(live, 'cluster'), copy]);
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
        await run('rm', ['-rf', join(copy, 'postmaster.pid'), join(copy, 'pg_wal')]);
        await run('cp', ['-a', join(live, 'cluster', 'pg_twophase'), join(copy, 'pg_wal')]);
        const label = join(copy, 'backup_label');
        await writeFile(label, rows[0]!.labelfile, { mode: 0o600 });
        const { uid, gid } = await stat(copy);
        await chown(label, uid, gid);
      });
      await run('tar', ['-czf', join(restored, 'base.tar.gz'), '-C', copy, '.']);
      await run('rm', ['-rf', copy]);
      await copyFile(join(live, 'password'), join(restored, 'password'));
    },
    async restore(to) {
      const segment = await withClient(postgres.url, async (client) => {
        // The target must lie before the last record of the archive.
        const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
        return rows[0]!.name;
      });
      await eventually('the last segment is archived', async () =>
        stat(join(archive, `${segment}.gz`)).then(
          () => true,
          () => undefined,
        ),
      );
      await postgres.stop();
      await run('sh', [join(scripts, 'restore.sh'), to.toISOString().replace('Z', '+00')], {
        env: {
          PATH: process.env['PATH'],
          PGDATA: join(restored, 'cluster'),
          BASE: restored,
          ARCHIVE: archive,
        },
      });
      const again = await startPostgres({
        dataDir: restored,
        durable: false,
        settings: { ...settings, archive_mode: 'off' },
        log,
      });
      await eventually('the recovery has ended', () =>
        withClient(again.url, async (client) => {
          const { rows } = await client.query<{ isOver: boolean }>('select not pg_is_in_recovery() as "isOver"');
          return rows[0]!.isOver ? true : undefined;
        }),
      );
      return again;
    },
  };
}
