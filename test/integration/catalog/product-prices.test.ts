import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listProducts } from '../../../modules/catalog/products/list-products.ts';
import { PRODUCT_ISSUES } from '../../../modules/product-issues.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { addRow, databaseNow, updateRows } from '../../support/rows.ts';
import { countStatements } from '../../support/statements.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
});
afterAll(() => database.close());

const list = (limit = 200, filter: { organizationId?: number } = {}) =>
  listProducts(
    database.db,
    { sort: [{ field: 'id', direction: 'asc' }], limit, offset: 0, ...filter },
    PRODUCT_ISSUES,
  );

test('[CAT-31] the list of products shows the prices and organizations that its filter finds', async () => {
  const { db } = database;
  const place = await rows.restaurant();
  const first = place.organizationId;
  const second = (await rows.organization(place.connectionId)).id;
  const closed = (await rows.organization(place.connectionId, { inactive_at: new Date() })).id;
  const cheaper = await rows.externalMenu(place.connectionId, { priority: 900 });
  const soup = await rows.dish({
    ...place,
    prices: { [first]: 25_000, [second]: 27_000, [closed]: 99_000 },
  });
  await rows.offer(cheaper, soup, { [first]: 100 });
  const hidden = await rows.dish({ ...place, prices: { [first]: 30_000, [second]: 31_000 } });
  await addRow(db, 'catalog_product_visibility', {
    productId: hidden.productId,
    organizationId: first,
    isVisible: false,
  });
  const lost = await rows.dish({ ...place, prices: { [first]: 40_000 } });
  await updateRows(db, 'mirror_price', { lostAt: databaseNow() }, { itemSizeId: lost.sizeId });
  const exception = await rows.dish({ ...place, prices: { [first]: 50_000, [second]: 50_000 } });
  await updateRows(db, 'catalog_product', { isVisible: false }, { id: exception.productId });
  await addRow(db, 'catalog_product_visibility', {
    productId: exception.productId,
    organizationId: second,
    isVisible: true,
  });
  const { items } = await list();
  const found = async (organizationId: number) =>
    (await list(200, { organizationId })).items.map(({ id }) => id);
  const named = (organizationId: number) =>
    items.filter((item) => item.organizationIds.includes(organizationId)).map(({ id }) => id);

  expect(items.map(({ id, price, organizationIds }) => ({ id, price, organizationIds }))).toEqual([
    { id: soup.productId, price: { min: 25_000, max: 27_000 }, organizationIds: [first, second] },
    { id: hidden.productId, price: { min: 31_000, max: 31_000 }, organizationIds: [second] },
    { id: lost.productId, price: null, organizationIds: [] },
    { id: exception.productId, price: { min: 50_000, max: 50_000 }, organizationIds: [second] },
  ]);
  expect([named(first), named(second)]).toEqual([await found(first), await found(second)]);
});

test('[CAT-31] the list of products needs as many statements for a page as for one product', async () => {
  const place = await rows.restaurant();
  for (let made = 0; made < 5; made += 1)
    await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
  const taken = async (limit: number) => {
    const counted = countStatements(database.db);
    const before = counted();
    await list(limit);
    return counted() - before;
  };

  expect(await taken(200)).toBe(await taken(1));
});
