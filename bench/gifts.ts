import { randomUUID } from 'node:crypto';
import { clientOf } from '../modules/gifts/clients/clients.ts';
import type { Cart, CheckoutVerdict } from '../modules/ordering/schemas/cart.ts';
import { readEnv } from '../modules/env.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { startCustomerProvider } from '../test/support/customer-provider.ts';
import { signInCustomer } from '../packages/demo/seed/sign-in-customer.ts';
import { startDemoProduct } from '../test/support/product.ts';
import { grantTo } from '../test/support/rights.ts';
import { durableDatabase } from './support/durable-database.ts';
import { report } from './support/report.ts';
import { get, post, quantile, quantiles } from './support/steady.ts';
import { NO_ORDER_LIMITS } from '../test/support/order-limits.ts';
import { saveSetting, selectRow } from '../test/support/rows.ts';

// `npm run carte -- bench gifts`: what a gift adds to an order that is accepted (its right is
// reserved in the order's transaction), and what the card of a client adds to a checkout while the
// ERP is fast, slow and silent. Every guest is signed in, also those without a gift; an order with
// a gift and one without take turns, one at a time, so that none waits for another. PostgreSQL
// waits for the disk at every commit, and the calls of the ERP are as limited as in production.
const PAIRS = Number(process.env['BENCH_ORDERS'] ?? 300);
const [WARM, GUESTS] = [50, 20];
/**
 * Limits of the time that a gift adds to an order at the median, and the card to a checkout at the
 * worst, milliseconds.
 */
const [GIFT_MS, CARD_MS] = [5, 1_000];
/** Timers of a busy machine. */
const LATE_TIMER_MS = 50;
/** Checkouts of each kind, and how many of them come at once. */
const [CHECKOUTS, AT_ONCE] = [20, 5];
const SLOW_MS = 5_000;
const CARD = '/api/1/loyalty/erp/customer/info';

