import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { listProducts } from '../../../modules/catalog/products/list-products.ts';
import { PRODUCT_ISSUES } from '../../../modules/product-issues.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { getProduct } from '../../../modules/catalog/products/product-views.ts';
import type { Database } from '../../support/text-database.ts';
import { bulk } from '../../support/bulk.ts';
import {
  buildDish,
  buildMedia,
  buildMirror,
  STAFF,
  type MirrorDish,
} from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { countRows, databaseNow, deleteRows, selectRows, updateRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let categoryId: number;
let mediaId: number;

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db, { organizations: 3 });
  categoryId = (await createCategory({ db }, STAFF, { name: 'Супы', parentId: null }, null)).id;
  mediaId = await buildMedia(db);
});
afterAll(() => close());

async function draft(
  name = 'Борщ',
  categoryIds = [categoryId],
): Promise<{ id: number; dish: MirrorDish }> {
  const dish = await buildDish(db, mirror, { name });
  const variants = [{ erpItemSizeId: dish.sizeIds[0]!, variantOptionCode: null, isDefault: true }];
  const { id } = await createProductOfItems(
    { db },
    STAFF,
    { name, variantAxisCode: null, mainImageId: null, categoryIds, variants },
    null,
  );
  return { id, dish };
}

async function published(name?: string): Promise<number> {
  const { id } = await draft(name);
  await editProduct({ db }, STAFF, id, { version: 1, mainImageId: mediaId });
  await moveProduct({ db }, STAFF, id, 'publish');
  return id;
}

const dirtiness = async () => {
  const rows = await db.query<{ dirty: number }>(
    'select coalesce(sum(dirty_seq), 0) as dirty from snapshot_request',
  );
  const events = await db.db
    .selectFrom('outbox')
    .where('event', '=', 'CatalogChanged')
    .select((row) => row.fn.countAll<number>().as('events'))
    .execute();
  return { dirty: rows[0]!.dirty, events: events[0]!.events };
};

describe('the publication of a product', () => {
  test('[CAT-2] fails with every broken rule and changes nothing', async () => {
    const { id, dish } = await draft('Пусто', []);
    await updateRows(db, 'mirror_item', { deletedAt: databaseNow() }, { id: dish.itemId });
    await updateRows(db, 'catalog_variant', { isDefault: false }, { productId: id });

    const blocked = await awaitRefusal(moveProduct({ db }, STAFF, id, 'publish'));

    expect(blocked.kind).toBe('publish-blocked');
    expect(blocked.violations?.map((violation) => violation.code)).toEqual([
      'NO_MAIN_IMAGE',
      'NO_PLACEMENT',
      'NO_LIVE_VARIANT',
      'NO_DEFAULT_VARIANT',
    ]);
    expect(await getProduct(db, id)).toMatchObject({ status: 'DRAFT', version: 1 });
  });

  test('fails without variants and in an archived category', async () => {
    const { id } = await draft('Без вариантов');
    await deleteRows(db, 'catalog_variant', { productId: id });
    await editProduct({ db }, STAFF, id, { version: 1, mainImageId: mediaId });
    expect(
      (await awaitRefusal(moveProduct({ db }, STAFF, id, 'publish'))).violations?.map(
        (violation) => violation.code,
      ),
    ).toEqual(['NO_VARIANT']);

    const closed = (await createCategory({ db }, STAFF, { name: 'Закрыто', parentId: null }, null))
      .id;
    const other = await draft('В закрытой', [closed]);
    await updateRows(db, 'catalog_category', { archivedAt: databaseNow() }, { id: closed });
    await editProduct({ db }, STAFF, other.id, { version: 1, mainImageId: mediaId });
    expect(
      (await awaitRefusal(moveProduct({ db }, STAFF, other.id, 'publish'))).violations?.map(
        (violation) => violation.code,
      ),
    ).toEqual(['NO_PLACEMENT']);
  });

  test('[CAT-2] validates the rules first in every status, and a repetition changes nothing', async () => {
    const id = await published('Уха');
    const before = await dirtiness();
    const state = await moveProduct({ db }, STAFF, id, 'publish');
    expect(state).toMatchObject({ status: 'PUBLISHED', version: 3 });
    expect(await dirtiness()).toEqual(before);

    await updateRows(db, 'catalog_product', { mainImageId: null }, { id });
    expect((await awaitRefusal(moveProduct({ db }, STAFF, id, 'publish'))).kind).toBe(
      'publish-blocked',
    );
  });

  test('[CAT-6] marks every active menu as outdated, with one event, in the same transaction', async () => {
    const { id } = await draft('Окрошка');
    await editProduct({ db }, STAFF, id, { version: 1, mainImageId: mediaId });
    const before = await dirtiness();

    await moveProduct({ db }, STAFF, id, 'publish');

    expect(await dirtiness()).toEqual({ dirty: before.dirty + 3, events: before.events + 1 });
  });
});

