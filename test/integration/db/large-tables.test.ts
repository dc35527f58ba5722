import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { upkeepSteps } from '../../../activities/upkeep.ts';
import { readEnv } from '../../../modules/env.ts';
import { readOutboxQueue } from '../../../modules/gauges/read-backlogs.ts';
import { ROW_GROUPS } from '../../../modules/gauges/read-rows.ts';
import { hasOrdersAtErp } from '../../../modules/ordering/at-erp/polled-organizations.ts';
import { listStaffOrders } from '../../../modules/ordering/staff/list-staff-orders.ts';
import type { CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { deleteOutdated, readOverdue } from '../../../modules/retention.ts';
import { openErpClient, wireProduct } from '../../../modules/wire-product.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { connectTemporal } from '../../../platform/temporal.ts';
import { asOwner } from '../../support/database-roles.ts';
import { fillLargeTables, LARGE_TABLES } from '../../support/large-database.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { countReads, type Reads } from '../../support/reads.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { testTemporal } from '../../support/temporal.ts';
import { openDatabase, type Tx } from '../../support/text-database.ts';

const ROWS = wholeInSoak(
  { largest: 1_000_000, medium: 100_000, uses: 50_000 },
  { largest: 60_000, medium: 20_000, uses: 5_000 },
);
const LIMIT_MS = wholeInSoak(900_000, 240_000);
/** Maximum rows and index entries per table and statement. */
const MOST_ROWS = ROWS.medium / 4;

const fixture = await orderingFixture();
const { db, place, ask, makeCart, question, tokenOf } = fixture;
let discountId: number;
beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  discountId = await fillLargeTables(db, place, ROWS);
}, LIMIT_MS);
afterAll(fixture.stop);

const findExcess = (reads: Record<string, Reads>) =>
  Object.fromEntries(
    Object.entries(reads).filter(([, { sequential, rows }]) => sequential > 0 || rows > MOST_ROWS),
  );

const excessBy = async (work: (tx: Tx) => Promise<unknown>) =>
  findExcess(await countReads(db, LARGE_TABLES, work));

const resetReads = () => asOwner(db, 'select pg_stat_reset()');

/** Reads of all sessions since {@link resetReads}. A session reports its reads when it ends. */
async function reportedReads(): Promise<Record<string, Reads>> {
  await asOwner(db, 'select pg_stat_force_next_flush()');
  const found = await db.query<Reads & { name: string }>(
    `select relname as name, seq_scan::int as sequential,
            (seq_tup_read + idx_tup_fetch + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes entries
              where entries.relid = tables.relid))::int as rows
       from pg_stat_user_tables tables where relname = any ($1)`,
    [LARGE_TABLES],
  );
  return Object.fromEntries(found.map(({ name, ...reads }) => [name, reads]));
}

const search = (tx: Tx) =>
  listStaffOrders(
    { db: tx, secrets: fixture.api.deps.secrets },
    { q: 'large-500', mayFindPhones: true, scope: null },
    { page: 1, size: 50 },
  );

const PERIODIC: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(ROW_GROUPS).map(([name, read]) => [`gauges of ${name}`, read]),
  ),
  'gauges of retention': readOverdue,
  'the queue of events': readOutboxQueue,
  'the deletion of outdated rows': (tx) => deleteOutdated(tx),
  'a search for an order': search,
  'the poll of orders': (tx) => hasOrdersAtErp(tx, place.connectionId),
};

test.each(Object.entries(PERIODIC))(
  '[OPS-81] the statement %s reads no large table sequentially',
  async (_, work) => {
    expect(await excessBy(work)).toEqual({});
  },
);

const FILTERS = {
  q: ['large-500', '+79990001122', '00000000-0000-4000-8000-000000000000'],
  from: ['2026-01-01T00:00:00Z'],
  to: ['2100-01-01T00:00:00Z'],
  states: [['CLOSED'], ['FAILED', 'SENT']],
  problems: [['REJECTED_BY_ERP']],
  open: [true, false],
  atErp: [true, false],
  fulfillmentType: ['PICKUP'],
  dueFrom: ['2026-01-01T00:00:00Z'],
  dueTo: ['2100-01-01T00:00:00Z'],
  channel: ['CARTE', 'ERP'],
  customerId: ['customer-7'],
  organizationId: ['here'],
} as const;

/** Combinations of filters and values, at most two filters in the test command. */
const MOST_FILTERS = wholeInSoak(Infinity, 2);
const combinations = (Object.keys(FILTERS) as (keyof typeof FILTERS)[])
  .reduce<Record<string, unknown>[]>(
    (all, name) => [
      ...all,
      ...all.flatMap((one) => FILTERS[name].map((value: unknown) => ({ ...one, [name]: value }))),
    ],
    [{}],
  )
  .filter((filters) => Object.keys(filters).length <= MOST_FILTERS);

