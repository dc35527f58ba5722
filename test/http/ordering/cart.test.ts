import { randomUUID } from 'node:crypto';
import { BUDGETS_OF_SITE } from '../../../api/http/limits/hot-rate-limit.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { recordMediaBase } from '../../../modules/media/media-base.ts';
import { tryPromocode } from '../../../modules/ordering/promotions/promocode-throttle.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import type { Cart } from '../../../modules/ordering/schemas/cart.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import {
  orderingFixture,
  type Answer as Answered,
  type Dish,
} from '../../support/ordering-fixture.ts';
import { asOwner } from '../../support/database-roles.ts';
import {
  addRows,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, database, rows, place, soup, pizza, guestsOf, tokenOf } = fixture;
let sauces: { groupKey: string; cheap: string; dear: string; dearItemId: number };

beforeAll(async () => {
  const price = (kopecks: number) => ({ [place.organizationId]: kopecks });
  const [cheap, dear] = [
    await rows.modifier(place.menuId, price(3_000)),
    await rows.modifier(place.menuId, price(5_000)),
  ];
  const groupId = await rows.group(place.menuId, pizza.sizeId, {
    group_key: 'sauces',
    free_quantity: 1,
    max_quantity: 3,
  });
  await rows.link(groupId, cheap.itemId, { max_quantity: 3, default_quantity: 1 });
  await rows.link(groupId, dear.itemId, { max_quantity: 2 });
  sauces = { groupKey: 'sauces', cheap: cheap.erpId, dear: dear.erpId, dearItemId: dear.itemId };
});
afterAll(fixture.stop);
beforeEach(() =>
  fixture.empty(
    'mirror_stop_list',
    'discount_use',
    'promocode',
    'discount',
    'service_role',
    'window_count',
  ),
);

