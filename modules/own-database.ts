import type { Log } from '../platform/log.ts';
import { databaseFailure, StartFailure } from '../platform/start-failure.ts';
import { connectDatabase, type Database, type DatabaseOptions } from '../platform/db/database.ts';
import { entities } from './registry.ts';
import { pendingMigrations } from '../platform/db/migrate.ts';
import { mayChangeSchema } from '../platform/db/rights.ts';

/** Opens a database with every table of the product. */
export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  connectDatabase([...entities], options);

type Own = DatabaseOptions & {
  /** Name of the variable that contains `url`. */
  setting?: string;
};

/** {@link openDatabase} for the start of a program. Throws StartFailure. */
export async function openOwnDatabase({
  setting = 'DATABASE_URL',
  ...options
}: Own): Promise<Database> {
  try {
    return await openDatabase(options);
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw databaseFailure(options.url, error, setting);
  }
}

/** PostgreSQL's code for insufficient privileges. */
const NOT_ALLOWED = '42501';

/**
 * Throws StartFailure if the schema is outdated or its role may not use it (OPS-30). Logs a warning
 * if the role may change the schema: an attacker in the process could rewrite the audit.
 */
export async function requireSchema(db: Database, log: Log): Promise<void> {
  const pending = await pendingMigrations(db).catch((error: { code?: string }) => {
    if (error.code !== NOT_ALLOWED) throw error;
    throw new StartFailure(
      'The role of DATABASE_URL may not use the tables: run `npm run migrate` with this DATABASE_URL and with MIGRATION_DATABASE_URL.',
      { cause: error },
    );
  });
  if (pending.length > 0)
    throw new StartFailure('The database lacks migrations: run `npm run migrate` first.');

  if (await mayChangeSchema(db))
    log.warn(
      'the role of DATABASE_URL may change the schema; give processes a role of their own (MIGRATION_DATABASE_URL)',
    );
}
