import { chmod, chown, copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, withClient, type Postgres } from '../../tools/postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { certificate } from './tls-certificates.ts';

export const BY_CERTIFICATE = 'carte_by_certificate';

export async function startTlsPostgres(): Promise<Postgres> {
  const dataDir = await temporaryFolder('tls-postgres');
  const postgres = await startPostgres({
    dataDir,
    durable: false,
    temporary: true,
    log: () => undefined,
  });
  const cluster = join(dataDir, 'cluster');
  const { uid, gid } = await stat(cluster);
  const files = {
    ssl_cert_file: 'server.pem',
    ssl_key_file: 'server.key',
    ssl_ca_file: 'authority.pem',
  };
  for (const name of Object.values(files)) {
    const copy = join(cluster, name);
    await copyFile(certificate(name), copy);
    await chown(copy, uid, gid);
    await chmod(copy, 0o600);
  }
  await writeFile(
    join(cluster, 'pg_hba.conf'),
    `hostssl all ${BY_CERTIFICATE} all cert\nhost all ${BY_CERTIFICATE} all reject\nhost all all all scram-sha-256\n`,
  );
  await withClient(postgres.url, async (client) => {
    await client.query(`create role ${BY_CERTIFICATE} login`);
    for (const [setting, file] of Object.entries(files))
      await client.query(`alter system set ${setting} = '${file}'`);
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
  });
  return postgres;
}
