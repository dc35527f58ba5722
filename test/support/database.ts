import { createHash } from 'node:crypto';
import { readFile, glob } from 'node:fs/promises';
import { openDatabase, type Database } from './text-database.ts';
import { migrateUp } from '../../platform/db/migrate.ts';
import { grantRights } from '../../platform/db/rights.ts';
import { withClient } from '../../tools/postgres.ts';
import './discovered-entities.ts';
import { APPLICATION, asApplication, makeApplicationRole } from './database-roles.ts';
import { testDatabase } from './postgres.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** Statements that drop a rule, for `npm run carte -- check:locks`. */
const withoutRules = process.env['TEST_DATABASE_WITHOUT'] ?? '';
const TEMPLATE_LOCK = 4_201_002;

/**
 * Creates a migrated database. `db` and `url` have the rights of the processes; use `asOwner` for
 * more.
 */
export async function migratedDatabase(): Promise<{
  db: Database;
  url: string;
  close: () => Promise<void>;
}> {
  const { url, drop } = await unopenedDatabase();
  const db = await openDatabase({ url, applicationName: 'carte-test' });
  return {
    db,
    url,
    async close() {
      await db.close();
      await drop();
    },
  };
}

export async function unopenedDatabase(): Promise<{
  url: string;
  ownerUrl: string;
  name: string;
  drop: () => Promise<void>;
}> {
  const { url: ownerUrl, name, drop } = await testDatabase({ template: migratedTemplate });
  return { url: asApplication(ownerUrl), ownerUrl, name, drop };
}

/** Returns the template for the current migrations and dropped rules, built once per server. */
async function migratedTemplate(serverUrl: string): Promise<string> {
  const name = `carte_template_${await schemaDigest()}`;
  await withClient(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount !== 0) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    const url = new URL(serverUrl);
    url.pathname = `/${unfinished}`;
    await migrateForApplication(url.href);
    if (withoutRules !== '') await withClient(url.href, dropRules);
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

/** Migrates a database like `npm run migrate`, including the role of the processes. */
export async function migrateForApplication(ownerUrl: string): Promise<void> {
  const db = await openDatabase({ url: ownerUrl, applicationName: 'carte-migrate' });
  try {
    await migrateUp(db);
    await makeApplicationRole(ownerUrl);
    await grantRights(db, APPLICATION);
  } finally {
    await db.close();
  }
}

/** Drops the rules. An error here differs from that of a test that fails without the rules. */
async function dropRules(client: { query: (text: string) => Promise<unknown> }): Promise<void> {
  await client.query(withoutRules).catch((error: unknown) => {
    throw new Error(`TEST_DATABASE_WITHOUT: ${String(error)}`, { cause: error });
  });
}

async function schemaDigest(): Promise<string> {
  const digest = createHash('sha256').update(withoutRules);
  digest.update(await readFile(new URL('../../platform/db/rights.ts', import.meta.url)));
  const files = await Array.fromAsync(glob('**/*.{ts,sql}', { cwd: MIGRATIONS }));
  for (const file of files.sort()) digest.update(await readFile(new URL(file, MIGRATIONS)));
  return digest.digest('hex').slice(0, 12);
}
