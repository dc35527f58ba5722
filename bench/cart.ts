import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cart } from '../contracts/ordering.ts';
import { menuRows } from '../test/support/menu-rows.ts';
import { prepareProduct } from '../test/support/product.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMs } from './support/cpu.ts';
import { record, startBare } from './support/in-turns.ts';
import { median, report, type Row } from './support/report.ts';

// `npm run bench:cart`: carts of a real API process at 50 requests a second, whether or not the last one has been answered, beside bare
// node:http answering the same bytes in the same way. Every cart has ten lines with modifiers, in a restaurant of 300 dishes.
// The processor time is that of the API alone.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const RATE = 50;
const [DISHES, LINES] = [300, 10];

const folder = await temporaryFolder('bench-cart');
const product = await prepareProduct({ env: { LOG_LEVEL: 'warn' } });
let stopBare: (() => Promise<unknown>) | undefined;
try {
  const rows = menuRows(product.db);
  const place = await rows.restaurant();
  const price = (kopecks: number) => ({ [place.organizationId]: kopecks });
  const sauces = [];
  for (let at = 0; at < 5; at += 1) sauces.push(await rows.modifier(place.menuId, price(3_000 + at)));
  const variantIds: number[] = [];
  for (let at = 0; at < DISHES; at += 1) {
    const dish = await rows.dish({ ...place, prices: price(20_000 + at) });
    const groupId = await rows.group(place.menuId, dish.sizeId, { free_quantity: 1 });
    for (const sauce of sauces)
      await rows.link(groupId, sauce.itemId, { default_quantity: sauce === sauces[0] ? 1 : 0 });
    variantIds.push(dish.variantId);
  }
  for (const code of ['a', 'b', 'c'])
    await rows.insert('discount', { code, name: code, kind: 'PERCENT', value: 5, is_combinable: true });
  await product.db.query('analyze');
  const api = await product.startApi();

  const body = (at: number, cart?: Cart) =>
    JSON.stringify({
      organizationId: place.organizationErpId,
      ...(cart === undefined ? {} : { cartId: cart.cartId, version: cart.version }),
      lines: Array.from({ length: LINES }, (_, line) => ({
        variantId: variantIds[(at * LINES + line) % DISHES],
        quantity: 1 + (line % 3),
        modifiers: [],
      })),
    });
  const post = (url: string, text: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  const made = (await (await post(`${api.url}/api/v1/cart`, body(0))).json()) as Cart;
  const path = `/api/v1/cart?cart_id=${made.cartId}`;
  const bare = await startBare(folder, { [path]: await record(api.url + path, {}, join(folder, 'cart')) });
  stopBare = () => bare.stop();
  await delay(1_000);

  /** Milliseconds of each answer when requests begin at a steady rate, and milliseconds of processor time for one. */
  async function atRate(send: (at: number) => Promise<Response>): Promise<{ list: number[]; cpu: number }> {
    const cpu = cpuMs(api.child.pid!);
    const answers: Promise<number>[] = [];
    const begun = performance.now();
    for (let at = 0; at < SECONDS * RATE; at += 1) {
      const due = begun + (at * 1_000) / RATE;
      if (due > performance.now()) await delay(due - performance.now());
      answers.push(
        (async () => {
          const response = await send(at);
          await response.arrayBuffer();
          if (!response.ok) throw new Error(`The server answered ${response.status}`);
          return performance.now() - due;
        })(),
      );
    }
    const list = await Promise.all(answers);
    return { list, cpu: (cpuMs(api.child.pid!) - cpu) / list.length };
  }
  const carts: Cart[] = [];
  for (let at = 0; at < SECONDS * RATE; at += 1)
    carts.push((await (await post(`${api.url}/api/v1/cart`, body(at))).json()) as Cart);

  const p95 = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.ceil(list.length * 0.95) - 1]!;
  const fulfillment = { type: 'PICKUP', organizationId: place.organizationErpId, slotId: 'asap' };
  const question = (at: number) => JSON.stringify({ cartId: carts[at]!.cartId, fulfillment, paymentMethod: 'CASH' });
  const { list: plain } = await atRate(() => post(bare.url + path, body(0)));
  const measured = [
    ['POST /cart, a new one', 25, await atRate((at) => post(`${api.url}/api/v1/cart`, body(at)))],
    ['POST /cart, a change', 25, await atRate((at) => post(`${api.url}/api/v1/cart`, body(at + 1, carts[at])))],
    ['GET /cart', 25, await atRate((at) => fetch(`${api.url}/api/v1/cart?cart_id=${carts[at]!.cartId}`))],
    ['preflight', 40, await atRate((at) => post(`${api.url}/api/v1/checkout/preflight`, question(at)))],
  ] as const;
  const table = measured.map(([what, limitMs, { list, cpu }]): Row => ({
    what,
    measured: `p95 ${p95(list).toFixed(1)} ms, median ${median(list).toFixed(1)} ms, processor ${cpu.toFixed(1)} ms`,
    yardstick: `bare p95 ${p95(plain).toFixed(1)} ms, median ${median(plain).toFixed(1)} ms`,
    ratio: median(list) / median(plain),
    bar: `p95 ≤ ${limitMs} ms at ${RATE}/s`,
    reached: p95(list) <= limitMs,
  }));
  await report('cart', table, { rate: RATE, seconds: SECONDS, lines: LINES, dishes: DISHES });
} finally {
  await stopBare?.();
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