type Problem = {
  type: string;
  detail?: string;
  currentVersion?: number;
  cartId?: string;
  errors?: { field: string; code: string }[];
};
type Answer = Answered<Cart & Problem> & { headers: Headers };
async function ask(method: string, path: string, body?: object, token?: string): Promise<Answer> {
  const response = await fixture.request(method, path, body, { token });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

const post = (body: object, token?: string) =>
  ask('POST', '/cart', { organizationId: place.organizationErpId, lines: [], ...body }, token);
const read = (cartId: string, token?: string) =>
  ask('GET', `/cart?cart_id=${cartId}`, undefined, token);
const line = (dish: Dish, quantity = 1, rest: object = {}) => ({
  variantId: dish.variantId,
  quantity,
  modifiers: [],
  ...rest,
});
const again = ({ cartId, version, lines }: Cart, rest: object = {}) => ({
  cartId,
  version,
  lines: lines.map(({ lineId, variantId, quantity, modifiers, comment }) => ({
    lineId,
    variantId,
    quantity,
    modifiers: modifiers.map(({ groupId, modifierId, quantity: units }) => ({
      groupId,
      modifierId,
      quantity: units,
    })),
    comment,
  })),
  ...rest,
});
const setPrice = (dish: Dish, kopecks: number) =>
  updateRows(database.db, 'mirror_price', { priceKopecks: kopecks }, { itemSizeId: dish.sizeId });
const listErrors = ({ status, body }: Answer) => ({
  status,
  errors: body.errors?.map(({ field, code }) => [field, code]),
});
const discount = (row: Record<string, unknown> = {}) =>
  rows.insert('discount', {
    code: `d${randomUUID()}`,
    name: 'Скидка',
    kind: 'PERCENT',
    value: 10,
    ...row,
  });

describe('a cart', () => {
  test('contains all its totals when it is created', async () => {
    const { status, headers, body } = await post({ lines: [line(soup, 2), line(pizza)] });

    expect([status, headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    expect(body).toMatchObject({
      version: 1,
      organizationId: place.organizationErpId,
      lines: [
        {
          variantId: soup.variantId,
          quantity: 2,
          unitPrice: 250,
          lineTotal: 500,
          priceChanged: false,
          available: true,
        },
        // One unit of the group is free.
        {
          variantId: pizza.variantId,
          unitPrice: 600,
          modifiers: [{ modifierId: sauces.cheap, quantity: 1, freeQuantity: 1, unitPrice: 30 }],
        },
      ],
      subtotal: 1_100,
      discounts: [],
      gifts: [],
      serviceItems: [],
      deliveryFee: 0,
      total: 1_100,
      changes: [],
      persons: 1,
    });
    expect(body.lines[0]!.image).toMatchObject({ url: expect.stringContaining('/media/') });
    expect(body.updatedAt).toMatch(/\+03:00$/);
    expect((await read(body.cartId)).body).toEqual(body);
  });

  test('[MED-11, MED-12] contains pictures with size at the CDN', async () => {
    await recordMediaBase(database, 'https://cdn.example');
    const { body } = await post({ lines: [line(soup)] });
    await fixture.empty('media_base');
    const { body: without } = await read(body.cartId);

    expect(body.lines[0]!.image).toMatchObject({
      url: expect.stringMatching(/^https:\/\/cdn\.example\/media\//),
      srcset: expect.stringMatching(/^https:\S+ 1x, https:\S+ 2x$/),
      width: 400,
      height: 400,
    });
    expect(without.lines[0]!.image!.url).toMatch(/^\/media\//);
  });

  test('[ORD-11] changes with the current version, and returns the current cart for another version', async () => {
    const { body: first } = await post({ lines: [line(soup)] });
    const changed = await post(again(first, { lines: [line(pizza, 3)] }));
    const late = await post(again(first));

    expect(changed).toMatchObject({ status: 200, body: { version: 2, total: 1_800 } });
    expect(late).toMatchObject({
      status: 409,
      body: { type: '/problems/version-conflict', currentVersion: 2 },
    });
    expect(listErrors(await post({ cartId: first.cartId }))).toEqual({
      status: 422,
      errors: [['version', 'required']],
    });
  });

  test('stays the same with the same lines if its answer is posted', async () => {
    const { body: first } = await post({
      lines: [line(soup, 2, { comment: 'Без лука' }), line(pizza)],
    });
    const { body: second } = await post(again(first));

    expect(second).toEqual({ ...first, version: 2, updatedAt: second.updatedAt });
  });

  test('[ORD-4, HTTP-10] accepts its own lines, ignores server fields and rejects other fields by name', async () => {
    const { body: first } = await post({
      lines: [line(soup, 2, { comment: 'Без лука' }), line(pizza)],
    });
    const { cartId, version } = first;
    const forged = first.lines.map((answered) => ({
      ...answered,
      unitPrice: 1,
      lineTotal: 'free',
      available: null,
    }));
    const second = await post({ cartId, version, lines: first.lines });
    const third = await post({ cartId, version: 2, lines: forged });
    const odd = first.lines.map((answered) => ({ ...answered, colour: 'red', sizes: 1 }));
    const refused = await post({ cartId, version: 3, lines: odd });

    expect(second.body).toEqual({ ...first, version: 2, updatedAt: second.body.updatedAt });
    expect(third.body).toEqual({ ...first, version: 3, updatedAt: third.body.updatedAt });
    expect(listErrors(refused)).toEqual({
      status: 422,
      errors: [0, 1].flatMap((at) =>
        ['colour', 'sizes'].map((name) => [`lines.${at}.${name}`, 'unknown_field']),
      ),
    });
    expect(refused.body.detail).toMatch(
      /^lines\.0\.colour: .*; lines\.0\.sizes: .*; lines\.1\.colour: .*; and 1 more\.$/,
    );
  });

  test('[ORD-16] looks unknown if it belongs to a customer and was unchanged for 30 days', async () => {
    const token = await tokenOf('kurt');
    const { body } = await post({ lines: [line(soup)] }, token);
    await updateRows(database.db, 'cart', { updatedAt: ago('29 days') }, { id: body.cartId });
    const before = await read(body.cartId, token);
    const kept = await deleteOutdated(database.db);
    await updateRows(
      database.db,
      'cart',
      { updatedAt: ago('30 days 1 minute') },
      { id: body.cartId },
    );

    expect((await read(randomUUID())).status).toBe(404);
    expect([before.status, kept['cart']]).toEqual([200, 0]);
    expect((await read(body.cartId, token)).status).toBe(404);
    expect((await post(again(body), token)).status).toBe(404);
    expect((await deleteOutdated(database.db))['cart']).toBe(1);
  });

  test('[ORD-126] expires 2 days after its last change if a guest did not use it again', async () => {
    const { body } = await post({ lines: [line(soup)] });
    await updateRows(database.db, 'cart', { updatedAt: ago('47 hours') }, { id: body.cartId });
    const kept = await deleteOutdated(database.db);
    await updateRows(
      database.db,
      'cart',
      { updatedAt: ago('2 days 1 minute') },
      { id: body.cartId },
    );

    expect(kept['cart']).toBe(0);
    expect((await read(body.cartId)).status).toBe(404);
    expect((await post(again(body))).status).toBe(404);
    expect((await deleteOutdated(database.db))['cart']).toBe(1);
  });

  test.each<[string, (cart: Cart) => Promise<{ status: number }>]>([
    ['read', ({ cartId }) => read(cartId)],
    ['changed', (cart) => post(again(cart))],
  ])(
    '[ORD-16] expires, if a guest has %s it again, 30 days after its last change',
    async (_, use) => {
      const { body } = await post({ lines: [line(soup)] });
      const used = await use(body);
      await updateRows(database.db, 'cart', { updatedAt: ago('29 days') }, { id: body.cartId });
      const before = await read(body.cartId);
      const kept = await deleteOutdated(database.db);
      await updateRows(
        database.db,
        'cart',
        { updatedAt: ago('30 days 1 minute') },
        { id: body.cartId },
      );

      expect([used.status, before.status, kept['cart']]).toEqual([200, 200, 0]);
      expect((await read(body.cartId)).status).toBe(404);
      expect((await deleteOutdated(database.db))['cart']).toBe(1);
    },
  );

  test('[HTTP-34] rejects comments of more than 4,096 bytes in total', async () => {
    const comments = (units: number, rest = '') => [
      ...Array.from({ length: units }, (_, at) =>
        line(soup, 1, { comment: `${'я'.repeat(196)}${String(at).padStart(4, '0')}` }),
      ),
      ...(rest === '' ? [] : [line(soup, 1, { comment: rest })]),
    ];
    const full = await post({ lines: comments(10, 'a'.repeat(136)) });
    const over = await post({ lines: comments(10, 'a'.repeat(137)) });
    const token = await tokenOf('lena');
    const { body: own } = await post({ lines: comments(10) }, token);
    const joined = await post(
      again((await post({ lines: [line(soup, 1, { comment: 'b'.repeat(137) })] })).body),
      token,
    );

    expect([full.status, own.lines.length]).toEqual([201, 10]);
    for (const refused of [over, joined])
      expect(listErrors(refused)).toEqual({ status: 422, errors: [['lines', 'max_length']] });
    expect((await read(own.cartId, token)).status).toBe(200);
  });

  test.each<[string, () => object, [string, string][]]>([
    [
      'an unknown organization',
      () => ({ organizationId: randomUUID() }),
      [['organizationId', 'not_found']],
    ],
    [
      'an unknown variant',
      () => ({ lines: [{ ...line(soup), variantId: 999_999 }] }),
      [['lines.0.variantId', 'not_found']],
    ],
    [
      'more than 100 lines',
      () => ({ lines: Array.from({ length: 101 }, () => line(soup)) }),
      [['lines', 'max_items']],
    ],
    ['no units', () => ({ lines: [line(soup, 0)] }), [['lines.0.quantity', 'min']]],
    ['too many units', () => ({ lines: [line(soup, 100)] }), [['lines.0.quantity', 'max']]],
    [
      'a field that no line has',
      () => ({ lines: [line(soup, 1, { price: 1 })] }),
      [['lines.0.price', 'unknown_field']],
    ],
    ['service items of its own', () => ({ serviceItems: [] }), [['serviceItems', 'unknown_field']]],
    [
      'one line twice',
      () => {
        const lineId = randomUUID();
        return { lines: [line(soup, 1, { lineId }), line(pizza, 1, { lineId })] };
      },
      [['lines.1.lineId', 'duplicate']],
    ],
  ])('cannot have %s', async (_, body, errors) => {
    expect(listErrors(await post(body()))).toEqual({ status: 422, errors });
  });
});

describe('the modifiers of a line', () => {
  const readGroup = async () =>
    (await post({ lines: [line(pizza)] })).body.lines[0]!.modifiers[0]!.groupId;
  const take = (groupId: string, modifierId: string, quantity: number) => ({
    groupId,
    modifierId,
    quantity,
  });
  const pizzaWith = (...modifiers: object[]) => ({ lines: [line(pizza, 1, { modifiers })] });

  test('cost their prices, with the cheapest units free, and 0 units remove the default', async () => {
    const group = await readGroup();
    const dear = await post(pizzaWith(take(group, sauces.cheap, 1), take(group, sauces.dear, 2)));
    const none = await post(pizzaWith(take(group, sauces.cheap, 0)));

    expect(dear.body.lines[0]).toMatchObject({ unitPrice: 700, lineTotal: 700 });
    expect(none.body.lines[0]).toMatchObject({ unitPrice: 600, modifiers: [{ quantity: 0 }] });
    expect((await post(again(none.body))).body.lines[0]).toMatchObject({
      modifiers: [{ quantity: 0 }],
    });
  });

  test.each<[string, (group: string) => object[], [string, string][]]>([
    [
      'over the limit of the group',
      (group) => [take(group, sauces.cheap, 2), take(group, sauces.dear, 2)],
      [['lines.0.modifiers', 'max']],
    ],
    [
      'over the limit of one modifier',
      (group) => [take(group, sauces.dear, 3)],
      [['lines.0.modifiers', 'max']],
    ],
    [
      'that the group does not have',
      (group) => [take(group, randomUUID(), 1)],
      [['lines.0.modifiers.0.modifierId', 'not_found']],
    ],
    [
      'of a group that the variant does not have',
      () => [take('mg_none', randomUUID(), 1)],
      [['lines.0.modifiers.0.groupId', 'not_found']],
    ],
  ])('[ORD-4] cannot be units %s, with the field', async (_, make, errors) => {
    expect(listErrors(await post(pizzaWith(...make(await readGroup()))))).toEqual({
      status: 422,
      errors,
    });
  });

  test('[ORD-5] match by the group id of a menu that is older than a price', async () => {
    const group = await readGroup();
    await updateRows(
      database.db,
      'mirror_price',
      { priceKopecks: 5500 },
      {
        itemSizeId: database.db.db
          .selectFrom('mirror_item_size')
          .where('itemId', '=', sauces.dearItemId)
          .select('id')
          .$asScalar(),
      },
    );
    const { body } = await post(pizzaWith(take(group, sauces.dear, 2)));
    await updateRows(database.db, 'mirror_price', { priceKopecks: 5000 }, { priceKopecks: 5500 });

    expect(body.lines[0]).toMatchObject({
      unitPrice: 655,
      modifiers: [{ modifierId: sauces.dear, quantity: 2 }],
    });
    expect(body.lines[0]!.modifiers[0]!.groupId).not.toBe(group);
  });

  test('disappear and are reported if they are stopped, and the line stays', async () => {
    const group = await readGroup();
    const { body: cart } = await post(pizzaWith(take(group, sauces.dear, 1)));
    await rows.stop(place.organizationId, sauces.dear);
    const { body } = await read(cart.cartId);

    expect(body).toMatchObject({
      version: 2,
      lines: [{ lineId: cart.lines[0]!.lineId, modifiers: [], unitPrice: 600 }],
      changes: [
        {
          action: 'MODIFIERS_REMOVED',
          reason: 'STOP_LIST',
          itemId: pizza.erpId,
          removedModifiers: [{ modifierId: sauces.dear, quantity: 1 }],
        },
      ],
    });
  });

  test('[SNP-50] remove the dish from the cart if all required ones are stopped', async () => {
    await updateRows(
      database.db,
      'mirror_modifier_group',
      { minQuantity: 1 },
      { groupKey: 'sauces' },
    );
    const { body: cart } = await post(pizzaWith(take(await readGroup(), sauces.dear, 1)));
    await rows.stop(place.organizationId, sauces.dear);
    const { body: one } = await read(cart.cartId);
    await rows.stop(place.organizationId, sauces.cheap);
    const { body: none } = await read(cart.cartId);
    const { body: again } = await post(pizzaWith());
    await updateRows(
      database.db,
      'mirror_modifier_group',
      { minQuantity: 0 },
      { groupKey: 'sauces' },
    );

    expect(one.lines).toMatchObject([{ variantId: pizza.variantId, modifiers: [] }]);
    const removed = { action: 'REMOVED', reason: 'STOP_LIST', itemId: pizza.erpId };
    expect(none.lines).toEqual([]);
    expect(none.changes).toContainEqual(expect.objectContaining(removed));
    expect(again).toMatchObject({
      lines: [],
      changes: [{ action: 'REMOVED', reason: 'STOP_LIST' }],
    });
  });
});

describe('units above the balance of the ERP', () => {
  const leave = (erpId: string, balance: number) =>
    rows.stop(place.organizationId, erpId, { balance });

  test('[ORD-74] disappear from posted and read carts, and are reported before and after', async () => {
    const { body: cart } = await post({ lines: [line(soup, 2), line(pizza)] });
    await leave(soup.erpId, 3.5);
    const { body: enough } = await read(cart.cartId);
    const { body: posted } = await post(
      again(cart, { lines: [line(soup, 2), line(soup, 2, { comment: 'Без лука' })] }),
    );
    await updateRows(database.db, 'mirror_stop_list', { balance: 1 });
    const { body: noticed } = await read(cart.cartId);
    await updateRows(database.db, 'mirror_stop_list', { balance: 0.5 });
    const { body: gone } = await read(cart.cartId);

    expect(enough).toEqual(cart);
    const reduced = (before: number, after: number) => ({
      action: 'QUANTITY_REDUCED',
      reason: 'STOP_LIST',
      itemId: soup.erpId,
      quantity: { before, after },
      removedModifiers: [],
      message: expect.stringContaining(`было ${before}, стало ${after}`),
    });
    expect(posted).toMatchObject({ version: 2, subtotal: 750, changes: [reduced(2, 1)] });
    expect(posted.lines.map(({ quantity }) => quantity)).toEqual([2, 1]);
    expect(noticed).toMatchObject({
      version: 3,
      lines: [{ quantity: 1 }],
      subtotal: 250,
      changes: [
        reduced(2, 1),
        reduced(2, 1),
        { action: 'REMOVED', reason: 'STOP_LIST', quantity: null },
      ],
    });
    expect(gone).toMatchObject({ version: 4, lines: [], subtotal: 0 });
  });

  test('disappear from the dish if they are units of a modifier, for all dishes', async () => {
    const { body: cart } = await post({
      lines: [line(pizza, 2), line(pizza, 1, { comment: 'Без лука' })],
    });
    await leave(sauces.cheap, 2);
    const { body } = await read(cart.cartId);
    const { body: posted } = await post(again(body));

    expect(body.lines.map(({ quantity, modifiers }) => [quantity, modifiers[0]!.quantity])).toEqual(
      [
        [2, 1],
        [1, 0],
      ],
    );
    expect(body.changes).toMatchObject([
      {
        action: 'MODIFIERS_REMOVED',
        reason: 'STOP_LIST',
        removedModifiers: [{ modifierId: sauces.cheap, quantity: 1 }],
      },
    ]);
    expect(posted).toMatchObject({ version: 3, changes: [] });
  });
});

describe('content that is not available', () => {
  test('[ORD-12, ORD-14] appears as removed in each answer until a newer version is posted', async () => {
    const { body: cart } = await post({ lines: [line(soup), line(pizza)] });
    await rows.stop(place.organizationId, soup.erpId);
    const posted = await post(again(cart));
    const removed = {
      action: 'REMOVED',
      reason: 'STOP_LIST',
      itemId: soup.erpId,
      message: expect.stringContaining('убрали'),
    };

    expect(posted.body).toMatchObject({ version: 2, total: 600, changes: [removed] });
    // A late repetition is rejected, and the cart still reports the removal.
    expect((await post(again(cart))).status).toBe(409);
    expect((await read(cart.cartId)).body).toEqual(posted.body);
    expect((await post(again(posted.body))).body).toMatchObject({ version: 3, changes: [] });
  });

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'that is the delivery fee',
      () => rows.insert('service_role', { role: 'DELIVERY_FEE', erp_item_id: soup.erpId }, 'role'),
      () => deleteRows(database.db, 'service_role'),
    ],
    [
      'that staff have unpublished',
      () =>
        updateRows(
          database.db,
          'catalog_product',
          { status: 'UNPUBLISHED' },
          { id: soup.productId },
        ),
      () =>
        updateRows(database.db, 'catalog_product', { status: 'PUBLISHED' }, { id: soup.productId }),
    ],
    [
      'that staff hide in the restaurant',
      () =>
        rows.insert(
          'catalog_product_visibility',
          { product_id: soup.productId, organization_id: place.organizationId, is_visible: false },
          'product_id',
        ),
      () => deleteRows(database.db, 'catalog_product_visibility'),
    ],
    [
      'whose price the ERP has lost',
      () =>
        updateRows(
          database.db,
          'mirror_price',
          { lostAt: databaseNow() },
          { itemSizeId: soup.sizeId },
        ),
      () => updateRows(database.db, 'mirror_price', { lostAt: null }, { itemSizeId: soup.sizeId }),
    ],
  ])('[ORD-79] a dish %s causes NOT_IN_MENU', async (_, happens, back) => {
    const { body: cart } = await post({ lines: [line(soup)] });
    await happens();
    const { body } = await read(cart.cartId);
    await back();

    expect(body).toMatchObject({
      version: 2,
      lines: [],
      total: 0,
      changes: [{ action: 'REMOVED', reason: 'NOT_IN_MENU' }],
    });
  });

  test.each(['FREE_SOY', 'CUTLERY', 'SUGAR', 'LEAVE_AT_DOOR'])(
    '[ORD-92] cannot be a line if it has the role %s, and is still added automatically',
    async (role) => {
      const { body: cart } = await post({ lines: [line(pizza), line(soup, 99)] });
      await rows.insert('service_role', { role, erp_item_id: soup.erpId }, 'role');
      const { body: read1 } = await read(cart.cartId);
      const { body: posted } = await post({ lines: [line(soup, 99)] });
      await deleteRows(database.db, 'service_role');

      expect(read1).toMatchObject({
        lines: [{ variantId: pizza.variantId }],
        changes: [{ action: 'REMOVED', reason: 'NOT_IN_MENU', variantId: soup.variantId }],
      });
      expect(posted).toMatchObject({
        lines: [],
        changes: [{ action: 'REMOVED', reason: 'NOT_IN_MENU' }],
      });
    },
  );

  test('[ORD-12] remains in the cart while the restaurant is not served', async () => {
    const { body: cart } = await post({ lines: [line(soup, 2), line(pizza)] });
    const inactive = (inactiveAt: Date | null) =>
      updateRows(database.db, 'mirror_organization', { inactiveAt }, { id: place.organizationId });
    await inactive(new Date());
    const { body } = await read(cart.cartId);
    const refused = await post(again(cart));
    await inactive(null);

    expect(body).toMatchObject({ version: 1, total: 1_100, changes: [] });
    // The lines stay, so that a client can post the cart again when the restaurant is served again.
    expect(body.lines).toEqual(cart.lines.map((entry) => ({ ...entry, available: false })));
    expect(listErrors(refused)).toEqual({ status: 422, errors: [['organizationId', 'not_found']] });
  });
});

test('[ORD-11] a price change creates another version, and is reported until the guest has posted it', async () => {
  const { body: cart } = await post({ lines: [line(soup)] });
  await setPrice(soup, 26_000);
  const { body: changed } = await read(cart.cartId);
  const { body: unchanged } = await read(cart.cartId);
  const { body: posted } = await post(again(changed));
  await setPrice(soup, 25_000);

  expect(changed).toMatchObject({
    version: 2,
    total: 260,
    lines: [{ unitPrice: 260, priceChanged: true }],
  });
  expect(unchanged).toEqual(changed);
  expect(posted).toMatchObject({ version: 3, lines: [{ priceChanged: false }] });
});

describe('the discounts of a cart', () => {
  test('[ORD-73] appear under a promo code for them if they need none', async () => {
    const free = await discount({ code: 'free', needs_promocode: true });
    await rows.insert('promocode', { code: 'LEADS', discount_id: free });
    const { body: cart } = await post({ lines: [line(soup)], promocode: 'leads' });
    await updateRows(database.db, 'discount', { needsPromocode: false }, { id: free });

    expect((await read(cart.cartId)).body.discounts).toEqual(cart.discounts);
    expect(cart.discounts).toMatchObject([{ code: 'LEADS', applied: true }]);
    expect((await post({ lines: [line(soup)] })).body.discounts).toMatchObject([
      { code: 'free', applied: true },
    ]);
  });

  test('[ORD-7] form the best combination, and replaced ones are reported', async () => {
    await discount({ code: 'autumn', value: 15 });
    await discount({ code: 'lunch', value: 10, is_combinable: true });
    await discount({ code: 'sum', kind: 'FIXED', value: 5_000, is_combinable: true });
    const { body } = await post({ lines: [line(soup, 2)] });

    expect(body).toMatchObject({ subtotal: 500, total: 400 });
    expect(
      body.discounts.map(({ code, applied, amount, reason }) => [code, applied, amount, reason]),
    ).toEqual([
      ['autumn', false, 0, 'NOT_COMBINABLE'],
      ['lunch', true, 50, null],
      ['sum', true, 50, null],
    ]);
  });

  test('create another version when they end', async () => {
    const id = await discount();
    const { body: cart } = await post({ lines: [line(soup)] });
    await updateRows(database.db, 'discount', { isActive: false }, { id });

    expect(cart).toMatchObject({ total: 225 });
    expect((await read(cart.cartId)).body).toMatchObject({ version: 2, total: 250, discounts: [] });
  });

  test('[ORD-8] match a promo code in any case of letters, and wrong and foreign codes look the same', async () => {
    const discountId = await discount({ needs_promocode: true });
    await rows.insert('promocode', { code: 'WELCOME', discount_id: discountId });
    await rows.insert('promocode', { code: 'ANNAS', discount_id: discountId, customer_id: 'anna' });
    const codes = async (promocode: string, token?: string) =>
      (await post({ lines: [line(soup)], promocode }, token)).body.discounts.map(
        ({ applied, amount, reason, message }) => ({ applied, amount, reason, message }),
      );
    const unknown = [
      { applied: false, amount: 0, reason: 'UNKNOWN', message: 'Такого промокода нет.' },
    ];

    expect(await codes(' welcome ')).toMatchObject([{ applied: true, amount: 25, reason: null }]);
    expect(await codes('nothing')).toEqual(unknown);
    expect(await codes('annas')).toEqual(unknown);
    expect(await codes('annas', await tokenOf('boris'))).toEqual(unknown);
    expect(await codes('annas', await tokenOf('anna'))).toMatchObject([{ applied: true }]);
  });

  test('stay with a promo code until it is removed', async () => {
    await rows.insert('promocode', {
      code: 'STAYS',
      discount_id: await discount({ needs_promocode: true }),
    });
    const { body: cart } = await post({ lines: [line(soup)], promocode: 'STAYS' });
    const { body: kept } = await post(again(cart, { lines: [line(soup, 2)] }));
    const { body: without } = await post(again(kept, { promocode: null }));

    expect(kept).toMatchObject({ promocode: 'STAYS', total: 450 });
    expect(without).toMatchObject({ promocode: null, discounts: [], total: 500 });
  });

  test('cannot be applied if they are used up, or used by the customer', async () => {
    const [limited, once] = [
      await discount({ code: 'a', total_uses: 1 }),
      await discount({ code: 'b', once_per_customer: true }),
    ];
    await addRows(database.db, 'discount_use', [
      { discountId: limited, orderId: await rows.order(place), customerId: 'vera' },
      { discountId: once, orderId: await rows.order(place), customerId: 'vera' },
    ]);
    const reasons = async (token?: string) =>
      (await post({ lines: [line(soup)] }, token)).body.discounts.map(({ code, reason }) => [
        code,
        reason,
      ]);

    expect(await reasons(await tokenOf('vera'))).toEqual([
      ['a', 'LIMIT_REACHED'],
      ['b', 'ALREADY_USED'],
    ]);
    expect(await reasons()).toEqual([
      ['a', 'LIMIT_REACHED'],
      ['b', 'CUSTOMER_REQUIRED'],
    ]);
  });

  test('[ORD-17] cause no attempts for valid codes and requests without one', async () => {
    await rows.insert('promocode', {
      code: 'LUNCH',
      discount_id: await discount({ needs_promocode: true }),
    });
    const lunch = () => post({ lines: [line(soup)], promocode: 'lunch' });
    const guess = (at: number) => post({ lines: [line(soup)], promocode: `GUESS${at}` });
    const { body: cart } = await lunch();
    for (let times = 0; times < 4; times += 1) await Promise.all(Array.from({ length: 15 }, lunch));
    const statuses = new Set<number>();
    for (let at = 0; at < 12; at += 1)
      statuses.add(
        (await post({ ...again(cart, { promocode: `GUESS${at}` }), version: 99 })).status,
      );
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(at)));
    const late = await Promise.all(Array.from({ length: 20 }, lunch));
    const times = await database.db.db
      .selectFrom('window_count')
      .select((row) => row.fn.max('times').as('times'))
      .execute();

    expect([...statuses]).toEqual([409]);
    expect(guesses.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([429]));
    expect(times).toEqual([{ times: 50 }]);
  });

  test('[ORD-17] cannot be guessed, because a cart is rejected with any code after ten codes', async () => {
    const { body: cart } = await post({ lines: [line(soup)] });
    let latest = cart;
    for (let at = 0; at < 10; at += 1)
      latest = (await post(again(latest, { promocode: `GUESS${at}` }))).body;
    const refused = await post(
      again(latest, { promocode: 'GUESS10', cartId: latest.cartId.toUpperCase() }),
    );

    expect(refused).toMatchObject({ status: 429, body: { type: '/problems/rate-limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await post(again(latest, { promocode: 'guess9' }))).status).toBe(200);
    expect(JSON.stringify(await selectRows(database.db, 'window_count', '*'))).not.toContain(
      cart.cartId,
    );
  });
});

describe('the service items of a cart', () => {
  test('[ORD-10] follow their roles, stay hidden at the door, and are never added at a price', async () => {
    const free = await rows.modifier(place.menuId, { [place.organizationId]: 0 });
    const role = (name: string, erpId: string) =>
      rows.insert('service_role', { role: name, erp_item_id: erpId }, 'erp_item_id');
    await role('LEAVE_AT_DOOR', free.erpId);
    const { body } = await post({ lines: [line(soup)], options: { leaveAtDoor: true } });
    await updateRows(
      database.db,
      'mirror_price',
      { priceKopecks: 100 },
      { itemSizeId: free.sizeId },
    );
    const { body: dear } = await read(body.cartId);

    expect(body.serviceItems).toEqual([
      {
        role: 'LEAVE_AT_DOOR',
        name: expect.any(String),
        quantity: 1,
        unitPrice: 0,
        lineTotal: 0,
        hidden: true,
      },
    ]);
    expect(body).toMatchObject({
      total: 250,
      options: { leaveAtDoor: true, cutlery: 0, sugar: 0 },
    });
    expect(dear).toMatchObject({ version: 2, total: 250, serviceItems: [] });
  });

  test('use the dish of an item that is also a modifier of the ERP', async () => {
    const { erpId } = await rows.modifier(place.menuId, { [place.organizationId]: 5_000 });
    const { id: itemId } = await rows.item({ erp_id: erpId });
    const sizeId = await rows.size(itemId);
    await rows.offer(place.menuId, { itemId, sizeId }, { [place.organizationId]: 0 });
    await rows.insert('service_role', { role: 'LEAVE_AT_DOOR', erp_item_id: erpId }, 'erp_item_id');
    const { body } = await post({ lines: [line(soup)], options: { leaveAtDoor: true } });

    expect(body.serviceItems).toMatchObject([{ role: 'LEAVE_AT_DOOR', quantity: 1 }]);
  });
});

describe('the comments of a guest', () => {
  test('[ORD-13] reach the database cleaned and encrypted', async () => {
    const { body } = await post({
      lines: [line(soup, 1, { comment: 'Канарейка\u0007 [COMP]Ролл[/COMP] 42' })],
    });
    const stored = JSON.stringify(await selectRows(database.db, 'cart', '*', { id: body.cartId }));

    expect(body.lines[0]!.comment).toBe('Канарейка 42');
    expect(stored).not.toContain('Канарейка');
    expect(JSON.stringify(api.logged)).not.toContain('Канарейка');
    expect(JSON.stringify(api.logged)).not.toContain(body.cartId);
  });
});

describe('the cart of a customer', () => {
  test('[ORD-15] belongs to the customer alone, and is found without its id', async () => {
    const token = await tokenOf('clara');
    const { body } = await post({ lines: [line(soup)] }, token);

    expect((await read(body.cartId)).status).toBe(404);
    expect((await read(body.cartId, await tokenOf('boris'))).status).toBe(404);
    expect((await ask('GET', '/cart', undefined, token)).body).toEqual(body);
    expect((await ask('GET', '/cart', undefined, await tokenOf('nobody'))).status).toBe(404);
    expect(listErrors(await ask('GET', '/cart'))).toEqual({
      status: 422,
      errors: [['cart_id', 'required']],
    });
    // A repetition after a lost answer must not fill the cart twice.
    expect(await post({ lines: [line(soup)] }, token)).toMatchObject({
      status: 409,
      body: { currentVersion: 1, cartId: body.cartId },
    });
  });

  test('[ORD-15] takes over the anonymous cart at sign-in with its lines, and keeps the posted id', async () => {
    const token = await tokenOf('dora');
    const { body: own } = await post(
      { lines: [line(soup, 2), line(soup, 1, { comment: 'Острее' }), line(pizza)] },
      token,
    );
    const { body: anonymous } = await post({ lines: [line(soup), line(pizza)] });
    const { status, body: merged } = await post(again(anonymous), token);

    expect([status, merged.cartId, merged.version]).toEqual([200, anonymous.cartId, 2]);
    expect(
      merged.lines.map(({ variantId, quantity, comment }) => [variantId, quantity, comment]),
    ).toEqual([
      [soup.variantId, 3, null],
      [pizza.variantId, 2, null],
      [soup.variantId, 1, 'Острее'],
    ]);
    expect(merged.total).toBe(250 * 4 + 600 * 2);
    expect((await read(own.cartId, token)).status).toBe(404);
    expect((await read(anonymous.cartId)).status).toBe(404);
    expect((await post(again(anonymous), token)).status).toBe(409);
  });
});

describe('the merge of carts', () => {
  const many = (lines: number, text: string) =>
    Array.from({ length: lines }, (_, at) => line(soup, 1, { comment: `${text} ${at}` }));

  test('[ORD-15] fails if there would be more lines than allowed, and both carts stay', async () => {
    const token = await tokenOf('fritz');
    const { body: own } = await post({ lines: many(60, 'own') }, token);
    const { body: anonymous } = await post({ lines: many(41, 'anonymous') });
    const refused = await post(again(anonymous), token);
    const { body: fewer } = await post(again(anonymous, { lines: many(40, 'anonymous') }), token);

    expect(listErrors(refused)).toEqual({ status: 422, errors: [['lines', 'max_items']] });
    expect(own.lines).toHaveLength(60);
    expect(fewer.lines).toHaveLength(100);
    expect((await post(again(fewer), token)).status).toBe(200);
  });

  test('[ORD-15] reports the removals of the cart that ends', async () => {
    const token = await tokenOf('greta');
    const { body: own } = await post({ lines: [line(soup), line(pizza)] }, token);
    await rows.stop(place.organizationId, soup.erpId);
    const { body: noticed } = await read(own.cartId, token);
    const { body: joined } = await post(again((await post({ lines: [line(pizza)] })).body), token);

    expect(noticed.changes).toMatchObject([{ action: 'REMOVED', itemId: soup.erpId }]);
    expect(joined.changes).toEqual(noticed.changes);
    expect((await post(again(joined), token)).body.changes).toEqual([]);
  });
});

test('[ORD-72] a cart continues with its organization that has moved to another connection', async () => {
  const { organizationId, organizationErpId, menuId, categoryId } = await rows.restaurant();
  const dish = await rows.dish({ menuId, categoryId, prices: { [organizationId]: 10_000 } });
  const { body: cart } = await post({ organizationId: organizationErpId, lines: [line(dish)] });
  await updateRows(
    database.db,
    'mirror_organization',
    { inactiveAt: databaseNow() },
    { id: organizationId },
  );
  const gone = await read(cart.cartId);
  const connectionId = await rows.connection();
  const moved = await rows.organization(connectionId, { erp_id: organizationErpId });
  await rows.offer(await rows.externalMenu(connectionId), dish, { [moved.id]: 12_000 });
  const { body: found } = await read(cart.cartId);
  const [row] = await selectRows(database.db, 'cart', ['organizationId'], { id: cart.cartId });

  expect(gone.body.lines).toMatchObject([{ available: false }]);
  expect(found).toMatchObject({
    organizationId: organizationErpId,
    lines: [{ available: true, unitPrice: 120 }],
  });
  expect(row).toEqual({ organizationId: moved.id });
});

describe('the limits of cart requests', () => {
  const start = () =>
    startTestApi({
      routes,
      database,
      deps: { guests: guestsOf(database.db) },
      env: { RATE_LIMIT_ORDERING: '3', RATE_LIMIT_NEW_CARTS: 'off', TRUST_PROXY: 'on' },
    });
  const from = async (at: TestApi, address: string, body: object) =>
    fetch(`${at.url}/api/v1/cart`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ organizationId: place.organizationErpId, lines: [], ...body }),
    });

  test('[ORD-18, ORD-71] count attempts by IP address across processes, and by cart across addresses', async () => {
    const { body: cart } = await post({ lines: [line(soup)] });
    const apis = [await start(), await start()] as const;
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1)
      statuses.push(
        (await from(apis[at % 2]!, `10.0.0.${at}`, { cartId: cart.cartId, version: 9 })).status,
      );
    const answers: Response[] = [];
    for (let at = 0; at < 4; at += 1) answers.push(await from(apis[at % 2]!, '10.0.1.1', {}));
    const before = apis[0].statements();
    await from(apis[0], '10.0.2.1', {});
    const taken = apis[0].statements() - before;
    for (const entry of apis) await entry.stop();

    expect(statuses).toEqual([409, 409, 409, 429]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit')!.split(';')[1])).toEqual([
      'r=2',
      'r=1',
      'r=0',
      'r=0',
    ]);
    expect(Number(answers[3]!.headers.get('retry-after'))).toBeGreaterThan(30);
    expect(taken).toBe(5);
  });

  test('[HTTP-24] count many networks of one site for the site too', async () => {
    const api = await start();
    const statuses: number[] = [];
    for (let at = 0; at < BUDGETS_OF_SITE * 3 + 2; at += 1)
      statuses.push((await from(api, `2001:db8:77:${at.toString(16)}::9`, {})).status);
    const elsewhere = await from(api, '2001:db8:78::9', {});
    await api.stop();

    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect(elsewhere.status).toBe(201);
  });

  test('[HTTP-33] apply to the guest carts that one address creates in 24 hours', async () => {
    const apis = await Promise.all(
      [1, 2].map(() =>
        startTestApi({
          routes,
          database,
          deps: { guests: guestsOf(database.db) },
          env: { RATE_LIMIT_NEW_CARTS: '2', TRUST_PROXY: 'on' },
        }),
      ),
    );
    const make = (at: number, address: string, body: object = {}) =>
      from(apis[at % 2]!, address, body);
    const refused = await make(0, '198.51.100.1', {
      lines: [{ ...line(soup), variantId: 999_999 }],
    });
    const answers = [];
    for (let at = 0; at < 3; at += 1) answers.push(await make(at, '198.51.100.1'));
    const { cartId, version } = (await answers[0]!.json()) as Cart;
    const changed = await make(0, '198.51.100.1', { cartId, version });
    const elsewhere = await make(0, '198.51.100.2');
    const token = await tokenOf('maria');
    const ofCustomer = await fetch(`${apis[0]!.url}/api/v1/cart`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '198.51.100.1',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ organizationId: place.organizationErpId, lines: [] }),
    });
    const ofProxy = [];
    for (let at = 0; at < 3; at += 1) ofProxy.push((await make(at, '10.9.0.1')).status);
    const problem = (await answers[2]!.json()) as object;
    for (const entry of apis) await entry.stop();

    expect(refused.status).toBe(422);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(problem).toMatchObject({
      type: expect.stringMatching(/rate-limited$/),
      detail: expect.stringContaining('2 guest carts'),
    });
    expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(ofProxy).toEqual([201, 201, 201]);
    expect([changed.status, elsewhere.status, ofCustomer.status]).toEqual([200, 201, 201]);
  });

  test('[ORD-17] count promo codes for the customer and for the network of the client too', async () => {
    const unknown = async (code: string) => ({
      cart: {
        discounts: [
          {
            code,
            name: code,
            applied: false,
            amount: 0,
            reason: 'UNKNOWN' as const,
            message: null,
          },
        ],
      },
    });
    const tries = (
      number: number,
      of: (at: number) => { address: string; customerId: string | null },
    ) =>
      Promise.allSettled(
        Array.from({ length: number }, (_, at) =>
          tryPromocode(database.db, { cartId: null, promocode: `X${at}`, ...of(at) }, () =>
            unknown(`X${at}`),
          ),
        ),
      );
    const passed = (results: readonly PromiseSettledResult<unknown>[]) =>
      results.filter(({ status }) => status === 'fulfilled').length;

    expect(
      passed(await tries(30, (at) => ({ address: `10.1.${at}.1`, customerId: 'hanna' }))),
    ).toBe(20);
    expect(passed(await tries(60, () => ({ address: '10.2.0.1', customerId: null })))).toBe(50);
    expect(passed(await tries(210, (at) => ({ address: `10.3.0.${at}`, customerId: null })))).toBe(
      200,
    );
    expect(
      passed(await tries(210, (at) => ({ address: `2001:db8:1:${at}::/64`, customerId: null }))),
    ).toBe(200);
  });
});

