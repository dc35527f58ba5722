import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { collectedHeap } from '../../support/collected-heap.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let storefront: Storefront;
let rows: ReturnType<typeof menuRows>;
beforeAll(async () => {
  database = await migratedDatabase();
  storefront = await startStorefront(database);
  rows = menuRows(database.db);
});
afterAll(async () => {
  await storefront?.stop();
  await database?.close();
});

const PUBLICATIONS = 20;

test('a menu is released when it is no longer served, although each of its URLs was requested', async () => {
  const place = await rows.restaurant();
  const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
  const served: WeakRef<object>[] = [];

  for (let revision = 1; revision <= PUBLICATIONS; revision += 1) {
    await updateRows(
      database.db,
      'mirror_price',
      { priceKopecks: 10_000 + revision },
      { itemSizeId: dish.sizeId },
    );
    await buildSnapshot(storefront.deps, place.organizationId);
    await eventually('the publication is served', async () => {
      const url = `${storefront.url}/api/v1/menu?organization_id=${place.organizationErpId}&revision=${revision}`;
      const answer = (await (await fetch(url)).json()) as { revision: number };
      return answer.revision === revision ? true : undefined;
    });
    served.push(new WeakRef(storefront.store.find(place.organizationErpId)!.documents!.menu));
  }
  await collectedHeap();

  const alive = served.filter((ref) => ref.deref() !== undefined).length;
  expect(alive).toBeLessThanOrEqual(2);
  expect(served.at(-1)?.deref()).toBeDefined();
});

const URLS = 1_500;
/** The more, the clearer a cache of them differs from other objects of the process. */
const CHARACTERS = 8_000;

test('[HTTP-22] URLs longer than those of storefronts are not cached', async () => {
  const place = await rows.restaurant();
  await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
  await buildSnapshot(storefront.deps, place.organizationId);
  const path = `/api/v1/menu/revision?organization_id=${place.organizationErpId}&x=`;
  const heapAfter = async (urls: number) => {
    for (let at = 0; at < urls; at += 50)
      await Promise.all(
        Array.from({ length: 50 }, async (_, of) => {
          const url = `${path}${urls}-${at + of}-`.padEnd(CHARACTERS, 'x');
          expect((await fetch(storefront.url + url, { method: 'HEAD' })).status).toBe(200);
        }),
      );
    return collectedHeap();
  };

  const before = await heapAfter(1_000);
  const after = await heapAfter(URLS);

  // If the URLs were cached, each would take at least its characters.
  expect(after - before).toBeLessThan((URLS * CHARACTERS) / 2);
});
