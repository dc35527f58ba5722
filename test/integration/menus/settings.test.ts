import type { ExternalMenuEdit } from '../../../modules/mirror/schemas/mirror.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { changeSetting } from '../../../modules/settings/change-setting.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { getSnapshotStatus } from '../../../modules/menus/snapshot/snapshot-status.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import type { MenuRows } from '../../support/menu-rows.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import { databaseNow, selectRow, updateRows } from '../../support/rows.ts';

/** A change marks the menu as outdated, and its rebuild shows the change. */
let database: Awaited<ReturnType<typeof snapshotTables>>['database'];
let rows: MenuRows;
let deps: SnapshotDeps;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;

beforeAll(async () => {
  ({ database, rows, deps } = await snapshotTables());
});
afterAll(async () => database.close());
beforeEach(async () => {
  ({ place, dish } = await oneDish({ database, rows }));
  await buildSnapshot(deps, place.organizationId);
});

async function rebuilt() {
  const { pendingReason } = await getSnapshotStatus(database.db, place.organizationId);
  const { outcome, revision } = await buildSnapshot(deps, place.organizationId);
  const row = await selectRow(database.db, 'snapshot', ['payload', 'availability'], {
    organizationId: place.organizationId,
  });
  const menu = JSON.parse(row.payload.toString('utf8')) as {
    products: { variants: { price: number; available: boolean }[] }[];
  };
  const { unavailableItemIds } = JSON.parse(row.availability.toString('utf8')) as {
    unavailableItemIds: string[];
  };
  const variants = menu.products.flatMap((product) =>
    product.variants.map(({ price, available }) => ({ price, available })),
  );
  return { pendingReason, outcome, revision, variants, unavailableItemIds };
}
const set = (key: string, version: number, value: unknown) =>
  changeSetting(deps, STAFF, key, { version, value });

describe('settings of stop-lists', () => {
  test('[SNP-11] stoplist_behaviour removes a stopped dish from the menu and restores it', async () => {
    await rows.stop(place.organizationId, dish.erpId);
    await patchAvailability(deps, place.organizationId);
    await set('stoplist_behaviour', 0, 'HIDE');
    const hidden = await rebuilt();
    await set('stoplist_behaviour', 1, 'SHOW');
    const shown = await rebuilt();

    const reason = {
      pendingReason: 'setting-change',
      outcome: 'PUBLISHED',
      unavailableItemIds: [dish.erpId],
    };
    expect(hidden).toEqual({ ...reason, revision: 2, variants: [] });
    expect(shown).toEqual({ ...reason, revision: 3, variants: [{ price: 250, available: false }] });
  });

  test('[SNP-11] stoplist_terminals changes the effect of one stopped terminal group, with the same revision', async () => {
    const [first, second] = [
      '00000000-0000-4000-8000-00000000000a',
      '00000000-0000-4000-8000-00000000000b',
    ];
    for (const erpId of [first, second])
      await rows.insert('mirror_terminal_group', {
        organization_id: place.organizationId,
        erp_id: erpId,
        name: 'till',
        synchronized_at: new Date(),
      });
    await rows.stop(place.organizationId, dish.erpId, { terminal_group_erp_id: first });
    await patchAvailability(deps, place.organizationId);
    await set('stoplist_terminals', 0, 'ALL');

    expect(await rebuilt()).toMatchObject({
      outcome: 'PATCHED',
      revision: 1,
      variants: [{ available: true }],
      unavailableItemIds: [],
    });
  });
});

describe('settings of the external menu that sells a dish', () => {
  let version: number;
  const change = async (fields: Omit<ExternalMenuEdit, 'version'>) => {
    await updateExternalMenu(deps, STAFF, place.menuId, { version, ...fields });
    version += 1;
  };
  beforeEach(async () => {
    version = 1;
  });
  const SOLD = {
    pendingReason: 'external-menu-update',
    variants: [{ price: 250, available: true }],
  };
  const NOTHING = { pendingReason: 'external-menu-update', variants: [] };

  test('remove the dish while the menu is disabled, and restore it afterwards', async () => {
    await change({ isEnabled: false });
    expect(await rebuilt()).toMatchObject(NOTHING);
    await change({ isEnabled: true });
    expect(await rebuilt()).toMatchObject(SOLD);
  });

  test('remove the dishes of a restaurant that is removed from the menu', async () => {
    const other = await rows.organization(place.connectionId);
    await change({ organizationIds: [other.id] });

    expect(await rebuilt()).toMatchObject(NOTHING);
  });

  test('[SNP-5] decide by priority between two menus that price the dish', async () => {
    const second = await rows.externalMenu(place.connectionId, { priority: 200 });
    await rows.offer(second, dish, { [place.organizationId]: 20_000 });
    await change({ priority: 300 });

    expect(await rebuilt()).toMatchObject({ ...SOLD, variants: [{ price: 200, available: true }] });
  });

  test('[SNP-4] keep the last prices, unavailable, when the ERP no longer lists them', async () => {
    await updateRows(
      database.db,
      'mirror_price',
      { lostAt: databaseNow() },
      { externalMenuId: place.menuId },
    );

    expect((await rebuilt()).variants).toEqual([{ price: 250, available: false }]);
  });
});