describe('the moves of a product', () => {
  test('[CAT-1] hide a published product, show it again and archive it, but never publish an archived one', async () => {
    const id = await published('Рассольник');
    expect(await moveProduct({ db }, STAFF, id, 'unpublish')).toMatchObject({
      status: 'UNPUBLISHED',
    });
    expect(await moveProduct({ db }, STAFF, id, 'publish')).toMatchObject({ status: 'PUBLISHED' });
    expect(await moveProduct({ db }, STAFF, id, 'archive')).toMatchObject({ status: 'ARCHIVED' });
    expect((await awaitRefusal(moveProduct({ db }, STAFF, id, 'publish'))).kind).toBe(
      'invalid-transition',
    );
    const audit = await selectRows(
      db,
      'audit_entry',
      ['action'],
      { entityType: 'product', entityId: String(id) },
      { orderBy: 'id' },
    );
    expect(audit.map((row) => row.action)).toEqual([
      'create',
      'update',
      'publish',
      'unpublish',
      'publish',
      'archive',
    ]);
  });

  test('[CAT-20] restore an archived product as a draft that keeps its dish and can be published again', async () => {
    const id = await published('Солянка');
    const earlier = await getProduct(db, id);
    await moveProduct({ db }, STAFF, id, 'archive');
    const before = await dirtiness();

    expect(await moveProduct({ db }, STAFF, id, 'restore')).toMatchObject({
      status: 'DRAFT',
      statusReason: null,
    });
    expect(await moveProduct({ db }, STAFF, id, 'restore')).toMatchObject({ status: 'DRAFT' });
    // Guests see no difference yet.
    expect(await dirtiness()).toEqual(before);
    const restored = await getProduct(db, id);
    expect(restored.variants).toEqual(earlier.variants);
    expect(restored.categories).toEqual(earlier.categories);
    expect(await moveProduct({ db }, STAFF, id, 'publish')).toMatchObject({ status: 'PUBLISHED' });
    expect((await awaitRefusal(moveProduct({ db }, STAFF, id, 'restore'))).kind).toBe(
      'invalid-transition',
    );
    expect((await awaitRefusal(moveProduct({ db }, STAFF, 999_999, 'restore'))).kind).toBe(
      'not-found',
    );
  });

  test('[CAT-1] never hide a draft and never move an unknown product', async () => {
    const { id } = await draft('Щи');
    expect((await awaitRefusal(moveProduct({ db }, STAFF, id, 'unpublish'))).kind).toBe(
      'invalid-transition',
    );
    expect((await awaitRefusal(moveProduct({ db }, STAFF, 999_999, 'archive'))).kind).toBe(
      'not-found',
    );
  });
});

describe('a move of many products', () => {
  test('[CAT-7] causes one announcement and lists products that cannot be moved with the reason', async () => {
    const ready = await Promise.all([draft('Кета'), draft('Горбуша')]);
    for (const { id } of ready)
      await editProduct({ db }, STAFF, id, { version: 1, mainImageId: mediaId });
    const [one, two] = ready.map((entry) => entry.id) as [number, number];
    const { id: bare } = await draft('Нерка');
    const archived = await published('Кижуч');
    await moveProduct({ db }, STAFF, archived, 'archive');
    const before = await dirtiness();

    const productIds = [two, one, bare, 999_999, archived, one];
    const result = await bulk(db, { productIds, action: 'PUBLISH' });

    expect(result).toEqual({
      succeeded: [two, one],
      failed: [
        { id: bare, reason: 'NO_MAIN_IMAGE' },
        { id: 999_999, reason: 'NOT_FOUND' },
        { id: archived, reason: 'INVALID_TRANSITION' },
      ],
    });
    expect(await getProduct(db, one)).toMatchObject({ status: 'PUBLISHED', version: 3 });
    expect(await dirtiness()).toEqual({ dirty: before.dirty + 6, events: before.events + 1 });
  });
});

