import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedDemo } from '../../tools/demo/seed.ts';
import type { AdminClient } from '../support/admin-client.ts';
import { compareMenu, type PublicMenu, type Truth } from '../support/compare-menu.ts';
import { eventually, type Started } from '../support/processes.ts';
import { rounds } from '../support/rounds.ts';
import { prepareProduct, type Product, type RunningApi } from '../support/product.ts';

/** Where the worker kills itself: during the fetch, between fetch and apply, inside the transaction, after the commit. */
const FAILPOINTS = ['menu-fetch', 'menu-staged', 'menu-apply', 'menu-committed'] as const;

let product: Product;
let api: RunningApi;
let admin: AdminClient;
let worker: Started;
let organizationId: string;
let menuId: string;

beforeAll(async () => {
  product = await prepareProduct({ size: 'small', env: { SYNC_HEARTBEAT: '2s', TEMPORAL_STICKY_TIMEOUT: '1s' } });
  worker = await product.startWorker();
  api = await product.startApi();
  const { email, password } = product.administrator;
  await seedDemo({ baseUrl: api.url, email, password, apiLogin: product.emulator.apiLogin, log: () => undefined });
  await product.settled();
  admin = await product.signIn(api);
  const state = await product.emulator.control<{ menus: { id: string; organizationIds: string[] }[] }>('state');
  menuId = state.menus[0]!.id;
  organizationId = state.menus[0]!.organizationIds[0]!;
}, 180_000);
afterAll(async () => product?.stop(), 60_000);

const readMenu = async () =>
  (await (await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)).json()) as PublicMenu;
const truth = () => product.emulator.control<Truth>(`truth?menuId=${menuId}&organizationId=${organizationId}`);

/** The prices of the whole menu as one text: a partial import would be a mixture of two of them. */
const pricesOf = (menu: PublicMenu) =>
  menu.products.flatMap((each) => each.variants.map((variant) => `${variant.id}=${variant.price}`)).join(' ');

describe.each(FAILPOINTS)('a worker killed at %s', (failpoint) => {
  test.each(Array.from({ length: rounds(3) }, (_, index) => index + 1))(
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
