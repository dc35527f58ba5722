import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { archiveCategory } from '../../../../modules/catalog/categories/archive-category.ts';
import { createCategory } from '../../../../modules/catalog/categories/create-category.ts';
import { orderCategoryProducts } from '../../../../modules/catalog/categories/order-category-products.ts';
import { treeVersion } from '../../../../modules/catalog/categories/category-views.ts';
import { restoreCategory } from '../../../../modules/catalog/categories/restore-category.ts';
import { saveCategoryTree } from '../../../../modules/catalog/categories/save-category-tree.ts';
import { updateCategory } from '../../../../modules/catalog/categories/update-category.ts';
import { announceToGuests } from '../../../../modules/catalog/commit-edit.ts';
import { createBadge, deleteBadge } from '../../../../modules/catalog/badges.ts';
import { editProduct } from '../../../../modules/catalog/products/edit-product.ts';
import { editVariantAxis } from '../../../../modules/catalog/variants/edit-variant-axis.ts';
import { editModifierGroup } from '../../../../modules/catalog/modifiers/modifier-groups.ts';
import { createReward } from '../../../../modules/gifts/rewards/rewards.ts';
import { editModifier } from '../../../../modules/catalog/modifiers/modifiers.ts';
import { moveProduct } from '../../../../modules/catalog/products/move-product.ts';
import {
  DIRTY_SOURCES,
  type DirtySource,
} from '../../../../modules/menus/rebuilds/dirty-sources.ts';
import { EVENT_LISTENERS, type ListenerDeps } from '../../../../modules/event-listeners.ts';
import { markDirty } from '../../../../modules/menus/rebuilds/mark-dirty.ts';
import { recordMediaBase } from '../../../../modules/media/media-base.ts';
import { updateMedia } from '../../../../modules/media/update-media.ts';
import { updateExternalMenu } from '../../../../modules/mirror/external-menus.ts';
import { importOrganizations } from '../../../../modules/mirror/import-organizations.ts';
import { replaceServiceRoles } from '../../../../modules/ordering/promotions/service-roles.ts';
import { changeSetting } from '../../../../modules/settings/change-setting.ts';
import { buildSnapshot } from '../../../../modules/menus/snapshot/build-snapshot.ts';
import { markOlderBuilds } from '../../../../modules/menus/snapshot/mark-older-builds.ts';
import { patchAvailability } from '../../../../modules/menus/snapshot/patch-availability.ts';
import { pinRevision } from '../../../../modules/menus/snapshot/pin-revision.ts';
import { QUEUES } from '../../../../kernel/pure/queues.ts';
import { createLog } from '../../../../platform/log.ts';
import { createMetrics } from '../../../../platform/metrics.ts';
import { giveBadges } from '../../../support/bulk.ts';
import { STAFF } from '../../../support/catalog-fixtures.ts';
import { menuRows, type MenuRows } from '../../../support/menu-rows.ts';
import { pictureFixture, type Pictures } from '../../../support/pictures.ts';
import {
  importBasics,
  importMenu,
  mirrorFixture,
  type TestFixture,
} from '../../../support/mirror.ts';
import {
  above,
  addRow,
  column,
  countRows,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../../../support/rows.ts';
import type { CarteEvents } from '../../../../kernel/pure/events.ts';

/** Two restaurants share the menu. A third belongs to another connection, and a fourth has left. */
let fixture: TestFixture;
let rows: MenuRows;
let menuId: number;
let pictures: Pictures;
let first: { id: number; erpId: string };
let expected: Record<(typeof DIRTY_SOURCES)[DirtySource], number[]>;

beforeAll(async () => {
  fixture = await mirrorFixture();
  rows = menuRows(fixture.db);
  pictures = await pictureFixture(fixture.db);
  menuId = await importBasics(fixture);
  const ofMenu = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id' },
  );
  first = ofMenu[0]!;
  const foreign = await rows.organization(await rows.connection());
  await rows.organization(fixture.connectionId, { inactive_at: new Date() });
  const ids = ofMenu.map((entry) => entry.id);
  expected = {
    ITSELF: [first.id],
    OF_MENU: ids,
    OF_PRODUCTS: [first.id],
    ALL: [...ids, foreign.id],
  };
});
afterAll(async () => {
  await pictures.close();
  await fixture.close();
});

async function organizationsNow(): Promise<unknown> {
  const runId = await fixture.open('ORGANIZATIONS');
  return importOrganizations(fixture.deps, { runId, connectionId: fixture.connectionId });
}

async function productIn(status: 'DRAFT' | 'PUBLISHED') {
  const prices = { [first.id]: 10_000 };
  const dish = await rows.dish({ menuId, categoryId: await rows.category(), prices });
  await updateRows(fixture.db, 'catalog_product', { status }, { id: dish.productId });
  return dish;
}

