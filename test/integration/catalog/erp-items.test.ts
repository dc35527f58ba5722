import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/create-product-of-items.ts';
import { getErpItem, listErpItems, type ErpItemFilter } from '../../../modules/binding/erp-items.ts';
import type { Database } from '../../support/text-database.ts';
import { buildDish, buildMirror, STAFF, type MirrorDish } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let pizza: MirrorDish;
let soup: MirrorDish;
let gone: MirrorDish;

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db, { organizations: 2 });
  pizza = await buildDish(db, mirror, { name: 'Пицца Четыре сыра', sku: 'PZ-4', sizes: ['25', '30'], price: 40_000 });
  soup = await buildDish(db, mirror, { name: 'Суп дня', sku: 'SP-1' });
  gone = await buildDish(db, mirror, { name: 'Исчезнувший' });
  await db.query('update mirror_item set deleted_at = now() where id = $1', [gone.itemId]);
  await db.query(
    `insert into mirror_product_category (erp_id, name) values ('pc-1', 'Выпечка')
     `,
  );
  await db.query(`update mirror_item set product_category_erp_id = 'pc-1' where id = $1`, [pizza.itemId]);
  const [category] = await db.query<{ id: number }>(
    `insert into mirror_menu_category (external_menu_id, erp_id, name, position, synchronized_run) values ($1, 'mc-1', 'Пицца', 0, 1) returning id`,
    [mirror.menuId],
  );
  await db.query(
    'insert into mirror_item_placement (menu_category_id, item_id, position, synchronized_run) values ($1, $2, 0, 1)',
    [category!.id, pizza.itemId],
  );
  await db.query('update mirror_price set price_kopecks = 55500 where organization_id = $1 and item_size_id = $2', [
    mirror.organizationIds[1],
    pizza.sizeIds[0],
  ]);
  await db.query('update mirror_price set lost_at = now() where item_size_id = $1', [pizza.sizeIds[1]]);
});
afterAll(() => close());

const find = (filter: Partial<ErpItemFilter>) => listErpItems(db, { sort: [], limit: 50, offset: 0, ...filter });
const names = async (filter: Partial<ErpItemFilter>) => (await find(filter)).items.map((each) => each.name);

describe('the dishes of the ERP', () => {
  test('show their sizes, the range of live prices and triage; deleted ones are left out', async () => {
    const { items, total } = await find({});
    expect(total).toBe(2);
    expect(items[0]).toEqual({
      itemId: pizza.erpId,
      name: 'Пицца Четыре сыра',
      sku: 'PZ-4',
      type: 'DISH',
      productCategory: { id: 'pc-1', name: 'Выпечка' },
      triage: 'NEW',
      firstSeenAt: expect.any(Date),
      boundProduct: null,
      sizes: [
        {
          erpItemSizeId: pizza.sizeIds[0],
          name: '25',
          code: null,
          sku: 'PZ-4-1',
          weightGrams: null,
          isDefault: false,
          priceMin: 40_000,
          priceMax: 55_500,
        },
        expect.objectContaining({ erpItemSizeId: pizza.sizeIds[1], priceMin: null, priceMax: null }),
      ],
    });
  });

  test('[BND-19] are found by name, by the sku of the dish or of a size, and by their categories', async () => {
    expect(await names({ q: 'четыре' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ q: ' ЧЕТЫРЁ ' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ q: 'pz-4-2' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ q: ' ' })).toEqual(['Пицца Четыре сыра', 'Суп дня']);
    expect(await names({ q: '_' })).toEqual([]);
    expect(await names({ productCategoryId: 'pc-1' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ menuCategoryId: 'mc-1' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ menuCategoryId: 'nowhere' })).toEqual([]);
    expect(await names({ type: 'GOODS' })).toEqual([]);
    expect(await names({ sort: [{ field: 'name', direction: 'desc' }] })).toEqual(['Суп дня', 'Пицца Четыре сыра']);
    expect(await find({ limit: 1, offset: 1 })).toMatchObject({ total: 2, items: [{ name: 'Суп дня' }] });
  });

  test('one that became a product is bound and linked', async () => {
    const variants = [{ erpItemSizeId: soup.sizeIds[0]!, variantOptionCode: null, isDefault: true }];
    const request = { name: 'Суп', variantAxisCode: null, mainImageId: null, categoryIds: [], variants };
    const product = await createProductOfItems({ db }, STAFF, request, null);

    expect(await names({ bound: true })).toEqual(['Суп дня']);
    expect(await names({ bound: false })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ triage: 'NEW' })).toEqual(['Пицца Четыре сыра']);
    expect(await getErpItem(db, soup.erpId)).toMatchObject({
      triage: 'LINKED',
      boundProduct: { id: product.id, name: 'Суп', status: 'DRAFT' },
    });
  });

  test('one card is answered also for a deleted dish', async () => {
    expect(await getErpItem(db, gone.erpId)).toMatchObject({ name: 'Исчезнувший' });
    await expect(getErpItem(db, '00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ kind: 'not-found' });
  });
});
