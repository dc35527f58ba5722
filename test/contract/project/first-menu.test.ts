import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { patientFetch as patientFetchOfDemo } from '../../../packages/demo/seed/admin-api.ts';
import { firstMenu, patientFetch, pausesOfReads } from '../../../tools/start/announce.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

type Answer = { status: number; headers?: Record<string, string>; body?: unknown };

/** Starts a fake API. `menu` gets the times of all menu reads so far, in ms. */
async function storefront(
  menu: (reads: number[]) => Answer,
  menusBehind: number[] = [],
): Promise<{ url: string; reads: number[] }> {
  const reads: number[] = [];
  const begun = performance.now();
  server = createServer((request, response) => {
    if (request.url === '/metrics')
      return void response.end(`carte_snapshot_dirty ${menusBehind.shift() ?? 0}\n`);
    const isMenu = request.url?.startsWith('/api/v1/menu?') === true;
    if (isMenu) reads.push(performance.now() - begun);
    const answer: Answer = isMenu ? menu(reads) : { status: 200, body: { items: [{ id: 'one' }] } };
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reads };
}

const MENU: Answer = { status: 200, body: { products: [{}] } };
const EMPTY: Answer = { status: 200, body: { products: [] } };
const LATER: Answer = { status: 404 };

test('the wait for the first menu makes far fewer than 60 requests a minute', () => {
  const reads: number[] = [];
  for (const pause of pausesOfReads()) {
    reads.push((reads.at(-1) ?? 0) + pause);
    if (reads.at(-1)! > 60_000) break;
  }
  const within = (ms: number) => reads.filter((at) => at <= ms).length;

  // Five reads per second, as before, used up the budget of a minute in 12 s.
  expect(within(60_000)).toBeLessThan(40);
  expect([within(1_000) > 1, within(8_000) > 4]).toEqual([true, true]);
});

test('the wait for the first menu ends with a menu that has products', async () => {
  const { url, reads } = await storefront((soFar) => [LATER, EMPTY, MENU][soFar.length - 1]!);

  await firstMenu(url, url);

  expect(reads).toHaveLength(3);
});

test('the wait for the first menu continues while a menu waits to be built', async () => {
  const behind = [3, 1];
  const { url, reads } = await storefront(() => MENU, behind);

  await firstMenu(url, url);

  expect([behind, reads.length]).toEqual([[], 1]);
});

test('the wait for the first menu obeys Retry-After', async () => {
  const { url, reads } = await storefront((soFar) =>
    soFar.length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : MENU,
  );

  await firstMenu(url, url);

  expect(reads).toHaveLength(2);
  expect(reads[1]! - reads[0]!).toBeGreaterThan(990);
});

test.each([
  ['a refusal without Retry-After', { status: 429 }],
  ['a wait of more than 90 seconds', { status: 503, headers: { 'retry-after': '91' } }],
  ['another refusal with Retry-After', { status: 409, headers: { 'retry-after': '1' } }],
])('the wait for the first menu returns %s immediately', async (_, answer) => {
  const { url, reads } = await storefront(() => answer);

  const responses = [
    await patientFetch(`${url}/api/v1/menu?`),
    await patientFetchOfDemo(`${url}/api/v1/menu?`),
  ];

  expect(responses.map(({ status }) => status)).toEqual([answer.status, answer.status]);
  expect(reads).toHaveLength(2);
});
