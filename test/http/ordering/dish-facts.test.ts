import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { editVariant } from '../../../modules/catalog/variants/edit-variant.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { createDishFacts } from '../../../modules/ordering/cart/dish-facts.ts';
import type { Cart } from '../../../modules/ordering/schemas/cart.ts';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { saveSetting, updateRows } from '../../support/rows.ts';
import type { Sql } from '../../support/text-database.ts';
import { countStatements } from '../../support/statements.ts';

const fixture = await orderingFixture({ deps: { dishFacts: createDishFacts() } });
const { api, ask, db, makeCart, pickup, pizza, place, preflight, question, rows, soup } = fixture;

beforeAll(() => openForOrders(db, place.organizationId));
beforeEach(() => markDirty(db, 'menu-import', [place.organizationId]));
afterAll(fixture.stop);

const read = async ({ cartId }: { cartId: string }) =>
  (await ask<Cart>('GET', `/cart?cart_id=${cartId}`)).body;
const setPrice = (priceKopecks: number) =>
  updateRows(db, 'mirror_price', { priceKopecks }, { itemSizeId: soup.sizeId });
const findPrice = ({ lines }: Cart) =>
  lines.find(({ variantId }) => variantId === soup.variantId)?.unitPrice;

describe('the dishes of carts', () => {
  test('[ORD-164] need one statement while the menu does not change', async () => {
    const ofGuests = countStatements(db);
    const taken = async (work: () => Promise<unknown>) => {
      const before = api.statements() + ofGuests();
      await work();
      return api.statements() + ofGuests() - before;
    };
    const order = async () => {
      const cart = await makeCart();
      const { body } = await preflight(cart);
      const posted = question(cart, {
        quoteId: body.quote!.id,
        cartVersion: body.cartVersion,
        customer: { name: 'Анна', phone: '+79990001122' },
      });
      return () => ask('POST', '/orders', posted, { key: randomUUID() });
    };
    const cart = await makeCart();
    await read(cart);
    const placed = await order();

    expect({
      made: await taken(() => makeCart()),
      changed: await taken(() => makeCart({ cartId: cart.cartId, version: cart.version })),
      read: await taken(() => read(cart)),
      checked: await taken(() => preflight(cart)),
      ordered: await taken(placed),
    }).toEqual({ made: 5, changed: 6, read: 5, checked: 7, ordered: 11 });
  });

  test('[ORD-164] change with the version tag of their menu, for each process that has read them', async () => {
    const cart = await makeCart();
    await setPrice(27_000);
    const unmarked = await read(cart);
    await markDirty(db, 'menu-import', [place.organizationId]);
    const marked = await read(cart);
    await setPrice(25_000);

    expect([findPrice(unmarked), findPrice(marked)]).toEqual([250, 270]);
  });

  test('[ORD-164] disappear when staff unpublish them, and return when they are published', async () => {
    const cart = await makeCart();
    await moveProduct({ db }, STAFF, pizza.productId, 'unpublish');
    const without = await read(cart);
    await moveProduct({ db }, STAFF, pizza.productId, 'publish');
    const again = await makeCart();

    expect(without.lines.map(({ variantId }) => variantId)).toEqual([soup.variantId]);
    expect(again.lines).toHaveLength(2);
  });

  test('[ORD-164] show an edit of their product immediately, with any version tag', async () => {
    await makeCart();
    await updateRows(db, 'catalog_product', { status: 'DRAFT' }, { id: pizza.productId });
    const hidden = await makeCart();
    await updateRows(db, 'catalog_product', { status: 'PUBLISHED' }, { id: pizza.productId });
    await editVariant({ db }, STAFF, pizza.variantId, {
      version: 1,
      personCount: 4,
      personSplittingEnabled: true,
    });
    const forFive = await makeCart();

    expect(hidden.lines.map(({ variantId }) => variantId)).toEqual([soup.variantId]);
    expect(forFive.persons).toBe(5);
  });

  test('[ORD-164] stop when the ERP stops them, without a new version tag', async () => {
    const cart = await makeCart();
    await rows.stop(place.organizationId, soup.erpId);
    const stopped = await preflight(cart, { fulfillment: pickup() });
    await fixture.empty('mirror_stop_list');

    expect(stopped.body.adjustments.map(({ code }) => code)).toContain('ITEM_REMOVED');
  });

  test('[ORD-164] keep the price of an order that is concurrent with a menu import', async () => {
    const cart = await makeCart();
    const { body } = await preflight(cart);
    await setPrice(27_000);
    await markDirty(db, 'menu-import', [place.organizationId]);
    const posted = question(cart, {
      cartVersion: body.cartVersion,
      customer: { name: 'Анна', phone: '+79990001122' },
    });
    const refused = await ask<{ reasons: string[] }>('POST', '/orders', posted, {
      key: randomUUID(),
    });
    await setPrice(25_000);

    expect(refused).toMatchObject({
      status: 409,
      body: { reasons: expect.arrayContaining(['CART_VERSION']) },
    });
  });

  test('[ORD-164] keep the ids of their groups when modifiers are stopped, except with HIDE', async () => {
    const [sauce, cheese] = [
      await rows.modifier(place.menuId, { [place.organizationId]: 3_000 }),
      await rows.modifier(place.menuId, { [place.organizationId]: 5_000 }),
    ];
    const groupId = await rows.group(place.menuId, pizza.sizeId, { max_quantity: 3 });
    await rows.link(groupId, sauce.itemId, { default_quantity: 1 });
    await rows.link(groupId, cheese.itemId);
    await markDirty(db, 'menu-import', [place.organizationId]);
    const readGroup = async () => {
      const { lines } = await makeCart();
      return lines.find(({ variantId }) => variantId === pizza.variantId)!.modifiers[0]!.groupId;
    };
    const complete = await readGroup();
    await rows.stop(place.organizationId, cheese.erpId);
    const shown = await readGroup();
    await saveSetting(db, 'stoplist_behaviour', 'HIDE');
    const hidden = await readGroup();
    await fixture.empty('mirror_stop_list');
    const again = await readGroup();

    expect([shown, again]).toEqual([complete, complete]);
    expect(hidden).not.toBe(complete);
  });
});

describe('the dishes of one process', () => {
  const dishes = createDishFacts();
  const priceIn = async (tx: Sql, organizationId: number, mark: string) => {
    const menu = await dishes.menu(tx, { organizationId, mark }, [soup.sizeId]);
    return menu.get(soup.sizeId)!.offers[0]?.priceKopecks;
  };

  test('[ORD-164] belong to one restaurant, also if marks are equal', async () => {
    const other = await rows.organization(place.connectionId);
    const { organizationId } = place;
    const prices = [await priceIn(db, organizationId, '1'), await priceIn(db, other.id, '1')];

    expect(prices).toEqual([25_000, undefined]);
  });

  test('[ORD-164] show each transaction the state that it reads', async () => {
    const { organizationId } = place;
    const prices = await db.transaction(
      async (tx) => {
        const before = await priceIn(tx, organizationId, 'before');
        await setPrice(27_000);
        const after = await priceIn(db, organizationId, 'after');
        return [before, after, await priceIn(tx, organizationId, 'before')];
      },
      { oneState: true },
    );
    await setPrice(25_000);

    expect(prices).toEqual([25_000, 27_000, 25_000]);
  });
});
