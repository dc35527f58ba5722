import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { MIGRATE_LOCK } from './locks.ts';
import { hasSqlState } from './retry-conflicts.ts';

/** Between two tries, statements of guests can run. */
export type LockPatience = { tries: number; pauseMs: number };

/** The tries take about five minutes. */
const PATIENCE: LockPatience = { tries: 60, pauseMs: 4_000 };

const LOCK_NOT_AVAILABLE = new Set(['55P03']);
const TURN_PAUSE_MS = 100;

/**
 * Applies pending migrations under a lock and returns their names. Idempotent, and safe in
 * parallel. If a table is locked, the migration is retried (OPS-76).
 * @throws Error that names the migration whose last try got no lock. Earlier ones stay applied.
 */
export async function migrateUp(
  db: Database,
  log?: Log,
  patience: LockPatience = PATIENCE,
): Promise<string[]> {
  return withMigrateLock(db, async () => {
    const names = await pendingMigrations(db);
    for (const name of names) await applyMigration(db, name, patience, log);
    return names;
  });
}

/** Reverts all migrations and returns their names. Only for tests and emergencies. */
export async function migrateDown(db: Database): Promise<string[]> {
  return withMigrateLock(db, async () =>
    (await db.orm.migrator.down({ to: 0 })).map(({ name }) => name),
  );
}

export async function pendingMigrations(db: Database): Promise<string[]> {
  return (await db.orm.migrator.getPending()).map(({ name }) => name);
}

async function applyMigration(
  db: Database,
  name: string,
  { tries, pauseMs }: LockPatience,
  log?: Log,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.orm.migrator.up({ migrations: [name] });
      return;
    } catch (error) {
      if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
      const oldest = await longTransactions(db);
      if (attempt >= tries)
        throw new Error(
          `Migration ${name} could not lock its tables in ${tries} tries; earlier migrations are applied. ` +
            `End the oldest transactions and run the command again: ${JSON.stringify(oldest)}`,
          { cause: error },
        );

      log?.warn(
        { migration: name, attempt, tries, pauseMs, oldest },
        'migration waits for a lock and is tried again',
      );

      await sleep(pauseMs);
    }
  }
}

/** Sessions that probably have the lock. */
async function longTransactions(
  db: Database,
): Promise<{ pid: number; application: string; seconds: number }[]> {
  const { rows } = await db.pool.query<{ pid: number; application: string; seconds: number }>(`
    select pid, application_name as application, extract(epoch from now() - xact_start)::int as seconds
      from pg_stat_activity
     where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
     order by xact_start limit 3`);

  return rows;
}

async function withMigrateLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  try {
    // Polls, because a waiting session would block a concurrent index build.
    while (!(await takeTurn(client))) await sleep(TURN_PAUSE_MS);
    return await work();
  } finally {
    // Ending the session releases the lock.
    client.release(true);
  }
}

async function takeTurn(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [MIGRATE_LOCK],
  );

  return rows[0]?.taken === true;
}
