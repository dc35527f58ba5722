import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { archiveCategory } from '../../../modules/catalog/categories/archive-category.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { switchConnection } from '../../../modules/connections/switch-connection.ts';
import type { Database } from '../../support/text-database.ts';
import { updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { markFullDue } from '../../../modules/mirror/menu/full-due.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import { changeSetting } from '../../../modules/settings/change-setting.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { pinRevision, unpinRevision } from '../../../modules/menus/snapshot/pin-revision.ts';
import { receiveWebhook } from '../../../modules/erp-webhooks/receive-webhook.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { bulk } from '../../support/bulk.ts';
import { buildMedia, STAFF } from '../../support/catalog-fixtures.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { mirrorTables, outsiderDatabase } from '../../support/mirror-guard.ts';
import { countRows, deleteRows, selectRow } from '../../support/rows.ts';

let fixture: TestFixture;
let db: Database;
let menuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId);
  db = await outsiderDatabase(fixture.db, fixture.url);
});
afterAll(async () => {
  await db.close();
  await fixture.close();
});

test('every table of the mirror is protected from writes outside of imports', async () => {
  const tables = await mirrorTables(fixture.db);
  expect(tables.length).toBeGreaterThan(14);
  for (const table of tables.filter((name) => name !== 'mirror_stop_list_state')) {
    await expect(db.query(`insert into ${table} default values`)).rejects.toThrow(
      'written by nothing but imports',
    );
    await expect(db.query(`truncate ${table} cascade`)).rejects.toThrow('permission denied');
  }
  await expect(db.query(`update mirror_item set name = name || '!'`)).rejects.toThrow(
    'written by nothing but imports',
  );
  await expect(deleteRows(db, 'mirror_price')).rejects.toThrow('written by nothing but imports');
});

test('[MIR-20] catalog, binding, snapshots, settings, webhooks and retention write no table of the mirror', async () => {
  const deps = {
    db,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  };
  const organization = await selectRow(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id', limit: 1 },
  );
  const { sizeId } = await fixture.db.db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .where('item.role', '=', 'DISH')
    .select((row) => row.fn.min('size.id').as('sizeId'))
    .executeTakeFirstOrThrow();
  const staff = [{ db }, STAFF] as const;

  const category = await createCategory(...staff, { name: 'Soups', parentId: null }, null);
  const variants = [{ erpItemSizeId: sizeId, variantOptionCode: null, isDefault: true }];
  const request = {
    name: 'Soup',
    variantAxisCode: null,
    mainImageId: null,
    categoryIds: [category.id],
    variants,
  };
  const product = await createProductOfItems(...staff, request, null);
  await editProduct(...staff, product.id, {
    version: 1,
    mainImageId: await buildMedia(fixture.db),
    name: 'Good soup',
  });
  await moveProduct(...staff, product.id, 'publish');
  const built = await buildSnapshot(deps, organization.id);
  await patchAvailability(deps, organization.id);
  const pin = {
    revision: built.revision ?? 0,
    reason: 'a mistake',
    until: new Date(Date.now() + 60_000),
  };
  await pinRevision(deps, STAFF, organization.id, pin);
  await unpinRevision(deps, STAFF, organization.id, { reason: 'mended' });
  await bulk(db, { productIds: [product.id], action: 'ARCHIVE' });
  await archiveCategory(...staff, category.id, true);
  await changeSetting(...staff, 'sync.shrink_threshold_percent', { version: 0, value: 40 });
  await updateExternalMenu(...staff, menuId, { version: 1, priority: 7 });
  await markFullDue(db, [menuId]);
  const event = {
    eventType: 'StopListUpdate',
    organizationId: organization.erpId,
    correlationId: 'one',
    eventInfo: {},
  };
  await receiveWebhook(deps, [event], { connectionId: null });
  await deleteOutdated(db);
  await switchConnection(...staff, 'disable', { id: fixture.connectionId });

  expect(built.outcome).toBe('PUBLISHED');
  expect(await countRows(fixture.db, 'catalog_product')).toBe(1);
});
