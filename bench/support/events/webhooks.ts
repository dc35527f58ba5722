import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { recordEvents } from '../../../modules/events/record-events.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import { closeServer, listen } from '../../../platform/http-server.ts';
import { HIGH_ORDER_LIMITS } from '../../../test/support/order-limits.ts';
import { prepareProduct } from '../../../test/support/product.ts';
import { addRow, countRows, saveSetting, selectRow } from '../../../test/support/rows.ts';
import { cpuMs } from '../cpu.ts';
import { durableDatabase } from '../durable-database.ts';
import type { Row } from '../report.ts';
import { busyRestaurant } from '../restaurant.ts';
import { atRate, post, quantile, quantiles } from '../steady.ts';

const ENDPOINTS = Number(process.env['BENCH_ENDPOINTS'] ?? 100);
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const [ORDERS_A_SECOND, TICK_MS, GIVE_UP_MS] = [5, 100, 300_000];
/** Allowed slowdown of orders under event load. */
const SLOWER = 1.25;

/**
 * Measures events per second at 100 endpoints while guests order. Baseline: the same orders without
 * events.
 */
export async function measureWebhooks(): Promise<Row[]> {
  const database = await durableDatabase();
  const product = await prepareProduct({
    database,
    env: { LOG_LEVEL: 'warn', WEBHOOK_PRIVATE_RECEIVERS: 'on' },
  });

  /** Ages of events at arrival, ms, and the arrival time of the last event. */
  const received = { ages: [] as number[], ids: new Set<number>(), last: 0 };
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(parts).toString()) as {
        id: number;
        occurredAt: string;
      };

      received.ages.push(Date.now() - Date.parse(event.occurredAt));
      received.ids.add(event.id);
      received.last = performance.now();
      response.writeHead(204).end();
    });
  });

  try {
    const port = await listen(receiver, {
      host: '127.0.0.1',
      port: 0,
      what: 'The receiver of webhooks',
    });

    const { organizationErpId, variantIds } = await busyRestaurant(product.db);
    await saveSetting(product.db, 'order_limits', HIGH_ORDER_LIMITS);
    const { connectionId } = await selectRow(product.db, 'mirror_organization', ['connectionId'], {
      erpId: organizationErpId,
    });
    const organizations: number[] = [];

    for (let at = 0; at < ENDPOINTS; at += 1) {
      const { id } = await addRow(product.db, 'mirror_organization', {
        connectionId,
        erpId: randomUUID(),
        name: `organization ${at}`,
        raw: {},
        synchronizedAt: new Date(),
      });

      organizations.push(id);
    }

    const api = await product.startApi();
    const order = await product.startWorker({}, 'order');
    const sync = await product.startWorker({}, 'sync');
    const admin = await product.signIn(api);

    for (const id of organizations)
      await admin.post('/webhook-endpoints', {
        url: `http://127.0.0.1:${port}/${id}`,
        types: ['menu.published'],
        organizationIds: [id],
      });

    const buildUrl = (path: string) => `${api.url}/api/v1${path}`;
    const fulfillment = { type: 'PICKUP', organizationId: organizationErpId, slotId: 'asap' };
    const orderMs: number[] = [];

    async function placeOrder(at: number): Promise<void> {
      const lines = [{ variantId: variantIds[at % variantIds.length], quantity: 3, modifiers: [] }];
      const cart = JSON.parse(
        await post(buildUrl('/cart'), JSON.stringify({ organizationId: organizationErpId, lines })),
      ) as Cart;
      const question = { cartId: cart.cartId, fulfillment, paymentMethod: 'CASH' };
      const verdict = JSON.parse(
        await post(buildUrl('/checkout/preflight'), JSON.stringify(question)),
      ) as CheckoutVerdict;
      const customer = { name: 'Анна', phone: `+7999${String(1_000_000 + at)}` };
      const body = {
        ...question,
        cartVersion: cart.version,
        quoteId: verdict.quote?.id ?? null,
        customer,
      };

      const begun = performance.now();
      await post(buildUrl('/orders'), JSON.stringify(body), { 'idempotency-key': randomUUID() });
      orderMs.push(performance.now() - begun);
    }

    async function placeOrders(from: number): Promise<number[]> {
      orderMs.length = 0;
      const total = SECONDS * ORDERS_A_SECOND;
      await atRate(placeOrder, { rate: ORDERS_A_SECOND, from, to: from + total });
      return [...orderMs];
    }

    let recorded = 0;

    async function recordTick(): Promise<void> {
      const count = (EVENTS * TICK_MS) / 1_000;
      const events = Array.from({ length: count }, (_, at) => {
        const id = organizations[(recorded + at) % organizations.length]!;
        return { id, organizationId: id, data: { revision: recorded + at } };
      });
      await recordEvents(product.db, 'menu.published', events);
      recorded += count;
    }

    async function recordSteadily(): Promise<number> {
      const begun = performance.now();
      for (let tick = 0; tick < (SECONDS * 1_000) / TICK_MS; tick += 1) {
        const due = begun + tick * TICK_MS;
        if (due > performance.now()) await delay(due - performance.now());
        await recordTick();
      }

      return performance.now() - begun;
    }

    await placeOrders(0);
    const alone = await placeOrders(1_000);
    const used = {
      api: cpuMs(api.child.pid!),
      order: cpuMs(order.child.pid!),
      sync: cpuMs(sync.child.pid!),
    };

    const postgres = cpuMs(database.pid);
    const begun = performance.now();
    const [beside, recordingMs] = await Promise.all([placeOrders(2_000), recordSteadily()]);
    while (received.ids.size < recorded && performance.now() - begun < GIVE_UP_MS) await delay(50);
    const deliveredSeconds = (received.last - begun) / 1_000;
    const pending = await countRows(product.db, 'webhook_delivery', { isPending: true });
    const cpu = {
      sync: (cpuMs(sync.child.pid!) - used.sync) / recorded,
      postgres: (cpuMs(database.pid) - postgres) / recorded,
    };

    return [
      {
        what: `${recorded} events for ${ENDPOINTS} endpoints, recorded at ${EVENTS} a second`,
        measured:
          `${received.ids.size} arrived (${received.ages.length - received.ids.size} twice), ` +
          `${(received.ids.size / deliveredSeconds).toFixed(0)} a second; age ${quantiles(received.ages)} ms; ` +
          `processor ms for an event: deliveries ${cpu.sync.toFixed(2)}, PostgreSQL ${cpu.postgres.toFixed(2)}`,
        yardstick: `recorded within ${(recordingMs / 1_000).toFixed(1)} s`,
        ratio: (deliveredSeconds * 1_000) / recordingMs,
        bar: 'all arrive, none waits; ≤ 1.25 × the time of recording',
        reached:
          received.ids.size === recorded &&
          pending === 0 &&
          deliveredSeconds * 1_000 <= 1.25 * recordingMs,
      },
      {
        what: `POST /orders at ${ORDERS_A_SECOND} a second beside the events`,
        measured: `${quantiles(beside)} ms`,
        yardstick: `without events ${quantiles(alone)} ms`,
        ratio: quantile(beside, 0.5) / quantile(alone, 0.5),
        bar: `p50 ≤ ${SLOWER} ×`,
        reached: quantile(beside, 0.5) <= SLOWER * quantile(alone, 0.5),
      },
    ];
  } finally {
    await product.stop();
    receiver.closeAllConnections();
    await closeServer(receiver);
  }
}
