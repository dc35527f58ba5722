import type { Explanation } from '../../../modules/menus/schemas/snapshot.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { explainEverywhere } from '../../../modules/menus/snapshot/explain-everywhere.ts';
import { explainProduct } from '../../../modules/menus/snapshot/explain-product.ts';
import { missingProducts } from '../../../modules/menus/snapshot/missing-products.ts';
import { previewProduct } from '../../../modules/menus/snapshot/preview-product.ts';
import { readDocuments } from '../../../modules/menus/storefront/documents.ts';
import { createMenuViews } from '../../../modules/menus/storefront/menu-views.ts';
import { pinRevision } from '../../../modules/menus/snapshot/pin-revision.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { asOwner } from '../../support/database-roles.ts';
import { addRow, databaseNow, deleteRows, selectRow, updateRows } from '../../support/rows.ts';

type Tables = Awaited<ReturnType<typeof snapshotTables>>;
let tables: Tables;
beforeAll(async () => {
  tables = await snapshotTables();
});
afterAll(() => tables.database.close());

type MenuVariant = { id: number; price: number; available: boolean };
type Fixture = {
  organizationIds: [number, number];
  productIds: number[];
  menus: Record<'first' | 'second' | 'disabled' | 'others' | 'withdrawn', number>;
};
type Bound = {
  itemId: number;
  erpId: string;
  sizeId: number;
  erpSizeId: string;
  variantId: number;
};

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  tables.database.db.query<T>(sql, params);
const explain = (productId: number, organizationId: number) =>
  explainProduct(tables.database.db, productId, organizationId);
const readOverview = async (productId: number, organizationId: number) => {
  const { items } = await explainEverywhere(tables.database.db, productId, {
    page: 1,
    size: 200,
    scope: null,
  });
  return items.find((item) => item.organization.id === organizationId);
};
async function missingIn(organizationId: number) {
  const read = (page: number) =>
    missingProducts(tables.database.db, organizationId, { page, size: 7 });
  const first = await read(1);
  const items = [...first.items];
  for (let page = 2; items.length < first.total; page += 1) items.push(...(await read(page)).items);
  expect(first.counts.reduce((sum, { count }) => sum + count, 0)).toBe(first.total);
  return new Map(items.map((item) => [item.product.id, item]));
}
const GROUPS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

/** Faults of a variant; each test breaks another variant. */
const VARIANTS: Record<string, (fixture: Fixture, bound: Bound) => Promise<unknown>> = {
  plain: ({ menus, organizationIds }, bound) => offer(menus.first, bound, organizationIds, 10_000),
  unpriced: () => Promise.resolve(),
  'priced in one organization': ({ menus, organizationIds: [one] }, bound) =>
    offer(menus.first, bound, [one], 11_000),
  deleted: async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 12_000);
    await updateRows(
      tables.database.db,
      'mirror_item',
      { deletedAt: databaseNow() },
      { id: bound.itemId },
    );
  },
  'price lost': async ({ menus, organizationIds: [one, other] }, bound) => {
    await offer(menus.first, bound, [one, other], 13_000);
    await updateRows(
      tables.database.db,
      'mirror_price',
      { lostAt: databaseNow() },
      { itemSizeId: bound.sizeId, organizationId: one },
    );
  },
  'hidden item': async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 14_000);
    await updateRows(
      tables.database.db,
      'mirror_item_menu',
      { isHidden: true },
      { itemId: bound.itemId },
    );
  },
  'hidden in the menu that decides': async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 14_100);
    await updateRows(
      tables.database.db,
      'mirror_size_menu',
      { isHidden: true },
      { itemSizeId: bound.sizeId },
    );
    await offer(menus.second, bound, organizationIds, 14_200);
  },
  'no longer listed': async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 15_000);
    await deleteRows(tables.database.db, 'mirror_size_menu', { itemSizeId: bound.sizeId });
  },
  'in a disabled menu': ({ menus, organizationIds }, bound) =>
    offer(menus.disabled, bound, organizationIds, 16_000),
  'in a menu of others': ({ menus, organizationIds }, bound) =>
    offer(menus.others, bound, organizationIds, 17_000),
  'in a withdrawn menu': ({ menus, organizationIds }, bound) =>
    offer(menus.withdrawn, bound, organizationIds, 18_000),
  'in two menus': async ({ menus, organizationIds }, bound) => {
    await offer(menus.second, bound, organizationIds, 19_000);
    await offer(menus.first, bound, organizationIds, 19_500);
  },
  stopped: async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 20_000);
    await tables.rows.stop(organizationIds[0], bound.erpId, { terminal_group_erp_id: GROUPS[0] });
  },
  'stopped everywhere': async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 21_000);
    for (const group of GROUPS)
      await tables.rows.stop(organizationIds[0], bound.erpId, {
        terminal_group_erp_id: group,
        added_at: new Date(),
      });
  },
  'another size stopped': async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 22_000);
    await tables.rows.stop(organizationIds[0], bound.erpId, { erp_size_id: 'other' });
  },
  limited: async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 23_000);
    await tables.rows.stop(organizationIds[0], bound.erpId, { balance: 3 });
  },
  'with a required group that is stopped': async ({ menus, organizationIds }, bound) => {
    await offer(menus.first, bound, organizationIds, 24_000);
    const sauce = await tables.rows.modifier(menus.first, {
      [organizationIds[0]]: 1_000,
      [organizationIds[1]]: 1_000,
    });
    const group = await tables.rows.group(menus.first, bound.sizeId, {
      min_quantity: 1,
      max_quantity: 1,
      name: 'Соус',
    });
    await tables.rows.link(group, sauce.itemId);
    await tables.rows.stop(organizationIds[0], sauce.erpId);
  },
};