test(
  '[ORD-134] no filter of the list of orders reads a large table sequentially',
  async () => {
    const cursor = { after: null, scope: '', counts: 'SOME' as const };
    const excess: unknown[] = [];
    for (const { organizationId, ...filters } of combinations) {
      const sought = {
        ...filters,
        ...(organizationId === undefined ? {} : { organizationId: place.organizationId }),
      };
      const list = (tx: Tx, after: string | null) =>
        listStaffOrders(
          { db: tx, secrets: fixture.api.deps.secrets },
          { mayFindPhones: true, scope: null, ...sought },
          { page: 1, size: 50, cursor: { ...cursor, after } },
        );
      const found = await excessBy(async (tx) => {
        const { next } = await list(tx, null);
        if (next !== null) await list(tx, next);
      });
      if (Object.keys(found).length > 0) excess.push({ filters: sought, found });
    }

    expect(excess).toEqual([]);
  },
  LIMIT_MS,
);

test('[OPS-81] no step of the reconciler reads a large table sequentially', async () => {
  const other = await openDatabase({
    url: fixture.database.url,
    applicationName: 'carte-reconciler',
  });
  const [server, metrics, log] = [
    await testTemporal(),
    createMetrics('test'),
    createLog({ service: 'test', level: 'silent' }),
  ];
  const connected = await connectTemporal({ ...server, identity: 'test' });
  const temporal = connected.client;
  const env = readEnv({
    DATABASE_URL: fixture.database.url,
    ERP_URL: 'http://127.0.0.1:9',
    ENCRYPTION_KEYS: `test@row:${Buffer.alloc(32, 7).toString('base64')}`,
  });
  const erp = openErpClient({ env, log, metrics, db: other });
  try {
    const { delivery, ...product } = wireProduct({ env, log, metrics, db: other, temporal, erp });
    await resetReads();
    for (const step of Object.values(upkeepSteps(product))) await step(AbortSignal.timeout(60_000));
    await delivery.deliver();
    await delivery.stop();
  } finally {
    await erp.close();
    await other.close();
    await connected.close();
    await server.stop();
  }

  expect(findExcess(await reportedReads())).toEqual({});
}, 60_000);

test('[OPS-81, ORD-103] requests of guests read no large table sequentially', async () => {
  const token = await tokenOf('customer of a large database', '+79990001122', 'Анна');
  const statuses: number[] = [];
  const send = async <T>(...request: Parameters<typeof ask>): Promise<T> => {
    const { status, body } = await ask<T>(...request);
    statuses.push(status);
    return body;
  };
  await resetReads();
  for (const sent of [{}, { token }]) {
    const cart = await makeCart({}, sent);
    await send('GET', `/cart?cart_id=${cart.cartId}`, undefined, sent);
    const { quote, total } = await send<CheckoutVerdict>(
      'POST',
      '/checkout/preflight',
      question(cart),
      sent,
    );
    expect(total.discount).toBeGreaterThan(0);
    const order = {
      ...question(cart),
      customer: { name: 'Анна', phone: '+79990001122' },
      cartVersion: cart.version,
      quoteId: quote?.id,
    };
    const { orderId } = await send<PlacedOrder>('POST', '/orders', order, {
      ...sent,
      key: cart.cartId,
    });
    await send('GET', `/orders/${orderId}`, undefined, sent);
    await send('POST', `/orders/${orderId}/repeat`, {}, sent);
    await send('POST', `/orders/${orderId}/cancel`, {}, sent);
  }
  await send('GET', '/orders', undefined, { token });
  await send('GET', '/addresses', undefined, { token });
  await send('GET', `/gifts?organization_id=${place.organizationErpId}`, undefined, { token });
  await fixture.api.stop();

  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  const reads = await reportedReads();
  expect(reads['customer_order']?.rows).toBeGreaterThan(0);
  expect(findExcess(reads)).toEqual({});
  expect(
    await db.query('select sum(uses)::int as uses from discount_count where discount_id = $1', [
      discountId,
    ]),
  ).toEqual([{ uses: ROWS.uses }]);
});

test.each([
  [
    'customer_order_number, customer_order_number_unique',
    'customer_order',
    'a search for an order',
  ],
  [
    'customer_order_untaken, customer_order_state, customer_order_organization_state',
    'customer_order',
    'gauges of orders',
  ],
  ['outbox_parked', 'outbox', 'gauges of events'],
  ['outbox_delivered', 'outbox', 'the deletion of outdated rows'],
  ['personal_data_age', 'personal_data', 'the deletion of outdated rows'],
  ['window_count_ended', 'window_count', 'the deletion of outdated rows'],
  ['notification_resolved', 'notification', 'the deletion of outdated rows'],
  ['access_sign_on_expires_index', 'access_sign_on', 'the deletion of outdated rows'],
  ['client_card_faulty', 'client_card', 'gauges of markers'],
  ['compensation_client_age', 'compensation_client', 'the deletion of outdated rows'],
  ['order_decision_age', 'order_decision', 'gauges of retention'],
])('[OPS-81] the check detects a missing index: %s', async (index, table, work) => {
  await asOwner(db, `drop index ${index}`);
  expect(Object.keys(await excessBy(PERIODIC[work]!))).toContain(table);
});