describe('concurrent requests to a cart', () => {
  test('[ORD-11] change it once with one version', async () => {
    const { body: cart } = await post({ lines: [line(soup)] });
    const { db } = database;
    // Each edit reads the cart before the first edit is written.
    await asOwner(
      db,
      `create function write_slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
       create trigger write_slowly before update on cart for each row execute function write_slowly()`,
    );
    try {
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map((quantity) => post(again(cart, { lines: [line(soup, quantity)] }))),
      );

      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
        '200',
        '409',
        '409',
        '409',
        '409',
      ]);
      expect((await read(cart.cartId)).body).toEqual(
        answers.find(({ status }) => status === 200)!.body,
      );
    } finally {
      await asOwner(db, 'drop trigger write_slowly on cart; drop function write_slowly()');
    }
  });

  test('[ORD-81] change nothing and must be retried if they lose every race', async () => {
    const { db } = database;
    await asOwner(db, 'create sequence cart_write; grant usage on sequence cart_write to public');
    // Makes PostgreSQL reject this many writes. The sequence keeps its number after a rollback.
    const loses = (times: number) =>
      asOwner(
        db,
        `create or replace function lose_race() returns trigger language plpgsql as $$ begin
        if nextval('cart_write') <= ${times} then raise exception 'lost' using errcode = 'serialization_failure'; end if;
        return new; end $$`,
      );
    await loses(5);
    await asOwner(
      db,
      'create trigger lose_race before insert on cart for each row execute function lose_race()',
    );
    const found = async () => await countRows(db, 'cart');
    const before = await found();
    try {
      const won = await post({ lines: [line(soup)] });
      await asOwner(db, `select setval('cart_write', 1, false)`);
      await loses(6);
      const lost = await post({ lines: [line(soup)] });
      const later = await post({ lines: [line(soup)] });

      expect([won.status, lost.status, later.status]).toEqual([201, 503, 201]);
      expect(lost.headers.get('retry-after')).toBe('1');
      expect(lost.body.type).toContain('unavailable');
      expect(await found()).toBe(before + 2);
      const cause = expect.objectContaining({ code: '40001' });
      expect(api.logged).toContainEqual(
        expect.objectContaining({
          msg: 'a request failed',
          error: expect.objectContaining({ cause }),
        }),
      );
    } finally {
      await asOwner(
        db,
        'drop trigger lose_race on cart; drop function lose_race(); drop sequence cart_write',
      );
    }
  });
  test('[ORD-15] merge anonymous carts into one cart of the customer with all lines', async () => {
    const token = await tokenOf('eva');
    const carts = await Promise.all([1, 2, 3].map(() => post({ lines: [line(soup)] })));
    const answers = await Promise.all(carts.map(({ body }) => post(again(body), token)));
    const { body } = await ask('GET', '/cart', undefined, token);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(body.lines.map(({ variantId, quantity }) => [variantId, quantity])).toEqual([
      [soup.variantId, 3],
    ]);
    expect(await countRows(database.db, 'cart', { customerId: 'eva' })).toBe(1);
  });
});

