import { randomBytes } from 'node:crypto';
import { startPostgres, withClient } from '../../tools/postgres.ts';
import { sharedServer } from './shared-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const borrow = sharedServer<string>(
  () => process.env['TEST_DATABASE_URL'],
  async () => {
    const dataDir = await temporaryFolder('postgres');
    const postgres = await startPostgres({
      dataDir,
      durable: false,
      temporary: true,
      log: () => undefined,
    });
    return { server: postgres.url, stop: postgres.stop };
  },
);

/**
 * Creates an empty database on the server of the test run (`TEST_DATABASE_URL`), or on a server of
 * this file, which the last `drop` stops. `template` names the database to copy.
 */
export async function testDatabase(
  options: { template?: string | ((serverUrl: string) => Promise<string>) } = {},
): Promise<{ url: string; name: string; serverUrl: string; drop: () => Promise<void> }> {
  const { server, release } = await borrow();
  const name = `carte_test_${process.pid}_${randomBytes(5).toString('hex')}`;
  const source =
    typeof options.template === 'function' ? await options.template(server) : options.template;
  // The default strategy writes every page to the log: ten times the work for 650 small files.
  const template = source === undefined ? '' : ` template "${source}" strategy file_copy`;
  await withClient(server, async (client) => client.query(`create database ${name}${template}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    serverUrl: server,
    async drop() {
      await withClient(server, async (client) =>
        client.query(`drop database if exists ${name} with (force)`),
      );
      await release();
    },
  };
}