describe('the editing of a product', () => {
  test('[HTTP-4] keeps absent fields, clears null fields and orders the gallery', async () => {
    const { id } = await draft('Лагман');
    const [second, third] = [await buildMedia(db), await buildMedia(db)];
    const first = await editProduct({ db }, STAFF, id, {
      version: 1,
      subtitle: 'Острый',
      description: 'Лапша',
      mainImageId: mediaId,
      hoverImageId: second,
      gallery: [third, mediaId],
    });
    expect(first).toMatchObject({
      version: 2,
      subtitle: 'Острый',
      description: 'Лапша',
      composition: null,
    });
    expect(first.images).toMatchObject({
      main: { id: mediaId, url: '/media/test/card.webp', srcset: '/media/test/card.webp 1x' },
      hover: { id: second },
      gallery: [{ id: third }, { id: mediaId }],
    });

    const next = await editProduct({ db }, STAFF, id, {
      version: 2,
      subtitle: null,
      hoverImageId: null,
      gallery: null,
    });
    expect(next).toMatchObject({ version: 3, subtitle: null, description: 'Лапша' });
    expect(next.images).toMatchObject({ main: { id: mediaId }, hover: null, gallery: [] });
  });

  test('[HTTP-5] rejects an outdated version and returns the stored one, also in concurrent edits', async () => {
    const { id } = await draft('Харчо');
    const edits = await Promise.allSettled([
      editProduct({ db }, STAFF, id, { version: 1, name: 'Харчо острый' }),
      editProduct({ db }, STAFF, id, { version: 1, name: 'Харчо мягкий' }),
    ]);
    const refused = edits.flatMap((edit) =>
      edit.status === 'rejected' ? [edit.reason as unknown] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({
      kind: 'version-conflict',
      details: { extra: { currentVersion: 2 } },
    });
  });

  test('[CAT-6] keeps the version and writes no audit entry when nothing changes', async () => {
    const { id } = await draft('Солянка');
    const product = await editProduct({ db }, STAFF, id, {
      version: 1,
      name: ' Солянка ',
      gallery: [],
    });
    expect(product.version).toBe(1);
    expect(await countRows(db, 'audit_entry', { entityId: String(id), action: 'update' })).toBe(0);
  });

  test('fails with every invalid field', async () => {
    const { id } = await draft('Плов');
    const broken = await awaitRefusal(
      editProduct({ db }, STAFF, id, {
        version: 1,
        name: ' ',
        mainImageId: 999_999,
        gallery: [mediaId, 999_998, mediaId],
      }),
    );
    expect(broken.errors?.map((error) => `${error.field} ${error.code}`)).toEqual([
      'name required',
      'mainImageId not_found',
      'gallery.1 not_found',
      'gallery.2 duplicate',
    ]);
  });

  test('requires the main image of a published product, and marks no menu for a draft', async () => {
    const id = await published('Манты');
    const { version } = await getProduct(db, id);
    const broken = await awaitRefusal(
      editProduct({ db }, STAFF, id, { version, mainImageId: null }),
    );
    expect(broken.errors).toMatchObject([{ field: 'mainImageId', code: 'required' }]);

    const before = await dirtiness();
    const { id: hidden } = await draft('Хинкали');
    await editProduct({ db }, STAFF, hidden, { version: 1, subtitle: 'С говядиной' });
    expect(await dirtiness()).toEqual(before);
    await editProduct({ db }, STAFF, id, { version, subtitle: 'На пару' });
    expect(await dirtiness()).toEqual({ dirty: before.dirty + 3, events: before.events + 1 });
  });
});

describe('the pages of products', () => {
  test('[HTTP-3] follow filter, order and page', async () => {
    const category = (await createCategory({ db }, STAFF, { name: 'Список', parentId: null }, null))
      .id;
    for (const name of ['Список Б', 'Список А', 'Список В']) await draft(name, [category]);
    const find = (filter: Partial<Parameters<typeof listProducts>[1]>) =>
      listProducts(db, { sort: [], limit: 50, offset: 0, ...filter }, PRODUCT_ISSUES);
    const names = async (filter: Partial<Parameters<typeof listProducts>[1]>) =>
      (await find(filter)).items.map((item) => item.name);

    expect(await names({ categoryId: category })).toEqual(['Список А', 'Список Б', 'Список В']);
    expect(await names({ q: 'сПИСОК б' })).toEqual(['Список Б']);
    expect(await names({ q: 'spisok-v' })).toEqual(['Список В']);
    expect(await names({ q: 'cпиcoк\u200b б\u00a0' })).toEqual(['Список Б']);
    expect(await names({ q: 'spisok\u2011v' })).toEqual(['Список В']);
    expect(await names({ q: '%' })).toEqual([]);
    expect(
      await names({ categoryId: category, sort: [{ field: 'id', direction: 'desc' }] }),
    ).toEqual(['Список В', 'Список А', 'Список Б']);
    expect(await find({ categoryId: category, limit: 1, offset: 1 })).toMatchObject({
      total: 3,
      items: [
        {
          name: 'Список Б',
          status: 'DRAFT',
          categoryIds: [category],
          variantCount: 1,
          mainImage: null,
        },
      ],
    });
    expect(await find({ categoryId: category, limit: 1, offset: 9 })).toEqual({
      total: 3,
      items: [],
    });
    expect(await names({ categoryId: category, status: 'PUBLISHED' })).toEqual([]);
    // A product that was never published is neither the first nor the latest.
    await updateRows(db, 'catalog_product', { publishedAt: databaseNow() }, { name: 'Список Б' });
    for (const direction of ['asc', 'desc'] as const)
      expect(
        await names({
          categoryId: category,
          limit: 1,
          sort: [{ field: 'publishedAt', direction }],
        }),
      ).toEqual(['Список Б']);
  });
});
