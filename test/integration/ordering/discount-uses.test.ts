import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { releasedUses, useDiscounts } from '../../../modules/ordering/promotions/discount-uses.ts';
import { readOrganization } from '../../../modules/ordering/cart/read-organization.ts';
import { CONFLICTS_AND_TWINS, retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { inOwnerSession } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { sessionsWait } from '../../support/races.ts';
import { countReads } from '../../support/reads.ts';
import { addRow, updateRows } from '../../support/rows.ts';

const USES = 50_000;
const BUYER = { customerId: null, phoneDigests: [], promocode: null, timeZone: 'Europe/Moscow' };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let place: { organizationId: number; connectionId: number };
beforeAll(async () => {
  database = await migratedDatabase();
  const { organizationId, connectionId } = await menuRows(database.db).restaurant();
  place = { organizationId, connectionId };
});
afterAll(() => database.close());

let counter = 0;
const createDiscount = async (totalUses: number | null, uses = 0): Promise<number> => {
  const code = `LIMIT-${(counter += 1)}`;
  const { id } = await addRow(database.db, 'discount', {
    code,
    name: code,
    kind: 'PERCENT',
    value: 5,
  });
  await inOwnerSession(database.db, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into discount_use (discount_id, order_id) select $1, gen_random_uuid() from generate_series(1, $2)`,
      [id, uses],
    );
    await client.query('vacuum analyze discount_use');
  });
  await updateRows(database.db, 'discount', { totalUses }, { id });
  return id;
};
const use = async (tx: Sql, discountId: number): Promise<{ orderId: string; isUsed: boolean }> => {
  const { id: orderId } = await addRow(tx, 'customer_order', {
    ...place,
    number: `order-${(counter += 1)}`,
  });
  return {
    orderId,
    isUsed: await useDiscounts(tx, { orderId, customerId: null, discountIds: [discountId] }),
  };
};
/** Concurrent orders in separate transactions, retried like a checkout. */
const race = async (orders: number, discountId: number, oneState = true): Promise<number> => {
  const uses = await Promise.all(
    Array.from({ length: orders }, () =>
      retryConflicts(
        () => database.db.transaction((tx) => use(tx, discountId), { oneState }),
        orders,
        CONFLICTS_AND_TWINS,
      ),
    ),
  );
  return uses.filter(({ isUsed }) => isUsed).length;
};
const storedUses = async (id: number) => {
  const [stored] = await database.db.query<{ uses: number; counted: number }>(
    `select (select count(*)::int from discount_use where discount_id = $1) as uses,
            (select sum(uses)::int from discount_count where discount_id = $1) as counted`,
    [id],
  );
  return stored;
};

test('[ORD-103] a discount with 50,000 uses is read and used without reading the uses', async () => {
  const id = await createDiscount(2 * USES, USES);
  const { db } = database;
  const reading = await readOrganization(db, { id: place.organizationId }, BUYER);

  expect(reading?.uses.get(id)).toBe(USES);
  const tables = ['discount_use', 'discount_count'];
  for (const work of [
    (tx: Sql) => readOrganization(tx, { id: place.organizationId }, BUYER),
    async (tx: Sql) => {
      const { orderId, isUsed } = await use(tx, id);
      expect(isUsed).toBe(true);
      await releasedUses(tx.db, orderId).execute();
    },
  ]) {
    const reads = await countReads(db, tables, work);
    expect(reads['discount_count']?.rows).toBeGreaterThan(0);
    for (const { rows: read } of Object.values(reads)) expect(read).toBeLessThan(2_000);
  }
});

test('[ORD-103] each remaining use goes to one of the concurrent orders', async () => {
  const id = await createDiscount(USES + 5, USES);

  expect(await race(12, id)).toBe(5);
  expect(await storedUses(id)).toEqual({ uses: USES + 5, counted: USES + 5 });
});

test('[ORD-103] the last use of a discount goes to one of several orders at any isolation level', async () => {
  const id = await createDiscount(1);
  let second: Promise<unknown> = Promise.resolve();
  await database.db.transaction(async (tx) => {
    expect(await use(tx, id)).toMatchObject({ isUsed: true });
    second = database.db.transaction((other) => use(other, id)).catch((error: unknown) => error);
    await sessionsWait(database.db, 1);
  });

  expect(await second).toMatchObject({ code: '23505', constraint: 'discount_use_counted' });
  expect(await race(3, id, false)).toBe(0);
  expect(await storedUses(id)).toEqual({ uses: 1, counted: 1 });
});

test('[ORD-103] a returned use is available again, unless a lowered limit is exceeded', async () => {
  const id = await createDiscount(150);
  const orders: string[] = [];
  for (let uses = 0; uses < 150; uses += 1) orders.push((await use(database.db, id)).orderId);
  expect(await race(3, id)).toBe(0);
  await updateRows(database.db, 'discount', { totalUses: 100 }, { id });
  for (const orderId of orders.slice(0, 50)) {
    await releasedUses(database.db.db, orderId).execute();
    expect(await race(1, id)).toBe(0);
  }
  for (const orderId of orders.slice(50, 53)) await releasedUses(database.db.db, orderId).execute();

  expect(await race(8, id)).toBe(3);
  expect(await storedUses(id)).toEqual({ uses: 100, counted: 100 });
});

test('[ORD-103] the uses of a discount count if it is limited later', async () => {
  const id = await createDiscount(null, 7);
  await updateRows(database.db, 'discount', { totalUses: 10 }, { id });

  expect(await race(6, id)).toBe(3);
  await updateRows(database.db, 'discount', { totalUses: null }, { id });
  expect(await race(2, id)).toBe(2);
  expect(await storedUses(id)).toEqual({ uses: 12, counted: null });
});
