import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, withClient, type Postgres } from '../../tools/postgres.ts';
import { eventually } from './processes.ts';

const run = promisify(execFile);

/** A PostgreSQL that archives its log, and its restoration to a moment. */
export type ArchivedPostgres = {
  postgres: Postgres;
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
    archive_command: `cp "%p" "${archive}/%f"`,
  };
  const postgres = await startPostgres({ dataDir: live, durable: false, settings, log });
  return {
    postgres,
    async backUp() {
      await mkdir(restored, { recursive: true });
      const cluster = join(restored, 'cluster');
      await withClient(postgres.url, async (client) => {
        await client.query(`select pg_backup_start('drill', true)`);
        await run('cp', ['-a', join(live, 'cluster'), cluster]);
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
        await run('rm', ['-rf', join(cluster, 'postmaster.pid'), join(cluster, 'pg_wal')]);
        await run('cp', ['-a', join(live, 'cluster', 'pg_twophase'), join(cluster, 'pg_wal')]);
        await write(cluster, 'backup_label', rows[0]!.labelfile);
        await write(cluster, 'recovery.signal', '');
      });
      await copyFile(join(live, 'password'), join(restored, 'password'));
    },
    async restore(to) {
      const segment = await withClient(postgres.url, async (client) => {
        // The target must lie before the last record of the archive.
        const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
        return rows[0]!.name;
      });
      await eventually('the last segment is archived', async () =>
        stat(join(archive, segment)).then(
          () => true,
          () => undefined,
        ),
      );
      await postgres.stop();
      const again = await startPostgres({
        dataDir: restored,
        durable: false,
        settings: {
          ...settings,
          archive_mode: 'off',
          restore_command: `cp "${archive}/%f" "%p"`,
          recovery_target_time: to.toISOString().replace('Z', '+00'),
          recovery_target_action: 'promote',
        },
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

/** Writes a file of a cluster for the owner of the cluster. */
async function write(cluster: string, name: string, text: string): Promise<void> {
  const file = join(cluster, name);
  await writeFile(file, text, { mode: 0o600 });
  const { uid, gid } = await stat(cluster);
  await chown(file, uid, gid);
}
