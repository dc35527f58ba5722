import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import {
  getErpItem,
  listErpItems,
  type ErpItemFilter,
} from '../../../modules/binding/erp-items.ts';
import { listErpCategories } from '../../../modules/binding/erp-categories.ts';
import { triageItem } from '../../../modules/binding/triage-item.ts';
import type { Database } from '../../support/text-database.ts';
import { buildDish, buildMirror, STAFF, type MirrorDish } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { addRow, databaseNow, updateRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let pizza: MirrorDish;
let soup: MirrorDish;
let gone: MirrorDish;

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db, { organizations: 2 });
  pizza = await buildDish(db, mirror, {
    name: 'Пицца Четыре сыра',
    sku: 'PZ-4',
    sizes: ['25', '30'],
    price: 40_000,
  });
  soup = await buildDish(db, mirror, { name: 'Суп дня', sku: 'SP-1' });
  gone = await buildDish(db, mirror, { name: 'Исчезнувший' });
  await updateRows(db, 'mirror_item', { deletedAt: databaseNow() }, { id: gone.itemId });
  await addRow(db, 'mirror_product_category', { erpId: 'pc-1', name: 'Выпечка' });
  await updateRows(db, 'mirror_item', { productCategoryErpId: 'pc-1' }, { id: pizza.itemId });
  const category = await addRow(db, 'mirror_menu_category', {
    externalMenuId: mirror.menuId,
    erpId: 'mc-1',
    name: 'Пицца',
    position: 0,
    synchronizedRun: 1,
  });
  await addRow(db, 'mirror_item_placement', {
    menuCategoryId: category.id,
    itemId: pizza.itemId,
    position: 0,
    synchronizedRun: 1,
  });
  await updateRows(
    db,
    'mirror_price',
    { priceKopecks: 55500 },
    { organizationId: mirror.organizationIds[1], itemSizeId: pizza.sizeIds[0] },
  );
  await updateRows(db, 'mirror_price', { lostAt: databaseNow() }, { itemSizeId: pizza.sizeIds[1] });
});
afterAll(() => close());

const find = (filter: Partial<ErpItemFilter>) =>
  listErpItems(db, { sort: [], limit: 50, offset: 0, ...filter });
const names = async (filter: Partial<ErpItemFilter>) =>
  (await find(filter)).items.map((item) => item.name);

describe('the dishes of the ERP', () => {
  test('show their sizes, the range of live prices and triage, without deleted dishes', async () => {
    const { items, total } = await find({});
    expect(total).toBe(2);
    expect(items[0]).toEqual({
      itemId: pizza.erpId,
      name: 'Пицца Четыре сыра',
      sku: 'PZ-4',
      orderItemType: null,
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
        expect.objectContaining({
          erpItemSizeId: pizza.sizeIds[1],
          priceMin: null,
          priceMax: null,
        }),
      ],
    });
  });

  test('[BND-19] appear in searches by name, by the sku of the dish or of a size, and by their categories', async () => {
    expect(await names({ q: 'четыре' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ q: ' ЧЕТЫРЁ ' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ q: 'pz-4-2' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ q: ' ' })).toEqual(['Пицца Четыре сыра', 'Суп дня']);
    expect(await names({ q: '_' })).toEqual([]);
    expect(await names({ productCategoryId: 'pc-1' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ menuCategoryId: 'mc-1' })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ menuCategoryId: 'nowhere' })).toEqual([]);
    expect(await names({ type: 'GOODS' })).toEqual([]);
    expect(await names({ sort: [{ field: 'name', direction: 'desc' }] })).toEqual([
      'Суп дня',
      'Пицца Четыре сыра',
    ]);
    expect(await find({ limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      items: [{ name: 'Суп дня' }],
    });
  });

  test('[BND-43] match filters by organization, current price and first import', async () => {
    const [first, second] = mirror.organizationIds as [number, number];
    const bare = await addRow(db, 'mirror_item', { name: 'Без цены' });
    await updateRows(
      db,
      'mirror_item',
      { firstSeenAt: new Date('2026-01-05T00:00:00Z') },
      { id: bare.id },
    );
    await updateRows(
      db,
      'mirror_item',
      { firstSeenAt: new Date('2026-01-01T00:00:00Z') },
      { id: pizza.itemId },
    );
    await updateRows(
      db,
      'mirror_price',
      { lostAt: databaseNow() },
      { itemSizeId: soup.sizeIds[0], organizationId: second },
    );
    const dishes = ['Пицца Четыре сыра', 'Суп дня'];

    expect(await names({ organizationId: first })).toEqual(dishes);
    expect(await names({ hasPrice: true })).toEqual(dishes);
    expect(await names({ hasPrice: false })).toEqual(['Без цены']);
    expect(await names({ hasPrice: true, organizationId: second })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ hasPrice: false, organizationId: second })).toEqual(['Суп дня']);
    expect(await names({ firstSeenSince: '2026-01-02T00:00:00Z' })).toEqual([
      'Без цены',
      'Суп дня',
    ]);
    await updateRows(db, 'external_menu_setting', { isEnabled: false });
    expect(await names({ organizationId: first })).toEqual([]);
    expect(await names({ hasPrice: true, organizationId: first })).toEqual([]);
    await updateRows(db, 'external_menu_setting', { isEnabled: true });
    await updateRows(db, 'mirror_price', { lostAt: null }, { itemSizeId: soup.sizeIds[0] });
    await updateRows(db, 'mirror_item', { deletedAt: databaseNow() }, { id: bare.id });
  });

  test('[BND-41] count in their categories of the ERP, with the number of new dishes', async () => {
    const list = async (filter: object) =>
      (await listErpCategories(db, { page: 1, size: 50, ...filter })).items;
    const bakery = { kind: 'PRODUCT', id: 'pc-1', name: 'Выпечка', itemCount: 1, newItemCount: 1 };
    const pizzas = { kind: 'MENU', id: 'mc-1', name: 'Пицца', itemCount: 1, newItemCount: 1 };

    expect(await list({})).toEqual([bakery, pizzas]);
    expect(await list({ kind: 'MENU' })).toEqual([pizzas]);
    expect(await list({ q: 'ВЫПЕЧ' })).toEqual([bakery]);
    await triageItem({ db }, STAFF, pizza.erpId, { status: 'IGNORED', note: null });
    expect(await list({ kind: 'MENU' })).toEqual([{ ...pizzas, newItemCount: 0 }]);
    await triageItem({ db }, STAFF, pizza.erpId, { status: 'NEW', note: null });
  });

  test('link the product that was created from them', async () => {
    const variants = [
      { erpItemSizeId: soup.sizeIds[0]!, variantOptionCode: null, isDefault: true },
    ];
    const request = {
      name: 'Суп',
      variantAxisCode: null,
      mainImageId: null,
      categoryIds: [],
      variants,
    };
    const product = await createProductOfItems({ db }, STAFF, request, null);

    expect(await names({ bound: true })).toEqual(['Суп дня']);
    expect(await names({ bound: false })).toEqual(['Пицца Четыре сыра']);
    expect(await names({ triage: 'NEW' })).toEqual(['Пицца Четыре сыра']);
    expect(await getErpItem(db, soup.erpId)).toMatchObject({
      triage: 'LINKED',
      boundProduct: { id: product.id, name: 'Суп', status: 'DRAFT' },
    });
  });

  test('include a deleted dish if it is requested by its id', async () => {
    expect(await getErpItem(db, gone.erpId)).toMatchObject({ name: 'Исчезнувший' });
    await expect(getErpItem(db, '00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