const database = await durableDatabase();
const customers = await startCustomerProvider();
const { product, api, worker } = await startDemoProduct({ database, env: customers.env });
try {
  const { db, emulator } = product;
  await Promise.all([worker.stop(), api.stop()]);
  const { ENCRYPTION_KEYS, ERP_RATE } = readEnv({ ...product.env, ERP_RATE: undefined });
  const shop = await product.startApi({ ERP_RATE: String(ERP_RATE) });
  const urlOf = (path: string) => `${shop.url}/api/v1${path}`;
  const state = await emulator.control<{ organizations: { id: string }[] }>('state');
  // The demo's second restaurant is open around the clock.
  const organizationId = state.organizations[1]!.id;
  const { products } = JSON.parse(await get(urlOf(`/menu?organization_id=${organizationId}`))) as {
    products: { variants: { id: number; price: number; available: boolean; modifierGroupIds: string[] }[] }[];
  };
  const dishes = products
    .flatMap(({ variants }) => variants)
    .filter(({ available, price, modifierGroupIds }) => available && price > 0 && modifierGroupIds.length === 0);
  await saveSetting(db, 'order_limits', NO_ORDER_LIMITS);
  const reward = await selectRow(db, 'reward', ['id'], { code: 'TART' });
  const connection = await selectRow(db, 'connection', ['id']);
  const secrets = createSecretBox(ENCRYPTION_KEYS);

  type Guest = { headers: Record<string, string>; clientId: string };
  async function guest(at: number): Promise<Guest> {
    const phone = `+7999${String(at).padStart(7, '0')}`;
    const clientId = await db.transaction((tx) => clientOf(tx, { secrets }, { connectionId: connection.id, phone }));
    return { clientId, headers: { authorization: `Bearer ${await signInCustomer(customers.issuer, phone)}` } };
  }
  const guests: Guest[] = [];
  for (let at = 0; at < GUESTS; at += 1) guests.push(await guest(at));

  const newCart = async ({ headers }: Guest, at: number) =>
    JSON.parse(
      await post(
        urlOf('/cart'),
        JSON.stringify({
          organizationId,
          lines: Array.from({ length: Math.min(10, dishes.length) }, (_, line) => ({
            variantId: dishes[(at + line) % dishes.length]!.id,
            quantity: 1,
            modifiers: [],
          })),
        }),
        headers,
      ),
    ) as Cart;
  const question = ({ cartId, version }: Cart) => ({
    cartId,
    cartVersion: version,
    fulfillment: { type: 'PICKUP', organizationId, slotId: 'asap' },
    paymentMethod: 'CASH',
  });
  const preflight = async (cart: Cart, { headers }: Guest) =>
    JSON.parse(await post(urlOf('/checkout/preflight'), JSON.stringify(question(cart)), headers)) as CheckoutVerdict;

  /** An order of a guest, with a gift or without one; returns how long the answer took. */
  async function order(at: number, withGift: boolean): Promise<number> {
    const entry = guests[at % guests.length]!;
    if (withGift) await grantTo(db, { clientId: entry.clientId, rewardId: reward.id });
    const cart = await newCart(entry, at);
    if (cart.gifts.length !== Number(withGift)) throw new Error(`The cart has ${cart.gifts.length} gifts`);
    const { quote } = await preflight(cart, entry);
    const customer = { name: 'Анна', phone: '+79990001122' };
    const body = JSON.stringify({ ...question(cart), quoteId: quote?.id ?? null, customer });
    const begun = performance.now();
    await post(urlOf('/orders'), body, { ...entry.headers, 'idempotency-key': randomUUID() });
    return performance.now() - begun;
  }

  const measured = { with: [] as number[], without: [] as number[] };
  for (let at = 0; at < WARM + PAIRS; at += 1)
    for (const kind of at % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const ms = await order(at, kind === 'with');
      if (at >= WARM) measured[kind].push(ms);
    }
  const added = quantile(measured.with, 0.5) - quantile(measured.without, 0.5);

  const carts: Cart[] = [];
  for (let at = 0; at < AT_ONCE; at += 1) carts.push(await newCart(guests[at]!, at));
  /** Checkouts of several guests at once, each with a cart of its own. */
  async function checkouts(): Promise<number[]> {
    const ms: number[] = [];
    for (let done = 0; done < CHECKOUTS; done += AT_ONCE)
      await Promise.all(
        carts.map(async (cart, at) => {
          const begun = performance.now();
          await preflight(cart, guests[at]!);
          ms.push(performance.now() - begun);
        }),
      );
    return ms;
  }
  await checkouts();
  const unread = await checkouts();
  const admin = await product.signIn(shop);
  await admin.patch('/settings/gift_markers', { version: 0, value: { usual: 'COMMENT', connections: {} } });
  for (const at of guests.keys()) {
    const phone = `+7999${String(at).padStart(7, '0')}`;
    await emulator.control('put-customer', { name: 'Анна', phone, comment: null });
  }
  const read = await checkouts();
  const slow: Record<string, number[]> = {};
  for (const kind of ['slow', 'no-answer']) {
    await emulator.control('fault', { kind, endpoint: CARD, times: 10_000, delayMs: SLOW_MS });
    slow[kind] = await checkouts();
    await emulator.control('clear-faults', { endpoint: CARD });
  }
  const worst = Math.max(...unread);
  await report(
    'gifts',
    [
      {
        what: 'POST /orders with a gift',
        measured: `${quantiles(measured.with)} ms; ${PAIRS} pairs`,
        yardstick: `without a gift ${quantiles(measured.without)} ms`,
        ratio: quantile(measured.with, 0.5) / quantile(measured.without, 0.5),
        bar: `at most ${GIFT_MS} ms more at p50; it is ${added.toFixed(1)} ms`,
        reached: added <= GIFT_MS,
      },
      ...Object.entries({ 'answers at once': read, ...slow }).map(([kind, ms]) => {
        const most = Math.max(...ms) - worst;
        return {
          what: `preflight, ${AT_ONCE} at once, the card is read; the ERP: ${kind}`,
          measured: `${quantiles(ms)} ms`,
          yardstick: `no card is read: ${quantiles(unread)} ms`,
          ratio: null,
          bar: `at most ${CARD_MS} ms and ${LATE_TIMER_MS} for timers more, worst to worst; it is ${most.toFixed(0)} ms`,
          reached: most <= CARD_MS + LATE_TIMER_MS,
        };
      }),
    ],
    { measured, unread, read, slow, erpRate: ERP_RATE },
  );
} finally {
  await product.stop();
  await customers.stop();
}