const PRODUCTS: Record<string, (productId: number) => Promise<unknown>> = {
  plain: () => Promise.resolve(),
  draft: (id) => updateRows(tables.database.db, 'catalog_product', { status: 'DRAFT' }, { id }),
  unpublished: (id) =>
    updateRows(
      tables.database.db,
      'catalog_product',
      { status: 'UNPUBLISHED', statusReason: 'NO_LIVE_VARIANT' },
      { id },
    ),
  archived: (id) =>
    updateRows(tables.database.db, 'catalog_product', { status: 'ARCHIVED' }, { id }),
  'without a picture': (id) =>
    updateRows(tables.database.db, 'catalog_product', { mainImageId: null }, { id }),
  'without a category': (id) =>
    deleteRows(tables.database.db, 'catalog_product_category', { productId: id }),
  'in an archived category': (id) =>
    query(
      `with archived as (insert into catalog_category (slug, name, archived_at) values ('archived', 'Архив', now()) returning id)
       update catalog_product_category set category_id = archived.id from archived where product_id = $1`,
      [id],
    ),
  hidden: (id) => updateRows(tables.database.db, 'catalog_product', { isVisible: false }, { id }),
  'hidden in one restaurant': (id) => say(id, false),
  'shown in one restaurant only': async (id) => {
    await updateRows(tables.database.db, 'catalog_product', { isVisible: false }, { id });
    await say(id, true);
  },
};

const say = (productId: number, isVisible: boolean) =>
  query(
    `insert into catalog_product_visibility (product_id, organization_id, is_visible)
     select $1, id, $2 from mirror_organization order by id limit 1`,
    [productId, isVisible],
  );

async function offer(
  menuId: number,
  { itemId, sizeId }: Bound,
  organizationIds: readonly number[],
  price: number,
) {
  await tables.rows.offer(
    menuId,
    { itemId, sizeId },
    Object.fromEntries(organizationIds.map((id) => [id, price])),
  );
}

