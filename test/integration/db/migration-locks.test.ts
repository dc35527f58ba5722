import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import type pg from 'pg';
import { IndexMigration } from '../../../migrations/support/index-migration.ts';
import { migrateUp, pendingMigrations } from '../../../platform/db/migrate.ts';
import { createLog } from '../../../platform/log.ts';
import { unopenedDatabase } from '../../support/database.ts';
import { asOwner, inOwnerSession } from '../../support/database-roles.ts';
import { eventually } from '../../support/processes.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';

let target: Awaited<ReturnType<typeof unopenedDatabase>>;
let guests: Database;
beforeAll(async () => {
  target = await unopenedDatabase();
  guests = await openDatabase({ url: target.url });
});
afterAll(async () => {
  await guests.close();
  await target.drop();
});

class TrialEarlier extends Migration {
  override up = () => this.addSql('create table trial_earlier (id bigint primary key)');
}
class TrialColumn extends Migration {
  override up = () => this.addSql('alter table cart add column trial bigint');
}
class TrialFaulty extends Migration {
  override up = () => this.addSql('alter table cart add column trial no_such_type');
}
class TrialIndex extends IndexMigration {
  override readonly indexes = { trial_index: 'setting (updated_at)' };
}

let migrating: Database;
let lines: Record<string, unknown>[];
const log = createLog({
  service: 'test',
  level: 'info',
  destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
});

async function release(...migrations: (new (...options: never) => Migration)[]): Promise<void> {
  migrating = await openDatabase({ url: target.ownerUrl, poolSize: 2, statementTimeoutMs: 60_000 });
  migrating.orm.config.set('migrations', {
    ...migrating.orm.config.get('migrations'),
    tableName: 'trial_migration',
    migrationsList: migrations.map((migration) => ({
      name: migration.name,
      class: migration as never,
    })),
  });
}

beforeEach(async () => {
  lines = [];
  await asOwner(guests, 'drop table if exists trial_migration, trial_earlier');
  await asOwner(guests, 'drop index if exists trial_index');
  await asOwner(guests, 'alter table cart drop column if exists trial');
});

/**
 * Runs `work` while another session has a transaction with `statement` open, like a long `pg_dump`.
 */
async function beside(
  statement: string,
  work: (end: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await inOwnerSession(guests, async (client) => {
    await client.query('begin');
    await client.query(statement);
    const end = once(() => client.query('rollback'));
    try {
      await work(end);
    } finally {
      await end();
      await migrating.close();
    }
  });
}

function once(work: () => Promise<pg.QueryResult>): () => Promise<void> {
  let done: Promise<pg.QueryResult> | undefined;
  return async () => void (await (done ??= work()));
}

const READ = 'select count(*) from cart';

/** Measures a wait for the locked table that ends after a second, ms. */
async function lockWaitOfASecond(): Promise<number> {
  const startedAt = performance.now();
  await inOwnerSession(guests, async (client) => {
    await client.query(`begin; set local lock_timeout = '1s'`);
    await expect(client.query('lock table cart')).rejects.toMatchObject({ code: '55P03' });
    await client.query('rollback');
  });
  return performance.now() - startedAt;
}

async function hasColumn(): Promise<boolean> {
  const rows = await guests.query(
    `select from pg_attribute where attrelid = 'cart'::regclass and attname = 'trial'`,
  );
  return rows.length === 1;
}

describe('a migration that finds its table locked', () => {
  test('[OPS-76] retries in short attempts, does not block guests and succeeds after the reader ends', async () => {
    await release(TrialEarlier, TrialColumn);
    await beside(READ, async (end) => {
      const yardstick = await lockWaitOfASecond();
      const applied = migrateUp(migrating, log, { tries: 50, pauseMs: 50 });
      const waits: number[] = [];
      while (lines.length < 2) {
        const startedAt = performance.now();
        await guests.query(READ);
        waits.push(performance.now() - startedAt);
      }
      expect(Math.max(...waits)).toBeGreaterThan(100);
      expect(Math.max(...waits)).toBeLessThan(5 * yardstick);
      expect(await hasColumn()).toBe(false);
      await end();
      expect(await applied).toEqual(['TrialEarlier', 'TrialColumn']);
    });

    expect(await hasColumn()).toBe(true);
    expect(lines[0]).toMatchObject({
      msg: 'migration waits for a lock and is tried again',
      migration: 'TrialColumn',
      attempt: 1,
      tries: 50,
      oldest: expect.arrayContaining([
        { pid: expect.any(Number), application: expect.any(String), seconds: expect.any(Number) },
      ]),
    });
  });

  test('[OPS-77] keeps earlier migrations applied when it gives up, and can be repeated', async () => {
    await release(TrialEarlier, TrialColumn);
    await beside(READ, async (end) => {
      await expect(migrateUp(migrating, log, { tries: 2, pauseMs: 10 })).rejects.toThrow(
        /^Migration TrialColumn could not lock its tables in 2 tries; earlier migrations are applied\. .*"pid":\d+/,
      );
      expect(await pendingMigrations(migrating)).toEqual(['TrialColumn']);
      expect(await asOwner(guests, 'select * from trial_earlier')).toBeDefined();
      await end();
      expect(await migrateUp(migrating, log)).toEqual(['TrialColumn']);
    });
    expect(await hasColumn()).toBe(true);
  });

  test('[OPS-76] fails without a retry for any other error', async () => {
    await release(TrialFaulty);
    await beside('select 1', async () => {
      await expect(migrateUp(migrating, log)).rejects.toThrow('no_such_type');
    });
    expect(lines).toEqual([]);
  });
});

test('[OPS-77] an index is built while guests write, and an aborted build is repeated', async () => {
  await release(TrialIndex);
  const write = (key: string) => `insert into setting (key, value) values ('${key}', '1')`;
  const isValid = async () => {
    const [row] = await guests.query<{ indisvalid: boolean }>(
      `select indisvalid from pg_index where indexrelid = to_regclass('trial_index')`,
    );
    return row?.indisvalid;
  };
  await beside(write('trial_open'), async (end) => {
    const aborted = migrateUp(migrating, log);
    const rejected = aborted.then(
      () => 'done',
      () => 'aborted',
    );
    await eventually(
      'the index is being built',
      async () => (await isValid()) !== undefined || undefined,
    );
    await guests.query(write('trial_guest'));
    await asOwner(
      guests,
      `select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'create index concurrently%' and pid <> pg_backend_pid()`,
    );
    expect(await rejected).toBe('aborted');
    expect(await isValid()).toBe(false);

    const repeated = migrateUp(migrating, log);
    await guests.query(`delete from setting where key = 'trial_guest'`);
    await end();
    expect(await repeated).toEqual(['TrialIndex']);
    expect(await isValid()).toBe(true);
  });
});