const move =
  (status: 'DRAFT' | 'PUBLISHED', to: 'publish' | 'unpublish' | 'archive') => async () => {
    const { productId } = await productIn(status);
    return () => moveProduct({ db: fixture.db }, STAFF, productId, to);
  };

/** Prepares each source and returns the change. */
const CHANGES: { [S in DirtySource]: () => Promise<() => Promise<unknown>> } = {
  'menu-import': async () => () => importMenu(fixture, menuId, 'FULL'),
  'external-menu-update': async () => {
    const category = await selectRow(
      fixture.db,
      'mirror_price_category',
      ['erpId as id'],
      {},
      { limit: 1 },
    );
    return () =>
      updateExternalMenu(fixture, STAFF, menuId, { version: 1, priceCategoryId: category.id });
  },
  'organizations-import': async () => {
    await fixture.emulator.control('remove-organization', { organizationId: first.erpId });
    await organizationsNow();
    await fixture.emulator.control('restore-organization', { organizationId: first.erpId });
    return organizationsNow;
  },
  'stop-list': async () => {
    const deps = {
      db: fixture.db,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    };
    const dish = await productIn('PUBLISHED');
    await rows.setting('stoplist_behaviour', 'HIDE');
    await buildSnapshot(deps, first.id);
    await rows.stop(first.id, dish.erpId);
    return () => patchAvailability(deps, first.id);
  },
  // Tests only which menus are flagged. Decisions have separate tests.
  'binding-evaluation': async () => () => markDirty(fixture.db, 'binding-evaluation', [first.id]),
  'setting-change': async () => () =>
    changeSetting(fixture, STAFF, 'stoplist_terminals', { version: 0, value: 'ALL' }),
  'service-roles': async () => {
    const { erpId } = await rows.item();
    const items = [{ role: 'DELIVERY_FEE', erpItemId: erpId }];
    return () => replaceServiceRoles(fixture, STAFF, { items }, { page: 1, size: 20 });
  },
  reward: async () => {
    const { erpId: erpItemId } = await rows.item();
    return () =>
      createReward({ db: fixture.db }, STAFF, { code: 'tart', name: 'Тарт', erpItemId }, null);
  },
  'media-update': async () => {
    const { id } = await pictures.upload();
    await rows.category({ image_id: id });
    return () => updateMedia(pictures.deps, STAFF, id, { version: 1, focalPoint: { x: 0, y: 0 } });
  },
  'media-base': async () => () => recordMediaBase(fixture, 'https://cdn.example'),
  'older-builder': async () => {
    const deps = {
      db: fixture.db,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    };
    await buildSnapshot(deps, first.id);
    await updateRows(
      fixture.db,
      'snapshot_revision',
      { referenceVersion: null },
      { organizationId: first.id },
    );
    return () => markOlderBuilds(fixture);
  },
  'snapshot-pin': async () => {
    const deps = {
      db: fixture.db,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    };
    const { revision } = await buildSnapshot(deps, first.id);
    const until = new Date(Date.now() + 3_600_000);
    return () =>
      pinRevision(fixture, STAFF, first.id, { revision: revision ?? 0, reason: 'Сбой', until });
  },
  'modifier-group-update': async () => {
    await rows.group(menuId, await rows.size((await rows.item()).id), { group_key: 'sauces' });
    return () => editModifierGroup(fixture, STAFF, 'sauces', { version: 0, displayName: 'Соусы' });
  },
  'modifier-update': async () => {
    const { erpId } = await rows.item({ role: 'MODIFIER' });
    return () => editModifier(fixture, STAFF, erpId, { version: 0, displayName: 'Сметана' });
  },
  'variant-axis-update': async () => {
    const { productId } = await productIn('PUBLISHED');
    const axisId = await rows.insert('catalog_variant_axis', { code: 'SIZE', name: 'Размер' });
    await updateRows(fixture.db, 'catalog_product', { variantAxisId: axisId }, { id: productId });
    return () => editVariantAxis(fixture, STAFF, axisId, { version: 1, name: 'Объём' });
  },
  'badge-update': async () => {
    const { productId } = await productIn('PUBLISHED');
    const badge = await createBadge(fixture, STAFF, { code: 'NEW', name: 'Новинка' }, null);
    await giveBadges(fixture.db, productId, [badge.id]);
    return () => deleteBadge(fixture, STAFF, badge.id);
  },
  'category-create': async () => () =>
    createCategory({ db: fixture.db }, STAFF, { name: 'Супы', parentId: null }, null),
  'category-update': async () => {
    const id = await rows.category();
    return () => updateCategory({ db: fixture.db }, STAFF, id, { version: 1, name: 'Горячее' });
  },
  'category-archive': async () => {
    const id = await rows.category();
    return () => archiveCategory({ db: fixture.db }, STAFF, id);
  },
  'category-restore': async () => {
    const id = await rows.category();
    await archiveCategory({ db: fixture.db }, STAFF, id);
    return () => restoreCategory({ db: fixture.db }, STAFF, id);
  },
  'category-tree': async () => {
    const id = await rows.category();
    const version = await treeVersion(fixture.db);
    return () =>
      saveCategoryTree({ db: fixture.db }, STAFF, {
        version,
        nodes: [{ id, parentId: null, position: 77 }],
      });
  },
  'category-order': async () => {
    const categoryId = await rows.category();
    const [one, two] = [
      await rows.dish({ menuId, categoryId, prices: {} }),
      await rows.dish({ menuId, categoryId, prices: {} }),
    ];
    const order = [two.productId, one.productId];
    return () => orderCategoryProducts({ db: fixture.db }, STAFF, categoryId, order);
  },
  'product-update': async () => {
    const { productId } = await productIn('PUBLISHED');
    return () => editProduct({ db: fixture.db }, STAFF, productId, { version: 1, name: 'Уха' });
  },
  'product-visibility': async () => {
    const { productId } = await productIn('PUBLISHED');
    const organizationVisibility = [{ organizationId: first.id, isVisible: false }];
    return () => editProduct(fixture, STAFF, productId, { version: 1, organizationVisibility });
  },
  'product-publish': move('DRAFT', 'publish'),
  'product-unpublish': move('PUBLISHED', 'unpublish'),
  'product-archive': move('PUBLISHED', 'archive'),
};

