import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readOutboxQueue } from '../../../modules/observability/read-backlogs.ts';
import { readRows } from '../../../modules/observability/read-rows.ts';
import { hasOrdersAtErp } from '../../../modules/ordering/polled-organizations.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { asOwner, inOwnerSession } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';

const ORDERS = 1_000_000;
const LARGE = ['customer_order', 'outbox', 'personal_data'];

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
  const { db } = database;
  const rows = menuRows(db);
  const { organizationId, connectionId } = await rows.restaurant();
  await rows.order({ organizationId, connectionId });
  await inOwnerSession(db, async (client) => {
    await client.query(`set session_replication_role = replica`);
    await client.query(`create temporary table sample as select * from customer_order limit 1`);
    const { rows: columns } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = 'customer_order'::regclass and attnum > 0 and not attisdropped order by attnum`,
    );
    const values: Record<string, string> = {
      id: 'gen_random_uuid()',
      cart_id: 'gen_random_uuid()',
      number: `'large-' || at`,
      state: `'CLOSED'`,
      accepted_at: `now() - at * interval '30 seconds'`,
      sent_at: `now() - at * interval '30 seconds'`,
      ended_at: `now() - at * interval '30 seconds'`,
    };
    await client.query(
      `insert into customer_order select ${columns.map(({ name }) => values[name] ?? `sample.${name}`).join(', ')}
         from sample, generate_series(1, ${ORDERS}) at`,
    );
    await client.query(
      `insert into outbox (event, payload, created_at, delivered_at)
       select 'CatalogChanged', '{}', now() - interval '1 day', now() - interval '1 day' from generate_series(1, ${ORDERS})`,
    );
  });
  await asOwner(
    db,
    `insert into personal_data (id, purpose, data_encrypted, created_at)
     select gen_random_uuid(), (array['ORDER', 'COMMENT'])[1 + at % 2], repeat('x', 100), now() - interval '1 day'
       from generate_series(1, ${ORDERS}) at`,
  );
  for (const table of LARGE) await asOwner(db, `vacuum analyze ${table}`);
}, 120_000);
afterAll(() => database.close());

/** Large tables that `work` reads from beginning to end. */
async function scanned(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return database.db.transaction(async (tx) => {
    // Workers count their scans for themselves.
    await tx.query('set local max_parallel_workers_per_gather = 0');
    await work(tx);
    const found = await tx.query<{ relname: string }>(
      `select relname from pg_stat_xact_user_tables where seq_scan > 0 and relname = any ($1) order by 1`,
      [LARGE],
    );
    return found.map(({ relname }) => relname);
  });
}

test('[OPS-81] what runs at each scrape, poll and minute reads no large table from beginning to end', async () => {
  expect(await scanned((tx) => readRows(tx))).toEqual([]);
  expect(await scanned((tx) => readOutboxQueue(tx))).toEqual([]);
  expect(await scanned((tx) => deleteOutdated(tx))).toEqual([]);
  expect(await scanned((tx) => hasOrdersAtErp(tx, 1))).toEqual([]);
});

test.each([
  ['customer_order_untaken', 'customer_order', (tx: Tx) => readRows(tx)],
  ['outbox_parked', 'outbox', (tx: Tx) => readRows(tx)],
  ['outbox_delivered', 'outbox', (tx: Tx) => deleteOutdated(tx)],
  ['personal_data_age', 'personal_data', (tx: Tx) => deleteOutdated(tx)],
])('[OPS-81] notices that the index %s is missing', async (index, table, work) => {
  await asOwner(database.db, `drop index ${index}`);
  expect(await scanned(work)).toContain(table);
});
