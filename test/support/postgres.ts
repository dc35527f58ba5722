import { randomBytes } from 'node:crypto';
import { startPostgres, withClient } from '../../tools/postgres.ts';
import { sharedServer } from './shared-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const borrow = sharedServer<string>(
  () => process.env['TEST_DATABASE_URL'],
  async () => {
    const dataDir = await temporaryFolder('postgres');
    const postgres = await startPostgres({ dataDir, durable: false, temporary: true, log: () => undefined });
    return { server: postgres.url, stop: postgres.stop };
  },
);

/**
 * A new empty database on the server of the test run (`TEST_DATABASE_URL`), or on one started for this test file
 * when it runs by hand. `template` copies an existing database of that server instead of an empty one.
 * `drop` ends its sessions and deletes it; the last one also ends the server of this file.
 */
export async function testDatabase(
  options: { template?: string } = {},
): Promise<{ url: string; name: string; serverUrl: string; drop: () => Promise<void> }> {
  const { server, release } = await borrow();
  const name = `carte_test_${process.pid}_${randomBytes(5).toString('hex')}`;
  const template = options.template === undefined ? '' : ` template "${options.template}"`;
  await withClient(server, async (client) => client.query(`create database ${name}${template}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    serverUrl: server,
    async drop() {
      await withClient(server, async (client) => client.query(`drop database if exists ${name} with (force)`));
      await release();
    },
  };
}
