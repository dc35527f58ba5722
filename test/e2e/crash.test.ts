import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AdminClient } from '../support/admin-client.ts';
import { compareMenu, type PublicMenu, type Truth } from '../support/compare-menu.ts';
import { eventually, type Started } from '../support/processes.ts';
import { rounds } from '../support/rounds.ts';
import { startDemoProduct, type Product, type RunningApi } from '../support/product.ts';

/** Where the worker kills itself: during the fetch, between fetch and apply, inside the transaction, after the commit. */
const FAILPOINTS = ['menu-fetch', 'menu-staged', 'menu-apply', 'menu-committed'] as const;

let product: Product;
let api: RunningApi;
let admin: AdminClient;
let worker: Started;
let organizationId: string;
let menuId: string;

beforeAll(async () => {
  const polling = { SYNC_ASYNC_POLL: '300ms', SYNC_ASYNC_LIMIT: '60s' };
  const env = { SYNC_HEARTBEAT: '2s', TEMPORAL_STICKY_TIMEOUT: '1s', ...polling };
  ({ product, api, worker, admin, menuId, organizationId } = await startDemoProduct({ env }));
}, 180_000);
afterAll(async () => product?.stop(), 60_000);

const readMenu = async () =>
  (await (await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)).json()) as PublicMenu;
const truth = () => product.emulator.control<Truth>(`truth?menuId=${menuId}&organizationId=${organizationId}`);

/** The prices of the whole menu as one text: a partial import would be a mixture of two of them. */
const pricesOf = (menu: PublicMenu) =>
  menu.products.flatMap((each) => each.variants.map((variant) => `${variant.id}=${variant.price}`)).join(' ');

describe.each(FAILPOINTS)('a worker killed at %s', (failpoint) => {
  test.each(Array.from({ length: rounds(1) }, (_, index) => index + 1))(
    'loses nothing and shows no partial menu, time %i',
    async (round) => {
      await worker.stop();
      const before = pricesOf(await readMenu());
      await product.emulator.control('reprice', { menuId, percent: 7 + round });
      const expected = await truth();
      const doomed = await product.startDoomedWorker({ CARTE_FAILPOINT: failpoint });
      const { runId } = await admin.post<{ runId: number }>('/sync/run', {
        job: 'MENU',
        scope: menuId,
        mode: 'INCREMENTAL',
      });

      expect({ ended: await doomed.exited, last: doomed.output().slice(-1500) }).toMatchObject({ ended: 'SIGKILL' });
      const seen = new Set<string>();
      const watch = setInterval(() => void readMenu().then((menu) => seen.add(pricesOf(menu))), 50);
      worker = await product.startWorker();
      const run = await eventually(
        'the run ends',
        async () => {
          const found = await admin.get<{ status: string; reason: string | null }>(`/sync/runs/${runId}`);
          return found.status === 'RUNNING' ? undefined : found;
        },
        60_000,
      );
      const after = await eventually(
        'the new prices are public',
        async () => {
          const menu = await readMenu();
          return compareMenu(menu, [expected], []).length === 0 ? menu : undefined;
        },
        60_000,
      );
      clearInterval(watch);

      expect(run).toMatchObject({ status: 'SUCCESS' });
      seen.delete(before);
      seen.delete(pricesOf(after));
      expect([...seen]).toEqual([]);
      expect(
        await product.db.query(
          `select id from outbox where delivered_at is null and created_at < now() - interval '20 seconds'`,
        ),
      ).toEqual([]);
    },
    180_000,
  );
});

test('a worker killed between two polls for an asynchronous menu: another one goes on polling', async () => {
  const { items } = await admin.get<{ items: { id: number; version: number }[] }>('/external-menus');
  const menu = items[0]!;
  await admin.patch(`/external-menus/${menu.id}`, { version: menu.version, isAsync: true });
  await product.emulator.control('reprice', { menuId, percent: 3 });
  await product.emulator.control('async-menu', { menuId, mode: 'success', polls: 8 });
  type Calls = { calls: { sequence: number; request: { asyncMode?: boolean } }[] };
  const callsOf = (endpoint: string, since = 0) =>
    product.emulator.control<Calls>(`calls?endpoint=${endpoint}&since=${since}`);
  const since = (await product.emulator.control<Calls>('calls')).calls.at(-1)!.sequence;
  const { runId } = await admin.post<{ runId: number }>('/sync/run', { job: 'MENU', scope: menuId, mode: 'FULL' });
  await eventually('two polls', async () =>
    (await callsOf('/api/1/commands/status', since)).calls.length >= 2 ? true : undefined,
  );

  worker.child.kill('SIGKILL');
  await worker.exited;
  const polledBefore = (await callsOf('/api/1/commands/status', since)).calls.length;
  worker = await product.startWorker();
  const run = await eventually(
    'the run ends',
    async () => {
      const found = await admin.get<{ status: string }>(`/sync/runs/${runId}`);
      return found.status === 'RUNNING' ? undefined : found;
    },
    60_000,
  );

  expect(run).toMatchObject({ status: 'SUCCESS', reason: null });
  expect(polledBefore).toBeLessThan(9);
  // The menu was prepared once and fetched once; the polling went on where it was.
  const menuCalls = (await callsOf('/api/menu/v3/by_id', since)).calls;
  expect(menuCalls.map((call) => call.request.asyncMode)).toEqual([true, false]);
  expect((await callsOf('/api/1/commands/status', since)).calls.length).toBeGreaterThanOrEqual(9);
}, 180_000);