async function variedFixture(): Promise<Fixture> {
  const { rows } = tables;
  const connectionId = await rows.connection();
  const [one, other] = [
    await rows.organization(connectionId),
    await rows.organization(connectionId),
  ];
  for (const group of GROUPS)
    await rows.insert('mirror_terminal_group', {
      organization_id: one.id,
      erp_id: group,
      name: `Касса ${group.slice(0, 1)}`,
      synchronized_at: new Date(),
    });
  const fixture: Fixture = {
    organizationIds: [one.id, other.id],
    productIds: [],
    menus: {
      first: await rows.externalMenu(connectionId, { priority: 1 }),
      second: await rows.externalMenu(connectionId, { priority: 2 }),
      disabled: await rows.externalMenu(connectionId, { is_enabled: false }),
      others: await rows.externalMenu(connectionId, { organization_ids: [other.id] }),
      withdrawn: await rows.externalMenu(connectionId),
    },
  };
  await updateRows(
    tables.database.db,
    'mirror_external_menu',
    { withdrawnAt: databaseNow(), inactiveAt: databaseNow() },
    { id: fixture.menus.withdrawn },
  );
  const categoryId = await rows.category();
  const aVariant = async (productId: number, name: string, at: number) => {
    const { id: itemId, erpId } = await rows.item();
    const sizeId = await rows.size(itemId, { erp_size_id: 'one' });
    const variantId = await rows.variant(productId, sizeId, { is_default: at === 0, position: at });
    await VARIANTS[name]!(fixture, { itemId, erpId, sizeId, erpSizeId: 'one', variantId });
  };
  for (const name of Object.keys(VARIANTS)) {
    const productId = await rows.product(categoryId);
    await aVariant(productId, name, 0);
    fixture.productIds.push(productId);
  }
  for (const change of Object.values(PRODUCTS)) {
    const productId = await rows.product(categoryId);
    for (const [at, name] of Object.keys(VARIANTS).entries()) await aVariant(productId, name, at);
    await change(productId);
    fixture.productIds.push(productId);
  }
  return fixture;
}

async function published(organizationId: number): Promise<Map<number, MenuVariant[]>> {
  await buildSnapshot(tables.deps, organizationId);
  const row = await selectRow(tables.database.db, 'snapshot', ['payload'], { organizationId });
  const menu = JSON.parse(row.payload.toString('utf8')) as {
    products: { id: number; variants: MenuVariant[] }[];
  };
  return new Map(menu.products.map(({ id, variants }) => [id, variants]));
}

const shownBy = ({ variants }: Explanation) =>
  variants
    .filter((variant) => variant.inMenu)
    .map(({ id, price, available }) => ({ id, price: price! / 100, available }))
    .toSorted((a, b) => a.id - b.id);
const against = (facts: Explanation['facts']) =>
  facts.filter((fact) => fact.holds === false).map((fact) => fact.code);

describe('the explanation of a product', () => {
  test.each([
    ['SHOW', 'ANY', 2],
    ['HIDE', 'ALL', 1],
  ])(
    '[CAT-30, CAT-65] agrees with the published menu and the overviews: %s, %s',
    async (behavior, terminals, organizations) => {
      await asOwner(
        tables.database.db,
        'truncate catalog_product, catalog_category, mirror_organization, mirror_item cascade',
      );
      const fixture = await variedFixture();
      await tables.rows.setting('stoplist_behaviour', behavior);
      await tables.rows.setting('stoplist_terminals', terminals);
      const seen = { shown: 0, sold: 0, hidden: 0 };
      for (const organizationId of fixture.organizationIds.slice(0, organizations)) {
        const menu = await published(organizationId);
        const missing = await missingIn(organizationId);
        for (const productId of fixture.productIds) {
          const explained = await explain(productId, organizationId);
          const wanted = (menu.get(productId) ?? []).map(({ id, price, available }) => ({
            id,
            price,
            available,
          }));

          const overview = (await readOverview(productId, organizationId))!;
          expect(overview).toMatchObject({
            inMenu: explained.inMenu,
            available: explained.variants.some((variant) => variant.available),
          });
          const { inMenu, reason, sentence } = overview;
          const isMissing = !overview.available && explained.product.status !== 'ARCHIVED';
          expect(missing.get(productId)).toEqual(
            isMissing ? { product: explained.product, inMenu, reason, sentence } : undefined,
          );
          expect(shownBy(explained)).toEqual(wanted.toSorted((a, b) => a.id - b.id));
          expect(explained.inMenu).toBe(menu.has(productId));
          for (const variant of explained.variants) {
            const reasons = [...against(explained.facts), ...against(variant.facts)];
            // Only the listed facts decide about a variant.
            expect({
              id: variant.id,
              sold: reasons.length === 0,
              reason: variant.reason === 'AVAILABLE',
            }).toEqual({
              id: variant.id,
              sold: variant.available,
              reason: variant.available,
            });
            expect(variant.served).toEqual(
              variant.inMenu ? { available: variant.available, price: variant.price } : null,
            );
            seen.sold += Number(variant.available);
            seen.shown += Number(variant.inMenu && !variant.available);
            seen.hidden += Number(!variant.inMenu);
          }
        }
      }
      expect(Math.min(seen.sold, seen.hidden)).toBeGreaterThan(10);
      expect(seen.shown > 0).toBe(behavior === 'SHOW');
    },
  );
});

