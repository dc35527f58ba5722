import { rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { startPostgres } from '../../../tools/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the log of the embedded PostgreSQL contains the failure without values of the row', async () => {
  const folder = await temporaryFolder('postgres-log');
  const lines: string[] = [];
  const server = await startPostgres({
    dataDir: folder,
    durable: false,
    log: (line) => void lines.push(line),
  });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('create table person (email text constraint person_email_unique unique)');
  await client.query(`insert into person values ('guest@example.test')`);

  const refused = client.query(`insert into person values ('guest@example.test')`);

  await expect(refused).rejects.toThrow('person_email_unique');
  await client.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  expect(lines.join('\n')).toContain('person_email_unique');
  expect(lines.join('\n')).not.toContain('guest@example.test');
});
