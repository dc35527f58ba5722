import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { SettingKey } from '../../../modules/settings/schemas/settings.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { testDatabase } from '../../support/postgres.ts';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const scratch = await testDatabase();
  drop = scratch.drop;
  db = await openDatabase({ url: scratch.url, poolSize: 1 });
  await db.execute('create table setting (key text, value jsonb)');
  await db.execute(`insert into setting values ('guest_language', '1'), ('delivery_fee', '2')`);
});
afterAll(async () => {
  await db?.close();
  await drop?.();
});

const prepared = <T>(work: (tx: Tx) => Promise<T>) =>
  retryConflicts(() => db.prepared.transaction(work));
const texts = async () =>
  (await db.query<{ statement: string }>('select statement from pg_prepared_statements')).map(
    (entry) => entry.statement,
  );
const key = (value: SettingKey) => (tx: Tx) =>
  tx.db.selectFrom('setting').select('key').where('key', '=', value).executeTakeFirst();

test('a statement is prepared once for all values, and only on request', async () => {
  expect(await db.transaction(key('guest_language'))).toEqual({ key: 'guest_language' });
  expect(await texts()).toEqual([]);

  expect(await prepared(key('guest_language'))).toEqual({ key: 'guest_language' });
  expect(await prepared(key('delivery_fee'))).toEqual({ key: 'delivery_fee' });
  expect(
    await prepared((tx) =>
      sql`select key from setting where key = ${'delivery_fee'}`.execute(tx.db),
    ),
  ).toMatchObject({
    rows: [{ key: 'delivery_fee' }],
  });
  await prepared((tx) =>
    tx.db
      .updateTable('setting')
      .set({ key: 'overlapping_zones' })
      .where('key', '=', 'delivery_fee')
      .execute(),
  );
  expect(await texts()).toHaveLength(3);
});

test('[ORD-129] a transaction starts with its own settings, which end with it', async () => {
  const current = async (tx: Sql) => {
    const { rows } = await sql<{ plan: string; commit: string }>`
      select current_setting('plan_cache_mode') as plan, current_setting('synchronous_commit') as commit`.execute(
      tx.db,
    );
    return rows[0];
  };
  await db.execute('set synchronous_commit = on');

  expect(await db.prepared.transaction(current)).toEqual({
    plan: 'force_generic_plan',
    commit: 'on',
  });
  expect(await db.prepared.transaction(current, { flushed: false })).toEqual({
    plan: 'force_generic_plan',
    commit: 'off',
  });
  expect(await db.transaction(current, { oneState: true })).toEqual({ plan: 'auto', commit: 'on' });
});

test('a statement outside a transaction is prepared by the same handle', async () => {
  const before = await texts();
  const named = (sql: Sql) => sql.db.selectFrom('setting').select('key as alone').execute();

  await named(db);
  expect(await texts()).toEqual(before);
  expect(await named(db.prepared)).toHaveLength(2);
  expect((await texts()).toSorted()).toEqual(
    [...before, 'select "key" as "alone" from "setting"'].toSorted(),
  );
});

test('a statement that counts rows is prepared', async () => {
  const counted = (sql: Sql) =>
    sql.db
      .selectFrom('setting')
      .select((eb) => [eb.fn.countAll<number>().as('counted'), eb.lit(1).as('one')]);

  await counted(db.prepared).execute();
  expect(await texts()).toContain('select count(*) as "counted", 1 as "one" from "setting"');
});

test('a prepared statement is sent unprepared by other work', async () => {
  const uses = () =>
    db.query(
      `select generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%"shared"%'`,
    );
  const shared = (sql: Sql) => sql.db.selectFrom('setting').select('key as shared').execute();

  await shared(db.prepared);
  await shared(db);
  await db.transaction(shared);
  expect(await uses()).toEqual([{ uses: 1 }]);
});

test('a statement of the ORM is not prepared', async () => {
  const before = await texts();
  await prepared((tx) => tx.em.execute('select 2 as two'));
  expect(await texts()).toEqual(before);
});

test('a prepared statement has one generic plan, and is never replanned for values of a request', async () => {
  const plans = () =>
    db.query<{ generic: number; custom: number }>(
      `select generic_plans as generic, custom_plans as custom from pg_prepared_statements where statement like '%"delivery_text"%'`,
    );
  const renamed = (value: SettingKey) => (tx: Tx) =>
    tx.db.selectFrom('setting').select('key as delivery_text').where('key', '=', value).execute();
  for (const value of ['guest_language', 'delivery_fee', 'guest_language'] as const)
    await prepared(renamed(value));

  expect(await plans()).toEqual([{ generic: 3, custom: 0 }]);
  expect(await db.query('show plan_cache_mode')).toEqual([{ plan_cache_mode: 'auto' }]);
});

test('a statement without column names is not prepared, because a new column would break it', async () => {
  const before = await texts();
  const all = (tx: Tx) => tx.db.selectFrom('setting').selectAll().execute();
  await prepared(all);
  await db.execute('alter table setting add column more int');

  expect(await prepared(all)).toContainEqual({ key: 'guest_language', value: 1, more: null });
  expect(await texts()).toEqual(before);
});

test('a prepared statement survives a migration that changes the type of a column', async () => {
  const values = (tx: Tx) =>
    tx.db.selectFrom('setting').select('value').where('key', '=', 'guest_language').execute();
  expect(await prepared(values)).toEqual([{ value: 1 }]);
  await db.execute('alter table setting alter column value type text');

  expect(await prepared(values)).toEqual([{ value: '1' }]);
});