describe('the overview of all restaurants', () => {
  const at = async (productId: number, organizationId: number) => {
    const { organization: _, ...item } = (await readOverview(productId, organizationId))!;
    return item;
  };

  test('[CAT-30] shows the reason for each restaurant in a sentence', async () => {
    const { place, dish } = await oneDish(tables);
    const other = await tables.rows.organization(place.connectionId);
    const { db } = tables.database;
    const sold = await at(dish.productId, place.organizationId);
    const unpriced = await at(dish.productId, other.id);
    await tables.rows.stop(place.organizationId, dish.erpId);
    const stopped = await at(dish.productId, place.organizationId);
    await updateRows(db, 'catalog_product', { status: 'UNPUBLISHED' }, { id: dish.productId });
    const unpublished = await at(dish.productId, place.organizationId);

    expect([sold, unpriced, stopped, unpublished]).toEqual([
      {
        inMenu: true,
        available: true,
        reason: 'AVAILABLE',
        sentence: 'Guests see the dish and can order it.',
      },
      {
        inMenu: false,
        available: false,
        reason: 'PRICED',
        sentence: 'No external menu of the restaurant has a price for the dish.',
      },
      {
        inMenu: true,
        available: false,
        reason: 'NOT_STOPPED',
        sentence: 'Guests see the dish as sold out. The dish is on the stop-list.',
      },
      {
        inMenu: false,
        available: false,
        reason: 'PUBLISHED',
        sentence: 'The product is not published.',
      },
    ]);
  });

  test('[CAT-30] lists the active restaurants by name, in pages', async () => {
    const { place, dish } = await oneDish(tables);
    const gone = await tables.rows.organization(place.connectionId, { inactive_at: new Date() });
    const { db } = tables.database;
    const all = await explainEverywhere(db, dish.productId, { page: 1, size: 200, scope: null });
    const second = await explainEverywhere(db, dish.productId, { page: 2, size: 1, scope: null });

    expect(all.items.map((item) => item.organization.id)).not.toContain(gone.id);
    expect(second).toMatchObject({
      items: [all.items[1]],
      page: 2,
      size: 1,
      total: all.items.length,
    });
  });
});

