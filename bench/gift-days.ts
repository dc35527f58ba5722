import { randomUUID } from 'node:crypto';
import { importGiftOrders } from '../modules/gifts/orders/import-gift-orders.ts';
import { checkGiftDays } from '../modules/ordering/gift-days/check-gift-days.ts';
import { readAgainFrom } from '../modules/ordering/at-erp/order-revision.ts';
import { giftDaysSheet, readGiftDays } from '../modules/ordering/gift-days/gift-days.ts';
import { openDatabase, type Database } from '../test/support/text-database.ts';
import { createErpClient } from '../erp/client.ts';
import type { ErpDelivery } from '../erp/schemas/deliveries.ts';
import { createLog } from '../platform/log.ts';
import { testSecrets } from '../test/support/connection.ts';
import { migratedDatabase } from '../test/support/database.ts';
import { openPorts } from '../test/support/erp-ports.ts';
import { menuRows } from '../test/support/menu-rows.ts';
import { median, report, type Row } from './support/report.ts';
import { asOwnerOf } from '../test/support/database-roles.ts';
import { PLAIN_ORDER } from '../test/support/erp-orders.ts';

// `npm run carte -- bench gift-days`: the daily comparison of gifts, its list and its sheet, for
// 1,000 restaurants, each with 30 days and two orders with gifts a day: some ours, some without a
// right, some that differ. And what one order costs that the ERP reports, with all of them stored.
// The yardstick is one statement that counts the gifts of the same days and restaurants and
// compares them with nothing.
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 1_000);
const DAYS = 30;
const ORDERS_PER_DAY = Number(process.env['BENCH_ORDERS_PER_DAY'] ?? 2);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const ZONE = 'Europe/Moscow';
/**
 * The comparison runs once a day, staff wait for a sheet of a month, and the cost of an order must
 * not grow with the number of stored orders.
 */
const [CHECK_S, SHEET_S, IMPORT_ROWS] = [5, 5, 100];
/** Days that are compared every day. */
const COMPARED = 3;

type Bar = { ms: number } | { rows: number };

