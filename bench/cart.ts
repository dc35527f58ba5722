import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cart, CheckoutVerdict } from '../modules/ordering/schemas/cart.ts';
import { HIGH_ORDER_LIMITS } from '../test/support/order-limits.ts';
import { prepareProduct } from '../test/support/product.ts';
import { saveSetting } from '../test/support/rows.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atOnce, type AtOnce } from './support/at-once.ts';
import { cpuMs } from './support/cpu.ts';
import { durableDatabase } from './support/durable-database.ts';
import { record, startBare } from './support/side-by-side.ts';
import { report, type Row } from './support/report.ts';
import { busyRestaurant } from './support/restaurant.ts';
import {
  atRate,
  get,
  LATE_MS,
  measureCeiling,
  post,
  quantile,
  quantiles,
  type Send,
  type Steady,
} from './support/steady.ts';

// `npm run carte -- bench cart` measures carts, preflight and orders of an API process at 50
// requests per second, alternating with bare node:http. PostgreSQL flushes to disk. BENCH_GUESTS=8
// uses eight concurrent guests without a fixed rate.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
/** `BENCH_LARGE=on` uses a database with a million orders. */
const IS_LARGE = process.env['BENCH_LARGE'] === 'on';
const GUESTS = Number(process.env['BENCH_GUESTS'] ?? 0);
const RATE = 50;
const LINES = 10;
const [TURNS, WARM_SECONDS] = [5, 2];
const PROFILE = process.env['BENCH_PROFILE'];
/** Never reached. */
const LIMIT = '10000000';

/** Target answers per second with concurrent guests and two cores for API and database. */
const AIMS = { carts: 1_000, preflights: 700, orders: 300 };

type Measured = { carte: Steady; bare: Steady; apiMs: number; databaseMs: number };

const folder = await temporaryFolder('bench-cart');
const database = await durableDatabase();

const product = await prepareProduct({
  database,
  env: {
    NODE_ENV: 'production',
    COOKIE_SECURE: 'on',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PUBLIC: LIMIT,
    RATE_LIMIT_ORDERING: LIMIT,
    RATE_LIMIT_NEW_CARTS: LIMIT,
  },
});

let stopBare: (() => Promise<unknown>) | undefined;

