import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { archiveCategory } from '../../../modules/catalog/categories/archive-category.ts';
import { createProduct } from '../../../modules/catalog/products/create-product.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import type { Database } from '../../support/text-database.ts';
import { buildDish, buildMedia, buildMirror, STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { holdTable } from '../../support/races.ts';
import { deleteRows, selectRow } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let mediaId: number;
beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db);
  mediaId = await buildMedia(db);
});
afterAll(() => close());

const aCategory = async (parentId: number | null = null) =>
  (await createCategory({ db }, STAFF, { name: 'Супы', parentId }, null)).id;
async function aProduct(categoryId: number): Promise<number> {
  const dish = await buildDish(db, mirror);
  const variants = [{ erpItemSizeId: dish.sizeIds[0]!, variantOptionCode: null, isDefault: true }];
  const request = {
    name: 'Борщ',
    variantAxisCode: null,
    mainImageId: null,
    categoryIds: [categoryId],
    variants,
  };
  return (await createProductOfItems({ db }, STAFF, request, null)).id;
}
async function aPublishedProduct(): Promise<number> {
  const id = await aProduct(await aCategory());
  await editProduct({ db }, STAFF, id, { version: 1, mainImageId: mediaId });
  await moveProduct({ db }, STAFF, id, 'publish');
  return id;
}

const waiting = async () => (await waitingSessions(db)) > 0;

/** Starts two commands in order. Each waits for the audit or for the other command. */
async function meeting(first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const audit = await holdTable(db, 'audit_entry');
  const one = Promise.allSettled([first()]);
  await audit.waits(1);
  const other = Promise.allSettled([second()]);
  await Promise.race([audit.waits(2), other]);
  await audit.release();
  return [...(await one), ...(await other)];
}

test('a product that is archived during its publication stays archived', async () => {
  const id = await aPublishedProduct();
  await moveProduct({ db }, STAFF, id, 'unpublish');

  const [archived, published] = await meeting(
    () => moveProduct({ db }, STAFF, id, 'archive'),
    () => moveProduct({ db }, STAFF, id, 'publish'),
  );

  expect(archived).toMatchObject({ status: 'fulfilled', value: { status: 'ARCHIVED' } });
  expect(published).toMatchObject({ status: 'rejected', reason: { kind: 'invalid-transition' } });
});

test('the removal of the main image during a publication of the product blocks it', async () => {
  const id = await aPublishedProduct();
  await moveProduct({ db }, STAFF, id, 'unpublish');
  const { version } = await selectRow(db, 'catalog_product', ['version'], { id });

  const [, edited] = await meeting(
    () => moveProduct({ db }, STAFF, id, 'publish'),
    () => editProduct({ db }, STAFF, id, { version, mainImageId: null }),
  );

  expect(edited).toMatchObject({ status: 'rejected', reason: { kind: 'version-conflict' } });
});

test('a picture that is deleted during its use is not found', async () => {
  const id = await aProduct(await aCategory());
  const pictureId = await buildMedia(db);
  let edited: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await deleteRows(tx, 'media', { id: pictureId });
    edited = editProduct({ db }, STAFF, id, { version: 1, gallery: [pictureId] }).catch(
      (error: unknown) => error,
    );
    await eventually('the edit waits', async () => ((await waiting()) ? true : undefined));
  });

  expect(await edited).toMatchObject({
    details: { errors: [{ field: 'gallery.0', code: 'not_found' }] },
  });
});

describe.each<[string, (categoryId: number) => Promise<unknown>]>([
  ['category', aCategory],
  ['product', aProduct],
  ['draft', (id) => createProduct({ db }, STAFF, { name: 'Борщ', categoryIds: [id] }, null)],
])('a %s that is put into a category during its archiving', (_what, create) => {
  test('fails if the category is archived first', async () => {
    const categoryId = await aCategory();

    const [archived, created] = await meeting(
      () => archiveCategory({ db }, STAFF, categoryId),
      () => create(categoryId),
    );

    expect(archived).toMatchObject({ status: 'fulfilled' });
    expect(created).toMatchObject({ status: 'rejected', reason: { kind: 'validation' } });
  });

  test('keeps the category from being archived if it is put there first', async () => {
    const categoryId = await aCategory();

    const [created, archived] = await meeting(
      () => create(categoryId),
      () => archiveCategory({ db }, STAFF, categoryId),
    );

    expect(created).toMatchObject({ status: 'fulfilled' });
    expect(archived).toMatchObject({ status: 'rejected', reason: { kind: 'category-not-empty' } });
  });
});
