import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importMenuList } from '../../../modules/mirror/import-menu-list.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { explainProduct } from '../../../modules/menus/snapshot/explain-product.ts';
import { createLog } from '../../../platform/log.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { selectRow, updateRows } from '../../support/rows.ts';

/** A dish costs 200, and 100 in a menu with a better priority for the first restaurant only. */
let fixture: TestFixture;
let organizationId: number;
let productId: number;
const [FIRST, SECOND] = [200, 100];

beforeAll(async () => {
  fixture = await mirrorFixture();
  const rows = menuRows(fixture.db);
  const menuId = await importBasics(fixture);
  await fixture.emulator.control('put-menu', { menuId: '9900' });
  await listNow();
  const organization = await selectRow(
    fixture.db,
    'mirror_organization',
    ['id'],
    {},
    { orderBy: 'id' },
  );
  organizationId = organization.id;
  const dish = await rows.dish({
    menuId,
    categoryId: await rows.category(),
    prices: { [organizationId]: FIRST },
  });
  productId = dish.productId;
  const second = await selectRow(fixture.db, 'mirror_external_menu', ['id'], { erpId: '9900' });
  await rows.offer(second.id, dish, { [organizationId]: SECOND });
  await updateRows(
    fixture.db,
    'external_menu_setting',
    { priority: 1, organizationIds: [organizationId] },
    { externalMenuId: second.id },
  );
});
afterAll(() => fixture.close());

const build = () =>
  buildSnapshot(
    {
      db: fixture.db,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: fixture.metrics,
    },
    organizationId,
  );
async function listNow(): Promise<void> {
  const run = { runId: await fixture.open('MENU_LIST'), connectionId: fixture.connectionId };
  await importMenuList(fixture.deps, run);
  await closeRun(fixture.deps, { runId: run.runId, status: 'SUCCESS', reason: null });
}
const list = async (on: boolean) => {
  await fixture.emulator.control('list-menu', { menuId: '9900', on });
  await listNow();
};

async function seen() {
  const { snapshot, variants } = await explainProduct(fixture.db, productId, organizationId);
  const [variant] = variants;
  return { price: variant!.price, served: variant!.served, isBehind: snapshot.isBehind };
}
const upToDate = (price: number) => ({
  price,
  served: { available: true, price },
  isBehind: false,
});
const outdated = (price: number, served: number) => ({
  price,
  served: { available: true, price: served },
  isBehind: true,
});

test('[MIR-18] a menu keeps its prices if one list lacks it, two lists withdraw it, and one restores it', async () => {
  await build();
  const before = await seen();
  await list(false);
  const missedOnce = await seen();
  await build();
  const rebuilt = await seen();
  await list(true);
  const listedAgain = await seen();

  expect([before, missedOnce, rebuilt, listedAgain]).toEqual(
    Array.from({ length: 4 }, () => upToDate(SECOND)),
  );

  await list(false);
  await list(false);
  const withdrawn = await seen();
  await build();
  const rebuiltWithout = await seen();
  await list(true);
  const returned = await seen();
  await build();

  expect([withdrawn, rebuiltWithout, returned, await seen()]).toEqual([
    outdated(FIRST, SECOND),
    upToDate(FIRST),
    outdated(SECOND, FIRST),
    upToDate(SECOND),
  ]);
});

/** Contains every sequence of four (or three) lists; 1 has the menu, 0 does not. */
const LISTS = Array.from(wholeInSoak('0000100110101111000', '0001011100'), (text) => text === '1');

test.each(wholeInSoak([0, 1], [0]))(
  '[SNP-17] the served menu equals its explanation, or is outdated, with any lists, %i',
  async (parity) => {
    const wrong: unknown[] = [];
    for (const [at, on] of LISTS.entries()) {
      await list(on);
      const { price, served, isBehind } = await seen();
      if (!isBehind && served?.price !== price) wrong.push({ at, on, price, served });
      if (at % 2 === parity) await build();
    }

    expect(wrong).toEqual([]);
  },
);
