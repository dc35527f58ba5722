import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  prepareProductionTemporal,
  type ProductionTemporalPrograms,
} from '../../packages/dev/production-temporal.ts';
import { startPostgres, withClient } from '../../tools/postgres.ts';
import { root } from './processes.ts';
import { S3_ACCESS, startS3 } from './s3-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const COMPOSE_SECRETS = {
  POSTGRES_PASSWORD: 'of-the-superuser',
  CARTE_OWNER_PASSWORD: 'of-the-owner',
  CARTE_APP_PASSWORD: 'of-the-processes',
  TEMPORAL_DATABASE_PASSWORD: 'of-temporal',
  MONITOR_PASSWORD: 'of-the-monitor',
  MEDIA_S3_ACCESS_KEY: S3_ACCESS,
  MEDIA_S3_SECRET_KEY: S3_ACCESS,
};

export type EmptyServers = {
  /** Actual addresses by their address in docker-compose.yml. */
  addresses: Record<'postgres:5432' | 'temporal:7233' | 'storage:8333', string>;
  postgresUrl: string;
  namespace: string;
  stop(): Promise<void>;
};

/**
 * Starts the servers of docker-compose.yml on empty volumes: Temporal without a namespace, storage
 * without a bucket.
 */
export async function startEmptyServers(
  programs: ProductionTemporalPrograms,
): Promise<EmptyServers> {
  const folder = await temporaryFolder('empty-servers');
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const silent = (): void => undefined;
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      durable: false,
      log: silent,
    });
    closing.push(() => postgres.stop());
    await runRoles(postgres.url);
    const { host, hostname, port } = new URL(postgres.url);
    // The job runs at every start, so it must be repeatable.
    for (let times = 0; times < 2; times += 1) await runSchema(programs.sql, { hostname, port });
    const { TEMPORAL_DATABASE_PASSWORD: password } = COMPOSE_SECRETS;
    const prepared = await prepareProductionTemporal({
      programs,
      databaseUrl: `postgres://temporal:${password}@${host}/temporal`,
      isBare: true,
      folder: join(folder, 'temporal'),
      log: silent,
    });
    const temporal = await prepared.start();
    closing.push(() => temporal.stop());
    const storage = await startS3(join(folder, 's3'), []);
    closing.push(() => storage.close());
    return {
      addresses: {
        'postgres:5432': host,
        'temporal:7233': temporal.address,
        'storage:8333': new URL(storage.url).host,
      },
      postgresUrl: postgres.url,
      namespace: prepared.namespace,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs ops/postgres/roles.sql like psql. */
export async function runRoles(url: string): Promise<void> {
  const text = await readFile(join(root, 'ops/postgres/roles.sql'), 'utf8');
  const names = new Map(
    [...text.matchAll(/^\\getenv (\w+) (\w+)$/gm)].map(([, name, variable]) => [name, variable]),
  );
  await withClient(url, async (client) => {
    for (const statement of text
      .replace(/^(\\getenv|\\set|--).*$/gm, '')
      .split(';')
      .filter((part) => part.trim() !== '')) {
      const told = statement.replaceAll(/:'(\w+)'/g, (_, name: string) =>
        client.escapeLiteral(COMPOSE_SECRETS[names.get(name) as keyof typeof COMPOSE_SECRETS]),
      );
      await client.query(told);
    }
  });
}

async function runSchema(
  sql: string,
  { hostname, port }: { hostname: string; port: string },
): Promise<void> {
  await promisify(execFile)('/bin/sh', [join(root, 'ops/temporal/schema.sh')], {
    env: {
      PATH: `${dirname(sql)}:${process.env['PATH']}`,
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: hostname,
      SQL_PORT: port,
      SQL_USER: 'temporal',
      SQL_PASSWORD: COMPOSE_SECRETS.TEMPORAL_DATABASE_PASSWORD,
    },
  });
}
