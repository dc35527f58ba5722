import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { useStorefrontWithPython } from '../../../packages/dev/python-client/use-storefront.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { describeWith, unlessMandatory } from '../../support/unless-mandatory.ts';

const generator = await toolFolder('openapi-python-client', (line) =>
  process.stderr.write(`${line}\n`),
).catch(unlessMandatory);

describeWith(generator, 'a Python client of a foreign generator', (programs) => {
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  let storefront: Storefront;
  beforeAll(async () => {
    database = await migratedDatabase();
    const rows = menuRows(database.db);
    const { organizationId, menuId, categoryId: root } = await rows.restaurant();
    const below = await rows.category({ parent_id: root });
    const categoryId = await rows.category({ parent_id: below });
    const prices = { [organizationId]: 19_99 };
    await rows.dish({ menuId, categoryId, prices });
    const dish = await rows.dish({ menuId, categoryId, prices });
    const modifier = await rows.modifier(menuId, { [organizationId]: 50_00 });
    await rows.link(await rows.group(menuId, dish.sizeId), modifier.itemId);
    await openForOrders(database.db, organizationId);
    storefront = await startStorefront(database, { routes });
    await buildSnapshot(storefront.deps, organizationId);
  });
  afterAll(async () => {
    await storefront?.stop();
    await database?.close();
  });

  test('reads a menu, the category tree and a problem as types, and places an order', async () => {
    expect(await useStorefrontWithPython(programs, storefront.url, { order: true })).toEqual({
      organization: expect.stringContaining('Ресторан'),
      products: 2,
      variants: 2,
      modifiers: 1,
      categoryLevels: 3,
      card: expect.stringContaining('Продукт'),
      refusal: '/problems/not-found',
      order: { status: 'ACCEPTED', lines: 1, total: 39.98, cartTotal: 39.98 },
    });
  });
});
