import type { Database } from './database.ts';
import { MIGRATE_LOCK } from './locks.ts';

/** Applies all pending migrations under an advisory lock and returns their names. Safe to run again and in parallel. */
export async function migrateUp(db: Database): Promise<string[]> {
  return withMigrateLock(db, async () => (await db.orm.migrator.up()).map((each) => each.name));
}

/** Reverts every applied migration, newest first, and returns their names. For tests and emergencies only. */
export async function migrateDown(db: Database): Promise<string[]> {
  return withMigrateLock(db, async () => (await db.orm.migrator.down({ to: 0 })).map((each) => each.name));
}

/** Names of migrations that are not applied yet. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  return (await db.orm.migrator.getPending()).map((each) => each.name);
}

async function withMigrateLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATE_LOCK]);
    return await work();
  } finally {
    // Destroying the session gives the lock back whatever happened to the statements above.
    client.release(true);
  }
}
