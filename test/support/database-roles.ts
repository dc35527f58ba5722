import pg from 'pg';
import type { Database } from './text-database.ts';
import { withClient } from '../../tools/postgres.ts';

/** The role of the processes in tests. Its password is the superuser's. */
export const APPLICATION = 'carte_app';

const OWNER = 'postgres';

/** Creates {@link APPLICATION} on the server. Concurrent calls fail, so callers take a lock. */
export async function makeApplicationRole(serverUrl: string): Promise<void> {
  const { password } = new URL(serverUrl);
  await withClient(serverUrl, async (client) => {
    const found = await client.query('select 1 from pg_roles where rolname = $1', [APPLICATION]);
    if (found.rowCount === 0)
      await client.query(
        `create role ${APPLICATION} login password ${client.escapeLiteral(decodeURIComponent(password))}`,
      );
  });
}

export function asApplication(ownerUrl: string): string {
  return Object.assign(new URL(ownerUrl), { username: APPLICATION }).href;
}

export function toOwnerUrl(url: string): string {
  return Object.assign(new URL(url), { username: OWNER }).href;
}

/** Runs a statement as the schema owner, which has rights that the processes lack. */
export async function asOwner<Row extends object>(
  db: Database,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  return inOwnerSession(db, async (client) => (await client.query<Row>(text, [...params])).rows);
}

/** Runs `work` as the schema owner without a statement timeout. */
export async function inOwnerSession<T>(
  db: Database,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { host, port, database, password } = db.pool.options;
  const options = '-c statement_timeout=0';
  const client = new pg.Client({
    host,
    port,
    database,
    password,
    user: OWNER,
    options,
  } as pg.ClientConfig);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
