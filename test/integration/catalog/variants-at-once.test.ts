import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BINDING_WATCH } from '../../../modules/binding/binding-history.ts';
import { addVariant } from '../../../modules/catalog/variants/add-variant.ts';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { editVariant } from '../../../modules/catalog/variants/edit-variant.ts';
import { orderVariants } from '../../../modules/catalog/variants/order-variants.ts';
import { removeVariant } from '../../../modules/catalog/variants/remove-variant.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import type { Database } from '../../support/text-database.ts';
import {
  buildDish,
  buildMedia,
  buildMirror,
  STAFF,
  type MirrorDish,
} from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import { repetitions } from '../../support/repetitions.ts';
import { addRow, addRows, countRows, selectRows } from '../../support/rows.ts';

const CODES = ['S', 'M', 'L', 'XL'];

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let categoryId: number;
let options: number[];
beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db);
  const axis = await addRow(db, 'catalog_variant_axis', { code: 'SIZE', name: 'Размер' });
  const codes = CODES.map((code) => ({ axisId: axis.id, code, name: code }));
  const rows = await addRows(db, 'catalog_variant_option', codes);
  options = rows.map((row) => row.id);
  const category = await addRow(db, 'catalog_category', { slug: 'drinks', name: 'Напитки' });
  categoryId = category.id;
});
afterAll(() => close());

async function aProduct(
  sizes: number,
): Promise<{ id: number; dish: MirrorDish; variantIds: number[] }> {
  const dish = await buildDish(db, mirror, { name: 'Лимонад', sizes: CODES });
  const variants = dish.sizeIds.slice(0, sizes).map((erpItemSizeId, at) => ({
    erpItemSizeId,
    variantOptionCode: CODES[at]!,
    isDefault: at === 0,
  }));
  const request = {
    name: 'Лимонад',
    variantAxisCode: 'SIZE',
    mainImageId: await buildMedia(db),
    categoryIds: [categoryId],
    variants,
  };
  const { id } = await createProductOfItems({ db }, STAFF, request, null);
  return { id, dish, variantIds: (await readVariants(id)).map((variant) => variant.id) };
}
const readVariants = (productId: number) =>
  selectRows(
    db,
    'catalog_variant',
    ['id', 'isDefault', 'position'],
    { productId },
    { orderBy: ['position', 'id'] },
  );
const add = (productId: number, dish: MirrorDish, at: number, isDefault = false) =>
  addVariant(
    { db, variantWatch: BINDING_WATCH },
    STAFF,
    productId,
    {
      erpItemId: dish.erpId,
      erpItemSizeId: dish.sizeIds[at]!,
      variantOptionId: options[at]!,
      isDefault,
    },
    null,
  );

/** Both commands wait before their audit row, or one waits for the other. */
async function meeting(first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const audit = await holdTable(db, 'audit_entry');
  const one = Promise.allSettled([first()]);
  await audit.waits(1);
  const other = Promise.allSettled([second()]);
  await Promise.race([audit.waits(2), other]);
  await audit.release();
  return [...(await one), ...(await other)].map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason as { kind: string }).kind,
  );
}

test('the later of two concurrent new defaults is the default', async () => {
  const { id, variantIds } = await aProduct(3);
  const makeDefault = (at: number) => () =>
    editVariant({ db }, STAFF, variantIds[at]!, { version: 1, isDefault: true });

  expect(await meeting(makeDefault(1), makeDefault(2))).toEqual(['done', 'done']);
  expect((await readVariants(id)).map((variant) => variant.isDefault)).toEqual([
    false,
    false,
    true,
  ]);
});

test('one of several parallel edits with one version succeeds', async () => {
  const { variantIds } = await aProduct(1);
  const edit = (at: number) =>
    editVariant({ db }, STAFF, variantIds[0]!, { version: 1, variantOptionId: options[at]! });
  const settled = await Promise.allSettled(
    Array.from({ length: repetitions(4) }, (_, at) => edit(1 + (at % 3))),
  );

  expect(settled.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(
    settled.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { kind: string }).kind] : [],
    ),
  ).toEqual(settled.slice(1).map(() => 'version-conflict'));
});

test('a product keeps its last variant if it is published while the variant is removed', async () => {
  const { id, variantIds } = await aProduct(1);
  const outcome = await meeting(
    () => moveProduct({ db }, STAFF, id, 'publish'),
    () => removeVariant({ db, variantWatch: BINDING_WATCH }, STAFF, variantIds[0]!),
  );

  expect(outcome).toEqual(['done', 'invalid-transition']);
  expect(await readVariants(id)).toHaveLength(1);
});

test('[BND-3] parallel additions and removals leave one default, a bound dish and a complete order', async () => {
  const { id, dish, variantIds } = await aProduct(2);
  const settled = await Promise.allSettled([
    removeVariant({ db, variantWatch: BINDING_WATCH }, STAFF, variantIds[0]!),
    add(id, dish, 2, true),
    removeVariant({ db, variantWatch: BINDING_WATCH }, STAFF, variantIds[1]!),
    add(id, dish, 3),
    removeVariant({ db, variantWatch: BINDING_WATCH }, STAFF, variantIds[0]!),
    orderVariants({ db }, STAFF, id, { version: 1, variantIds: variantIds.toReversed() }),
  ]);
  const left = await readVariants(id);

  expect(settled.filter((entry) => entry.status === 'fulfilled').length).toBeGreaterThanOrEqual(4);
  expect(left).toHaveLength(2);
  expect(left.filter((entry) => entry.isDefault)).toHaveLength(1);
  expect(await countRows(db, 'catalog_item_binding', { itemId: dish.itemId })).toBe(1);
});

test('a dish stays bound if its last size is removed while another size is added', async () => {
  const { id, dish, variantIds } = await aProduct(1);
  const outcome = await meeting(
    () => add(id, dish, 1),
    () => removeVariant({ db, variantWatch: BINDING_WATCH }, STAFF, variantIds[0]!),
  );

  expect(outcome).toEqual(['done', 'done']);
  expect(await readVariants(id)).toMatchObject([{ isDefault: true }]);
  expect(await countRows(db, 'catalog_item_binding', { itemId: dish.itemId })).toBe(1);
});