describe('an idempotency key of a cart', () => {
  const withKey = async (
    key: string,
    body: object,
    { token }: { token?: string | undefined } = {},
  ) => {
    const response = await fetch(`${api.url}/api/v1/cart`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ organizationId: place.organizationErpId, lines: [], ...body }),
    });
    const replayed = response.headers.get('idempotent-replayed');
    return { status: response.status, replayed, body: (await response.json()) as Cart & Problem };
  };

  test.each([
    ['a guest', undefined],
    ['a customer', 'key-of-cart'],
  ])('[HTTP-6] returns the first cart to %s who repeats a request', async (_, customer) => {
    const key = randomUUID();
    const token = customer === undefined ? undefined : await tokenOf(customer);
    const body = { lines: [line(soup, 2, { comment: 'Без лука, Анна' })] };
    const first = await withKey(key, body, { token });
    const again = await withKey(key, body, { token });
    const different = await withKey(key, { lines: [line(pizza)] }, { token });

    expect([first, again].map(({ status, replayed }) => [status, replayed])).toEqual([
      [201, null],
      [201, 'true'],
    ]);
    expect(again.body).toEqual(first.body);
    expect(different.status).toBe(422);
    const stored = await selectRows(database.db, 'idempotency_key', ['body'], { key });
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('Анна');
  });

  test('[HTTP-6] applies a repeated change once', async () => {
    const key = randomUUID();
    const { body: cart } = await withKey(randomUUID(), {});
    const change = { cartId: cart.cartId, version: cart.version, lines: [line(soup)] };
    const answers = [await withKey(key, change), await withKey(key, change)];

    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, null],
      [200, 'true'],
    ]);
    expect((await read(cart.cartId)).body.version).toBe(answers[0]!.body.version);
  });

  test('[HTTP-6] creates one cart for ten concurrent requests', async () => {
    const key = randomUUID();
    const before = await countRows(database.db, 'cart');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withKey(key, { lines: [line(soup)] })),
    );

    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await countRows(database.db, 'cart')).toBe(before + 1);
  });
});