test.each(Object.keys(DIRTY_SOURCES) as DirtySource[])(
  '[SNP-17] the source %s marks exactly its organizations as outdated',
  async (source) => {
    const change = await CHANGES[source]();
    await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });

    await change();

    const dirty = await selectRows(
      fixture.db,
      'snapshot_request',
      ['organizationId as id', 'reason'],
      { dirtySeq: above(column('builtSeq')) },
      { orderBy: 'organizationId' },
    );
    expect(dirty).toEqual(expected[DIRTY_SOURCES[source]].map((id) => ({ id, reason: source })));
  },
);

test('a change that guests cannot see marks no menu as outdated', async () => {
  const { productId } = await productIn('DRAFT');
  await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });

  await editProduct({ db: fixture.db }, STAFF, productId, { version: 1, name: 'Черновик' });

  expect(
    await countRows(fixture.db, 'snapshot_request', { dirtySeq: above(column('builtSeq')) }),
  ).toBe(0);
});

test('a restaurant that begins to sell a product during its edit is rebuilt too', async () => {
  const { productId, sizeId } = await productIn('PUBLISHED');
  const [, second] = expected.OF_MENU;
  await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });
  await deleteRows(fixture.db, 'outbox');
  // The edit has read the restaurants. The price and its build are committed before the edit.
  await fixture.db.transaction(async (tx) => {
    await announceToGuests(tx, { source: 'product-update', productIds: [productId] });
    await addRow(fixture.db, 'mirror_price', {
      externalMenuId: menuId,
      itemSizeId: sizeId,
      organizationId: second,
      priceKopecks: 100,
      changedAt: databaseNow(),
    });
  });
  const { payload } = (await selectRow(fixture.db, 'outbox', ['payload'])) as {
    payload: CarteEvents['CatalogChanged'];
  };
  const woken: number[] = [];
  const deps = {
    db: fixture.db,
    temporal: {
      withDeadline: (_: number, work: () => Promise<unknown>) => work(),
      workflow: {
        signalWithStart: async (_: string, { args }: { args: { organizationId: number }[] }) =>
          woken.push(...args.map((arg) => arg.organizationId)),
      },
    },
    queues: QUEUES,
    debounce: { debounceMs: 1, debounceMaxMs: 1 },
  } as unknown as ListenerDeps;

  await EVENT_LISTENERS.get('CatalogChanged')!(payload, deps);

  expect(payload.organizationIds).toEqual([first.id]);
  // Restaurants are signaled in parallel, in any order.
  expect(woken.toSorted((a, b) => a - b)).toEqual([first.id, second]);
  expect(
    await selectRows(
      fixture.db,
      'snapshot_request',
      ['organizationId as id'],
      { dirtySeq: above(column('builtSeq')) },
      { orderBy: 'organizationId' },
    ),
  ).toEqual([{ id: first.id }, { id: second }]);
});