try {
  const { organizationErpId, variantIds } = await busyRestaurant(product.db, {
    isLarge: IS_LARGE,
    hasLimitedDiscount: GUESTS === 0,
  });

  await saveSetting(product.db, 'order_limits', HIGH_ORDER_LIMITS);
  const api = await product.startApi(
    PROFILE === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${PROFILE}` },
  );
  const buildUrl = (path: string) => `${api.url}/api/v1${path}`;
  const body = (at: number, cart?: Cart) =>
    JSON.stringify({
      organizationId: organizationErpId,
      ...(cart === undefined ? {} : { cartId: cart.cartId, version: cart.version }),
      lines: Array.from({ length: LINES }, (_, line) => ({
        variantId: variantIds[(at * LINES + line) % variantIds.length],
        quantity: 1 + (line % 3),
        modifiers: [],
      })),
    });

  const newCart = async (at: number) => JSON.parse(await post(buildUrl('/cart'), body(at))) as Cart;
  const path = `/api/v1/cart?cart_id=${(await newCart(0)).cartId}`;
  const bare = await startBare(folder, {
    [path]: await record(api.url + path, {}, join(folder, 'cart')),
  });
  stopBare = () => bare.stop();
  await delay(1_000);

  const warm = WARM_SECONDS * RATE;
  const all = warm + SECONDS * RATE;
  const bareSend: Send = (at) => post(bare.url + path, body(at));

  async function measured(send: Send): Promise<Measured> {
    await atRate(bareSend, { rate: RATE, from: 0, to: RATE });
    await atRate(send, { rate: RATE, from: 0, to: warm });
    const sum: Measured = {
      carte: { ms: [], lateMs: [] },
      bare: { ms: [], lateMs: [] },
      apiMs: 0,
      databaseMs: 0,
    };

    const add = (to: Steady, { ms, lateMs }: Steady) => (
      to.ms.push(...ms),
      to.lateMs.push(...lateMs)
    );

    const perTurn = (all - warm) / TURNS;

    for (let turn = 0; turn < TURNS; turn += 1) {
      const from = warm + turn * perTurn;
      const [apiMs, databaseMs] = [cpuMs(api.child.pid!), cpuMs(database.pid)];
      add(sum.carte, await atRate(send, { rate: RATE, from, to: from + perTurn }));
      sum.apiMs += cpuMs(api.child.pid!) - apiMs;
      sum.databaseMs += cpuMs(database.pid) - databaseMs;
      add(sum.bare, await atRate(bareSend, { rate: RATE, from: 0, to: RATE }));
    }

    return sum;
  }

  const made: Cart[] = [];
  const quotes: (string | null)[] = [];
  const fulfillment = { type: 'PICKUP', organizationId: organizationErpId, slotId: 'asap' };
  const question = (at: number) => ({
    cartId: made[at]!.cartId,
    fulfillment,
    paymentMethod: 'CASH',
  });

  const makeCart = async (at: number) => void (made[at] = await newCart(at));
  const askPreflight = async (at: number) => {
    const answer = await post(buildUrl('/checkout/preflight'), JSON.stringify(question(at)));
    quotes[at] = (JSON.parse(answer) as CheckoutVerdict).quote?.id ?? null;
  };

  const placeOrder = (at: number) =>
    post(
      buildUrl('/orders'),
      JSON.stringify({
        ...question(at),
        cartVersion: made[at]!.version,
        quoteId: quotes[at],
        customer: { name: 'Анна', phone: `+7999${String(1_000_000 + at)}` },
      }),
      { 'idempotency-key': randomUUID() },
    );

  /** Warms up code and query plans first. */
  async function guestsAtOnce(): Promise<void> {
    const pids = { api: api.child.pid!, postgres: database.pid, load: process.pid };
    const sample = async () =>
      (
        await product.db.query<{ state: string }>(
          `select concat_ws(' ', state, wait_event_type, wait_event) as state from pg_stat_activity
            where datname = current_database() and state <> 'idle' and application_name <> 'carte-test-product'`,
        )
      ).map(({ state }) => state);

    const run = (send: Send, seconds: number, available: number) =>
      atOnce(send, { guests: GUESTS, seconds, available, pids, sample });
    const steps = async (seconds: number) => {
      const carts = await run(makeCart, seconds, Infinity);
      const preflights = await run(askPreflight, seconds, made.length);
      const orders = await run(placeOrder, seconds, quotes.length);
      return { carts, preflights, orders };
    };

    await steps(WARM_SECONDS * 2);
    [made.length, quotes.length] = [0, 0];
    const measuredSteps = await steps(SECONDS);
    const listed = (of: Record<string, number>, digits: number) =>
      Object.entries(of)
        .toSorted(([, one], [, other]) => other - one)
        .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
        .join(', ');

    console.log(
      Object.entries(measuredSteps)
        .map(([what, { waits }]) => `${what}: ${listed(waits, 2)}`)
        .join('\n'),
    );

    const rows = Object.entries(measuredSteps).map(
      ([what, { ms, perSecond, cpu }]: [string, AtOnce]): Row => {
        const aim = AIMS[what as keyof typeof AIMS];
        return {
          what: `${what}, ${GUESTS} guests`,
          measured: `${perSecond.toFixed(0)}/s, ${quantiles(ms)} ms; processor ms: ${listed(cpu, 1)}`,
          yardstick: '',
          ratio: null,
          bar: `≥ ${aim}/s`,
          reached: perSecond >= aim,
        };
      },
    );

    await report('cart-guests', rows, { guests: GUESTS, seconds: SECONDS, measuredSteps });
  }

  async function steadyGuests(): Promise<void> {
    const ceiling = await measureCeiling(bareSend, 2);
    console.log(
      `The load generator reaches ${Math.round(ceiling)} requests/s with bare node:http; ${RATE} are asked of it.`,
    );
    const table: [string, number, Measured][] = [
      ['POST /cart, a new one', 25, await measured(makeCart)],
      [
        'POST /cart, a change',
        25,
        await measured(
          async (at) =>
            (made[at] = JSON.parse(await post(buildUrl('/cart'), body(at + 1, made[at]))) as Cart),
        ),
      ],
      ['GET /cart', 25, await measured((at) => get(buildUrl(`/cart?cart_id=${made[at]!.cartId}`)))],
      ['preflight', 40, await measured(askPreflight)],
      ['POST /orders, accepted', 100, await measured(placeOrder)],
    ];

    const late = ({ lateMs }: Steady) => lateMs.filter((ms) => ms > LATE_MS).length;
    const rows = table.map(
      ([what, limitMs, { carte, bare: yardstick, apiMs, databaseMs }]): Row => ({
        what,
        measured:
          `${quantiles(carte.ms)} ms; ${late(carte)} of ${carte.ms.length} began late; processor of the API ` +
          `${(apiMs / carte.ms.length).toFixed(1)} ms, of PostgreSQL ${(databaseMs / carte.ms.length).toFixed(1)} ms`,
        yardstick: `bare ${quantiles(yardstick.ms)} ms; ${late(yardstick)} of ${yardstick.ms.length} late`,
        ratio: quantile(carte.ms, 0.5) / quantile(yardstick.ms, 0.5),
        bar: `p95 ≤ ${limitMs} ms at ${RATE}/s`,
        reached: quantile(carte.ms, 0.95) <= limitMs,
      }),
    );

    await report('cart', rows, {
      rate: RATE,
      seconds: SECONDS,
      lines: LINES,
      dishes: variantIds.length,
      ceiling,
    });
  }

  await (GUESTS > 0 ? guestsAtOnce() : steadyGuests());
} finally {
  await stopBare?.();
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
