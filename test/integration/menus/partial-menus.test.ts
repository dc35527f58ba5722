import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { serializePrices, watchPrices } from '../../support/chaos/price-watch.ts';
import { startWatch } from '../../support/chaos/watch.ts';
import type { PublicMenu } from '../../support/compare-menu.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { watched } from '../../support/model/run-sequence.ts';
import { eventually } from '../../support/processes.ts';
import { longTest } from '../../support/repetitions.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { updateRows } from '../../support/rows.ts';

/** Negative controls of the checks that guests never see a partial import (OPS-2). */

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let storefront: Storefront;
let place: { organizationId: number; organizationErpId: string };
let sizes: number[];
beforeAll(async () => {
  database = await migratedDatabase();
  const rows = menuRows(database.db);
  const { organizationId, organizationErpId, menuId, categoryId } = await rows.restaurant();
  place = { organizationId, organizationErpId };
  const dish = () => rows.dish({ menuId, categoryId, prices: { [organizationId]: 10_000 } });
  sizes = [(await dish()).sizeId, (await dish()).sizeId];
  storefront = await startStorefront(database, { pollMs: 20 });
});
afterAll(async () => {
  await storefront.stop();
  await database.close();
});
beforeEach(() => reprice(sizes, 10_000));

const readMenu = async () =>
  (await (
    await fetch(`${storefront.url}/api/v1/menu?organization_id=${place.organizationErpId}`)
  ).json()) as PublicMenu;

/** Returns the public menu after the change. */
async function reprice(of: readonly number[], kopecks: number): Promise<PublicMenu> {
  await updateRows(database.db, 'mirror_price', { priceKopecks: kopecks }, { itemSizeId: of });
  const deps = {
    db: database.db,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  };
  const { revision } = await buildSnapshot(deps, place.organizationId);
  return eventually('it is public', async () => {
    const menu = await readMenu();
    return menu.revision === revision ? menu : undefined;
  });
}

const whole = () => reprice(sizes, 20_000);

/**
 * Changes the second half of the prices after two reads: the reader has then seen the first half.
 */
async function inHalves(looks: () => number): Promise<PublicMenu> {
  const half = await reprice(sizes.slice(0, 1), 20_000);
  const before = looks();
  await eventually('it was looked at', async () => (looks() >= before + 2 ? true : undefined));
  await whole();
  return half;
}

describe('an import published in two halves', () => {
  longTest('[OPS-2] fails the check of the crash tests', async () => {
    const watchWhile = async (work: (looks: () => number) => Promise<unknown>) => {
      const watch = startWatch({
        apiUrl: storefront.url,
        organizationIds: [place.organizationErpId],
        leavers: [],
        db: database.db,
        isComplete: () => true,
      });
      const looks = () => watch.seen.menus;
      await work(looks);
      const before = looks();
      await eventually('it was looked at', async () => (looks() >= before + 2 ? true : undefined));
      await watch.stop();
      return watch.problems;
    };

    expect(await watchWhile(whole)).toEqual([]);
    await reprice(sizes, 10_000);
    expect((await watchWhile(inHalves))[0]).toContain('a mixture of prices');
  });

  longTest(
    '[OPS-2] fails the check of the tests of workers that crash during an import',
    async () => {
      let looks = 0;
      const counted = async () => {
        const menu = await readMenu();
        looks += 1;
        return menu;
      };
      const before = await readMenu();
      const mixtures = watchPrices(counted);
      const half = await inHalves(() => looks);
      expect(await mixtures(before, await readMenu())).toEqual([serializePrices(half)]);

      const after = await readMenu();
      const none = watchPrices(counted);
      await reprice(sizes, 10_000);
      expect(await none(before, after)).toEqual([]);
    },
  );

  test('[OPS-2] never appears in builds during random sequences of imports', async () => {
    let looks = 0;
    const count = () => void (looks += 1);
    await watched(database, whole, count);
    await reprice(sizes, 10_000);
    await expect(watched(database, () => inHalves(() => looks), count)).rejects.toThrow('toEqual');
  });
});