const { db, url, close } = await migratedDatabase();
// The order has no client, so no card is requested.
const erp = createErpClient({
  baseUrl: 'http://127.0.0.1:9',
  ...openPorts(''),
  log: createLog({ service: 'bench', level: 'fatal' }),
});
try {
  // Only the owner may leave the checks of what rows refer to.
  const owner = await openDatabase({ url: asOwnerOf(url) });
  const { connectionId, itemId } = await fill(owner);
  await owner.close();
  const today = Temporal.Now.plainDateISO(ZONE);
  const month = { from: today.subtract({ days: DAYS }).toString(), to: today.toString() };
  const lastDays = { from: today.subtract({ days: COMPARED }).toString(), to: month.to };
  const counted = ({ from, to }: typeof month) =>
    db.query(
      `select o.day, o.organization_erp_id, sum(line.quantity) from erp_gift_order o join erp_gift_line line on line.gift_order_id = o.id
        where o.day between $1 and $2 group by 1, 2`,
      [from, to],
    );
  const order = (id: string): ErpDelivery => ({
    id,
    organizationId: randomUUID(),
    timestamp: 1,
    creation: 'SUCCESS',
    status: 'WaitCooking',
    isCooked: false,
    number: 1,
    externalNumber: null,
    sum: 100,
    terminalGroupId: null,
    movedFrom: randomUUID(),
    movedTo: null,
    content: {
      ...PLAIN_ORDER,
      lines: [{ itemId, sizeId: null, name: 'Тарт', quantity: 1, isPaid: false }],
      createdAt: `${month.to} 12:00:00.000`,
      customerId: null,
      phone: null,
    },
  });
  const works: Record<string, { work: () => Promise<unknown>; yardstick?: () => Promise<unknown>; bar: Bar }> = {
    [`comparison of ${COMPARED} days`]: {
      work: () => checkGiftDays(db, { connectionId, timeZone: ZONE }),
      yardstick: () => counted(lastDays),
      bar: { ms: CHECK_S * 1000 },
    },
    [`sheet of ${DAYS} days`]: {
      work: () => giftDaysSheet({ db, secrets: testSecrets }, { ...month, scope: null }),
      yardstick: () => counted(month),
      bar: { ms: SHEET_S * 1000 },
    },
    [`a page of the list, ${DAYS} days`]: {
      work: () => readGiftDays({ db, secrets: testSecrets }, { ...month, scope: null }, { page: 1, size: 200 }),
      yardstick: () => counted(month),
      bar: { ms: SHEET_S * 1000 },
    },
    'one order that the ERP tells of': {
      work: () =>
        importGiftOrders({ db, erp, secrets: testSecrets }, connectionId, [order(randomUUID())], {
          own: new Map(),
          noteFirst: (tx) => readAgainFrom(tx, connectionId, null),
        }),
      bar: { rows: IMPORT_ROWS },
    },
  };
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  for (const [what, { work, yardstick, bar }] of Object.entries(works)) {
    await work();
    const [ms, bareMs]: [number[], number[]] = [[], []];
    const read = await rowsRead(db, work);
    for (let round = 0; round < ROUNDS; round += 1) {
      ms.push(await timed(work));
      if (yardstick !== undefined) bareMs.push(await timed(yardstick));
    }
    const [measured, bare] = [median(ms), yardstick === undefined ? null : median(bareMs)];
    details[what] = { ms, bareMs, read };
    rows.push({
      what: `${what}; ${read} rows read`,
      measured: `${measured.toFixed(0)} ms`,
      yardstick: bare === null ? '' : `counting the gifts ${bare.toFixed(0)} ms`,
      ratio: bare === null ? null : measured / bare,
      bar: 'ms' in bar ? `≤ ${bar.ms} ms` : `≤ ${bar.rows} rows`,
      reached: 'ms' in bar ? measured <= bar.ms : read <= bar.rows,
    });
  }
  await report('gift-days', rows, { restaurants: RESTAURANTS, days: DAYS, perDay: ORDERS_PER_DAY, ...details });
} finally {
  await erp.close();
  await close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Rows of tables that the work reads in any way, as counted by PostgreSQL. */
async function rowsRead(from: Database, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    // Sessions report their reads when they are idle for a moment.
    await from.query('select pg_stat_force_next_flush()');
    const [row] = await from.query<{ read: number }>(
      'select (sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)))::float8 as read from pg_stat_user_tables',
    );
    return row!.read;
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

/**
 * Nine of ten orders have redeemed a right, one in fifty of them with a gift fewer than it
 * promised; the tenth has a gift without a right. Every fifth is one of ours. Triggers rest
 * meanwhile: rights get their state without the moves that lead to it.
 */
async function fill(to: Database): Promise<{ connectionId: number; itemId: string }> {
  const rows = menuRows(to);
  const connectionId = await rows.connection();
  const item = await rows.item();
  await rows.size(item.id);
  const rewardId = await rows.insert('reward', { code: 'tart', name: 'Тарт', erp_item_id: item.erpId });
  const [client] = await to.query<{ id: string }>(
    'insert into compensation_client (id, connection_id, erp_customer_id) values (gen_random_uuid(), $1, gen_random_uuid()) returning id',
    [connectionId],
  );
  await to.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `insert into mirror_organization (connection_id, erp_id, name, time_zone, raw, synchronized_at)
       select $1::bigint, gen_random_uuid(), 'Restaurant ' || n, '${ZONE}', '{}', now() from generate_series(1, ${RESTAURANTS}) n`,
      [connectionId],
    );
    await tx.query(
      `insert into erp_gift_order (connection_id, erp_order_id, former_erp_order_ids, organization_erp_id, own_order_id, day, status, erp_timestamp)
       select $1::bigint, gen_random_uuid(), case when n % 20 = 0 then array[gen_random_uuid()] else '{}' end, erp_id,
              case when n % 5 = 0 then gen_random_uuid() end, (now() at time zone '${ZONE}')::date - back, 'Closed', 1
         from mirror_organization, generate_series(1, ${DAYS}) back, generate_series(1, ${ORDERS_PER_DAY}) n
        where connection_id = $1::bigint`,
      [connectionId],
    );
    await tx.query(
      `insert into erp_gift_line (gift_order_id, erp_item_id, erp_size_id, name, quantity)
       select id, $1::uuid, '', 'Тарт', case when id % 500 = 0 then 0 else 1 end from erp_gift_order`,
      [item.erpId],
    );
    await tx.query(
      `insert into compensation (id, client_id, reward_id, quantity, status, reason, source, granted_by, granted_at, redeemed_order_id, redeemed_at)
       select gen_random_uuid(), $1::uuid, $2::bigint, 1, 'REDEEMED', 'OTHER', 'AUTO', 'SYSTEM', day - 1, coalesce(own_order_id, erp_order_id), day
         from erp_gift_order where id % 10 <> 1`,
      [client!.id, rewardId],
    );
    await tx.query(
      `insert into unauthorized_gift (kind, gift_order_id, erp_item_id, erp_size_id, name, quantity, reward_id, found_at)
       select 'NO_RIGHT', id, $1::uuid, '', 'Тарт', 1, $2::bigint, day from erp_gift_order where id % 10 = 1`,
      [item.erpId, rewardId],
    );
  });
  await to.query('vacuum analyze');
  return { connectionId, itemId: item.erpId };
}
