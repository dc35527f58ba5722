import { setTimeout as delay } from 'node:timers/promises';
import { signInCustomer } from '../../packages/demo/seed/sign-in-customer.ts';
import type { Product } from '../../test/support/product.ts';
import { countRows } from '../../test/support/rows.ts';
import type { Chain } from './chain.ts';
import type { Customer, Ordered } from './guests.ts';
import { atRate } from './steady.ts';

const AT_ONCE = 8;
const GIVE_UP_MS = 30 * 60_000;
/** Statuses at which foreign orders are announced after their creation. */
const FOREIGN_STATUSES = ['WaitCooking', 'CookingStarted', 'OnWay', 'Closed'] as const;

const LOYALTY_PATHS = [
  '/api/1/loyalty/erp/customer/info',
  '/api/1/loyalty/erp/customer/create_or_update',
  '/api/1/loyalty/erp/customer_category',
] as const;

type Orders = { answered: Ordered[]; refused: string[]; lateMs: number[] };

/** Places orders at a steady rate (open loop). `lateMs`: delay of each start. */
export async function ordersAtRate(
  order: () => Promise<Ordered>,
  rate: number,
  seconds: number,
): Promise<Orders> {
  const answered: Ordered[] = [];
  const refused: string[] = [];
  const send = () =>
    order().then(
      (one) => void answered.push(one),
      (error: unknown) => void refused.push(String(error).slice(0, 2_000)),
    );

  const { lateMs } = await atRate(send, { rate, from: 0, to: Math.round(rate * seconds) });

  return { answered, refused, lateMs };
}

export async function manyOrders(order: () => Promise<Ordered>, count: number): Promise<Ordered[]> {
  const placed: Ordered[] = [];
  let begun = 0;
  const guest = async () => {
    while ((begun += 1) <= count) placed.push(await order());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guest));

  return placed;
}

/**
 * Waits up to 30 minutes until all orders have an outcome. Returns the milliseconds from acceptance
 * to confirmation, and the seconds of waiting.
 */
export async function confirmedMs({ db }: Product, placed: readonly Ordered[]) {
  const ids = placed.map(({ orderId }) => orderId);
  const begun = performance.now();
  const left = async () =>
    Number(await countRows(db, 'customer_order', { id: ids, state: ['ACCEPTED', 'SENT'] }));
  while ((await left()) > 0 && performance.now() - begun < GIVE_UP_MS) await delay(500);
  const waits = await db.query<{ ms: number }>(
    `select extract(epoch from (confirmed.at - accepted.at)) * 1000 as ms
       from order_move accepted join order_move confirmed on confirmed.order_id = accepted.order_id and confirmed.state = 'CONFIRMED'
      where accepted.state = 'ACCEPTED' and accepted.order_id = any ($1)`,
    [ids],
  );

  return {
    ms: waits.map(({ ms }) => Number(ms)),
    waitedSeconds: (performance.now() - begun) / 1_000,
  };
}

/** Announces foreign orders at `rate` events per second. Returns the number of events. */
export async function withForeignOrders(
  { product, restaurants }: Chain,
  rate: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let isOver = false;
  let events = 0;
  const send = async () => {
    let orderId = '';
    let taken = 0;
    const begun = performance.now();

    for (; !isOver; events += 1) {
      const due = begun + (events * 1_000) / rate;
      if (due > performance.now()) await delay(due - performance.now());
      const status = FOREIGN_STATUSES[(events % (FOREIGN_STATUSES.length + 1)) - 1];
      if (status === undefined)
        orderId = await takeForeignOrder(product, restaurants[taken++ % restaurants.length]!);
      else await product.emulator.control('delivery-status', { orderId, status });
    }
  };

  const sending = rate > 0 ? send() : Promise.resolve();
  // A failed control call fails the result of `work`, not the process.
  sending.catch(() => undefined);
  await work().finally(() => (isOver = true));
  await sending;

  return events;
}

async function takeForeignOrder({ emulator }: Product, organizationId: string): Promise<string> {
  const items = [{ productId: organizationId, amount: 1, price: 300 }];
  const phone = `+7998${String(Math.floor(Math.random() * 9_000_000) + 1_000_000)}`;
  const taken = await emulator.control<{ orderInfo: { id: string } }>('put-delivery', {
    organizationId,
    phone,
    items,
  });

  return taken.orderInfo.id;
}

export async function withoutLoyalty(
  { emulator }: Product,
  work: () => Promise<unknown>,
): Promise<void> {
  for (const endpoint of LOYALTY_PATHS)
    await emulator.control('fault', { kind: '500', endpoint, times: 1_000_000 });
  try {
    await work();
  } finally {
    for (const endpoint of LOYALTY_PATHS) await emulator.control('clear-faults', { endpoint });
  }
}

export async function signedInCustomers(
  { customersUrl }: Chain,
  count: number,
): Promise<Customer[]> {
  const phones = Array.from({ length: count }, (_, at) => `+7997${String(1_000_000 + at)}`);
  const customers: Customer[] = [];
  for (const phone of phones)
    customers.push({ phone, token: await signInCustomer(customersUrl, phone) });
  return customers;
}