describe('the missing products of a restaurant', () => {
  test('[CAT-65] can be filtered by reason, status and text, with counts for each reason', async () => {
    const { place, dish } = await oneDish(tables);
    const { db } = tables.database;
    const price = { [place.organizationId]: 10_000 };
    const [stopped, draft] = [
      await tables.rows.dish({ ...place, prices: price }),
      await tables.rows.dish({ ...place, prices: price }),
    ];
    await tables.rows.stop(place.organizationId, stopped.erpId);
    await updateRows(
      db,
      'catalog_product',
      { status: 'DRAFT', name: 'Ёжик' },
      { id: draft.productId },
    );
    const own = new Set([dish.productId, stopped.productId, draft.productId]);
    const find = async (query: object) => {
      const { items } = await missingProducts(db, place.organizationId, {
        page: 1,
        size: 200,
        ...query,
      });
      return items
        .map(({ product, reason }) => [product.id, reason])
        .filter(([id]) => own.has(Number(id)));
    };
    const [asDraft, asStopped] = [
      [draft.productId, 'PUBLISHED'],
      [stopped.productId, 'NOT_STOPPED'],
    ];

    const inOrder = (found: unknown[]) => found.map(String).toSorted();
    expect(inOrder(await find({}))).toEqual(inOrder([asDraft, asStopped]));
    expect(await find({ reasons: ['NOT_STOPPED'] })).toEqual([asStopped]);
    expect(await find({ reasons: ['NOT_STOPPED', 'PUBLISHED'], status: 'DRAFT' })).toEqual([
      asDraft,
    ]);
    expect(await find({ q: 'ежик' })).toEqual([asDraft]);
    const { counts } = await missingProducts(db, place.organizationId, {
      page: 1,
      size: 1,
      status: 'DRAFT',
    });
    expect(counts).toContainEqual({ reason: 'PUBLISHED', count: expect.any(Number) });
    await expect(missingProducts(db, 999_999, { page: 1, size: 1 })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});

describe('a preview', () => {
  const preview = (productId: number, organizationId: number) =>
    previewProduct(tables.database.db, productId, organizationId);

  test('[SNP-77] equals the card of the product after its publication', async () => {
    const { place, dish } = await oneDish(tables);
    const { db } = tables.database;
    await updateRows(
      db,
      'catalog_product',
      { status: 'DRAFT', seoTitle: 'Купить борщ', description: 'Со сметаной' },
      { id: dish.productId },
    );
    await buildSnapshot(tables.deps, place.organizationId);
    const before = await selectRow(db, 'snapshot', ['revision', 'etag'], {
      organizationId: place.organizationId,
    });
    const shown = await preview(dish.productId, place.organizationId);
    const after = await selectRow(db, 'snapshot', ['revision', 'etag'], {
      organizationId: place.organizationId,
    });

    expect(shown).toMatchObject({
      product: { status: 'DRAFT' },
      inMenu: true,
      available: true,
      reason: 'AVAILABLE',
      card: { seoTitle: 'Купить борщ', description: 'Со сметаной' },
    });
    expect(after).toEqual(before);
    await updateRows(db, 'catalog_product', { status: 'PUBLISHED' }, { id: dish.productId });
    await buildSnapshot(tables.deps, place.organizationId);
    const { browser } = createMenuViews()((await readDocuments(db, place.organizationId))!);
    expect(shown.card).toEqual(browser.cardOf(dish.productId));
  });

  test('[SNP-77] shows stops, ignores a pin, and shows the reason if guests would not see the product', async () => {
    const { place, dish } = await oneDish(tables);
    const { db } = tables.database;
    const { revision } = await buildSnapshot(tables.deps, place.organizationId);
    await updateRows(
      db,
      'catalog_product',
      { status: 'UNPUBLISHED', name: 'Новое имя' },
      { id: dish.productId },
    );
    const until = new Date(Date.now() + 3_600_000);
    await pinRevision(
      { db },
      STAFF,
      place.organizationId,
      { revision: revision!, reason: 'Проверка', until },
      null,
    );
    await tables.rows.stop(place.organizationId, dish.erpId);
    const stopped = await preview(dish.productId, place.organizationId);
    await updateRows(db, 'catalog_product', { mainImageId: null }, { id: dish.productId });
    const bare = await preview(dish.productId, place.organizationId);

    expect(stopped).toMatchObject({
      available: false,
      reason: 'NOT_STOPPED',
      card: { name: 'Новое имя' },
    });
    expect(stopped.card?.variants.map(({ available }) => available)).toEqual([false]);
    expect(bare).toMatchObject({ inMenu: false, reason: 'HAS_MAIN_IMAGE', card: null });
    await expect(preview(dish.productId, 999_999)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(preview(999_999, place.organizationId)).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});

describe('the list of facts', () => {
  const codes = (facts: Explanation['facts'], ...wanted: string[]) =>
    facts.filter((fact) => wanted.includes(fact.code));

  test('distinguishes the choice of staff for one restaurant from the one for all', async () => {
    const { place, dish } = await oneDish(tables);
    const visibility = async () =>
      codes((await explain(dish.productId, place.organizationId)).facts, 'VISIBLE_HERE').map(
        ({ holds, value, source }) => ({ holds, value, source }),
      );

    const shown = await visibility();
    await updateRows(
      tables.database.db,
      'catalog_product',
      { isVisible: false },
      { id: dish.productId },
    );
    const hidden = await visibility();
    await query('insert into catalog_product_visibility values ($1, $2, true)', [
      dish.productId,
      place.organizationId,
    ]);
    const exception = await visibility();

    expect(shown).toEqual([{ holds: true, value: true, source: 'product' }]);
    expect(hidden).toEqual([{ holds: false, value: false, source: 'product' }]);
    expect(exception).toEqual([{ holds: true, value: true, source: 'product_visibility' }]);
  });

  test('[SNP-21] contains the deciding menu, its price and the run that wrote it', async () => {
    const { place, dish } = await oneDish(tables);
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    const finishedAt = new Date('2026-01-02T03:05:00Z');
    await updateRows(
      tables.database.db,
      'mirror_price',
      { changedAt: startedAt },
      { itemSizeId: dish.sizeId },
    );
    await addRow(tables.database.db, 'sync_run', {
      id: 77,
      job: 'MENU',
      status: 'SUCCESS',
      trigger: 'MANUAL',
      connectionId: place.connectionId,
      externalMenuId: place.menuId,
      mode: 'FULL',
      startedAt,
      finishedAt,
    });
    const { variants } = await explain(dish.productId, place.organizationId);

    expect(variants).toMatchObject([
      { reason: 'AVAILABLE', available: true, price: 25_000, served: null },
    ]);
    expect(codes(variants[0]!.facts, 'MENU_DECIDES', 'PRICE', 'PRICE_RUN')).toMatchObject([
      { sourceId: place.menuId },
      { price: 25_000, at: startedAt, sourceId: place.menuId },
      { at: finishedAt, sourceId: 77 },
    ]);
  });

  test('contains stop-list rows with their terminals, and reports that the stored menu is older', async () => {
    const { place, dish } = await oneDish(tables);
    await buildSnapshot(tables.deps, place.organizationId);
    const addedAt = new Date('2026-01-02T03:04:05Z');
    await tables.rows.stop(place.organizationId, dish.erpId, {
      added_at: addedAt,
      terminal_group_erp_id: GROUPS[0],
    });
    await query(
      `insert into snapshot_request (organization_id, dirty_seq, built_seq, dirty_at, reason) values ($1, 5, 4, now(), 'stop-list')
       on conflict (organization_id) do update set dirty_seq = 5, built_seq = 4, dirty_at = now(), reason = 'stop-list'`,
      [place.organizationId],
    );
    const { variants, snapshot } = await explain(dish.productId, place.organizationId);

    expect(variants).toMatchObject([
      {
        available: false,
        inMenu: true,
        reason: 'NOT_STOPPED',
        served: { available: true, price: 25_000 },
      },
    ]);
    expect(codes(variants[0]!.facts, 'STOPPED')).toMatchObject([
      { value: 0, at: addedAt, sourceId: GROUPS[0] },
    ]);
    expect(snapshot).toMatchObject({
      isBehind: true,
      pendingReason: 'stop-list',
      revision: expect.any(Number),
    });
  });

  test('shows content of a pinned revision that staff removed since, without new variants', async () => {
    const { place, dish } = await oneDish(tables);
    const { revision } = await buildSnapshot(tables.deps, place.organizationId);
    await pinRevision({ db: tables.database.db }, STAFF, place.organizationId, {
      revision: revision!,
      reason: 'Проверка',
      until: new Date(Date.now() + 3_600_000),
    });
    await updateRows(
      tables.database.db,
      'catalog_product',
      { status: 'UNPUBLISHED' },
      { id: dish.productId },
    );
    const size = await tables.rows.size(dish.itemId, { erp_size_id: 'new' });
    const added = await tables.rows.variant(dish.productId, size);
    const explained = await explain(dish.productId, place.organizationId);

    expect(explained.inMenu).toBe(true);
    expect(codes(explained.facts, 'IN_PINNED_REVISION', 'PUBLISHED')).toMatchObject([
      { holds: true, value: revision },
      { holds: null, value: 'UNPUBLISHED' },
    ]);
    expect(explained.variants.map(({ id, reason }) => [id, reason])).toEqual([
      [dish.variantId, 'AVAILABLE'],
      [added, 'IN_CONTENT'],
    ]);
  });

  test('contains a menu of another connection with the dish as a menu of other organizations', async () => {
    const { place, dish } = await oneDish(tables);
    const foreign = await tables.rows.externalMenu(await tables.rows.connection());
    await tables.rows.offer(foreign, dish, {});
    const { variants } = await explain(dish.productId, place.organizationId);

    expect(variants[0]?.facts).toContainEqual(
      expect.objectContaining({ code: 'MENU_OF_OTHER_ORGANIZATIONS', sourceId: foreign }),
    );
  });

  test('contains no menu for a removed organization, and unknown ids are not found', async () => {
    const { place, dish } = await oneDish(tables);
    await updateRows(
      tables.database.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: place.organizationId },
    );

    expect(await explain(dish.productId, place.organizationId)).toMatchObject({
      inMenu: false,
      variants: [{ reason: 'ORGANIZATION_ACTIVE', inMenu: false, served: null }],
    });
    await expect(explain(999_999, place.organizationId)).rejects.toMatchObject({
      kind: 'not-found',
    });
    await expect(explain(dish.productId, 999_999)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
