import pg from 'pg';
import type { Database } from './text-database.ts';
import { withClient } from '../../tools/postgres.ts';

/** The role of the processes in tests; its password is that of the server's superuser. */
export const APPLICATION = 'carte_app';

/** The server's superuser. */
const OWNER = 'postgres';

/** Makes {@link APPLICATION} on this server; call it under a lock, or alone. */
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

/** The same database, entered by the role of the processes. */
export function asApplication(ownerUrl: string): string {
  return Object.assign(new URL(ownerUrl), { username: APPLICATION }).href;
}

/** The same database, entered by the role that owns the schema. */
export function asOwnerOf(url: string): string {
  return Object.assign(new URL(url), { username: OWNER }).href;
}

/**
 * A statement of the role that owns the schema, on a connection of its own: what the processes may
 * not do, such as a trigger that makes them fail, or a row that no command of theirs would leave.
 */
export async function asOwner<Row extends object>(
  db: Database,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  return inOwnerSession(db, async (client) => (await client.query<Row>(text, [...params])).rows);
}

/**
 * Runs `work` in a session of the role that owns the schema, whose statements have no time limit.
 */
export async function inOwnerSession<T>(db: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { host, port, database, password } = db.pool.options;
  const options = '-c statement_timeout=0';
  const client = new pg.Client({ host, port, database, password, user: OWNER, options } as pg.ClientConfig);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
