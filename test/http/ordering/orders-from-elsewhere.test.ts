import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readDeliveries } from '../../../erp/schemas/deliveries.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { saveErpOrders } from '../../../modules/ordering/at-erp/save-erp-orders.ts';
import type { Cart } from '../../../modules/ordering/schemas/cart.ts';
import type {
  ListedOrder,
  Order,
  PlacedOrder,
  StaffListedOrder,
  StaffOrder,
} from '../../../modules/ordering/schemas/orders.ts';
import { readAudit } from '../../support/audit.ts';
import { type AdminClient, adminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { addRow, selectRow, updateRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, db, place, soup, pizza, ask, question, makeCart: make } = fixture;
const PHONE = '+79990001122';
let admin: AdminClient;
let [anna, boris, guest]: (string | undefined)[] = [];

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  anna = await fixture.tokenOf('anna', PHONE);
  boris = await fixture.tokenOf('boris', '+79995554433');
  guest = await fixture.tokenOf('guest');
});
afterAll(fixture.stop);
beforeEach(() => fixture.empty('erp_order', 'erp_gift_order', 'customer_order', 'cart'));

const UNKNOWN = randomUUID();
const item = (id: string, name: string, price: number, amount = 1) => ({
  type: 'Product',
  product: { id, name },
  amount,
  price,
  cost: price * amount,
  modifiers: [],
});
async function reported(
  order: Record<string, unknown> = {},
  id: string = randomUUID(),
  timestamp = 1,
): Promise<string> {
  const rows = [
    {
      id,
      organizationId: place.organizationErpId,
      timestamp,
      creationStatus: 'Success',
      order: {
        status: 'CookingStarted',
        number: 42,
        sum: 640,
        whenCreated: '2026-11-20 13:00:00.000',
        phone: PHONE,
        orderType: { orderServiceType: 'DeliveryByClient' },
        payments: [{ paymentType: { kind: 'Cash' } }],
        isAsap: true,
        items: [item(soup.erpId, 'Суп по телефону', 250, 2), item(UNKNOWN, 'Старый пирог', 140)],
        ...order,
      },
    },
  ];
  const { SYNC_TIME_ZONE } = api.deps.env;
  const { secrets } = api.deps;
  await saveErpOrders(
    { db, secrets, env: { SYNC_TIME_ZONE } },
    place.connectionId,
    readDeliveries(rows).orders,
    new Set(),
  );
  return id;
}
const list = async (token: string | undefined, query = '') =>
  (
    await ask<{ items: ListedOrder[]; total: number }>('GET', `/orders${query}`, undefined, {
      token,
    })
  ).body;

test('[ORD-95] a customer sees the orders that the ERP reports for their phone, among their own', async () => {
  const older = await reported();
  const cart = await make({}, { token: anna });
  const customer = { name: 'Анна', phone: PHONE };
  const { body: own } = await ask<PlacedOrder>('POST', '/orders', question(cart, { customer }), {
    token: anna,
    key: randomUUID(),
  });
  const newer = await reported({ whenCreated: '2030-01-01 10:00:00.000' });
  await reported({ phone: '+79995554433' });
  await reported({ phone: null });

  const all = await list(anna);
  expect(all.items.map(({ orderId, channel }) => [orderId, channel])).toEqual([
    [newer, 'ERP'],
    [own.orderId, 'CARTE'],
    [older, 'ERP'],
  ]);
  expect(all.total).toBe(3);
  const pages = await Promise.all([1, 2, 3].map((page) => list(anna, `?page=${page}&size=1`)));
  expect(pages.flatMap(({ items }) => items.map(({ orderId }) => orderId))).toEqual([
    newer,
    own.orderId,
    older,
  ]);
  expect(await list(guest)).toMatchObject({ items: [], total: 0 });
  expect((await list(boris)).items).toHaveLength(1);
});

test('[ORD-106] a customer sees orders without a phone by the ERP customer of their card', async () => {
  const [mine, other] = [randomUUID(), randomUUID()];
  await api.deps.db.transaction((tx) =>
    ensureClient(tx, api.deps, {
      connectionId: place.connectionId,
      phone: PHONE,
      erpCustomerId: mine,
    }),
  );
  const id = await reported({ phone: null, customer: { id: mine } });
  const foreign = [
    await reported({ phone: null, customer: { id: other } }),
    await reported({ phone: '+79995554433', customer: { id: mine } }),
    await reported({ phone: null }),
  ];
  const statuses = async (token: string | undefined, ids: string[]) =>
    (
      await Promise.all(ids.map((order) => ask('GET', `/orders/${order}`, undefined, { token })))
    ).map(({ status }) => status);

  expect(await list(anna)).toMatchObject({ items: [{ orderId: id, channel: 'ERP' }], total: 1 });
  expect(await statuses(anna, [id, ...foreign])).toEqual([200, 404, 404, 404]);
  expect(
    (await ask('POST', `/orders/${id}/repeat`, undefined, { token: anna, key: randomUUID() }))
      .status,
  ).toBe(201);
  expect(await statuses(boris, [id])).toEqual([404]);
  expect(await statuses(guest, [id])).toEqual([404]);
  expect(await list(guest)).toMatchObject({ total: 0 });
  await fixture.empty('compensation_client');
});

test('[ORD-95] an order from elsewhere appears completely, its gift as a gift, without personal data', async () => {
  const gift = randomUUID();
  const id = await reported({
    items: [item(soup.erpId, 'Суп', 250), item(UNKNOWN, 'Пирог', 140), item(gift, 'Тарт', 0)],
  });
  const { id: giftOrderId } = await addRow(db, 'erp_gift_order', {
    connectionId: place.connectionId,
    erpOrderId: id,
    organizationErpId: place.organizationErpId,
    day: '2026-11-20',
    status: 'CookingStarted',
    erpTimestamp: 1,
  });
  await addRow(db, 'erp_gift_line', {
    giftOrderId,
    erpItemId: gift,
    erpSizeId: '',
    name: 'Тарт',
    quantity: 1,
  });
  const { status, body } = await ask<Order>('GET', `/orders/${id}`, undefined, { token: anna });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    orderId: id,
    channel: 'ERP',
    number: '42',
    organizationId: place.organizationErpId,
    status: 'COOKING',
    problem: null,
    fulfillment: { type: 'PICKUP', slotId: 'asap' },
    paymentMethod: 'CASH',
    total: 640,
    createdAt: '2026-11-20T13:00:00+03:00',
    cancellable: false,
    lines: [
      {
        type: 'ITEM',
        variantId: soup.variantId,
        productId: soup.productId,
        unitPrice: 250,
        orderable: true,
      },
      { type: 'ITEM', variantId: null, name: 'Пирог', unitPrice: 140, orderable: false },
    ],
    gifts: [{ type: 'COMPENSATION', name: 'Тарт', orderable: false, total: 0 }],
    statusHistory: [{ status: 'COOKING' }],
  });
  expect(JSON.stringify(body)).not.toContain('9990001122');
});

test('[ORD-95] a dish that is no longer published is not marked as orderable', async () => {
  const id = await reported();
  await updateRows(db, 'catalog_product', { status: 'UNPUBLISHED' }, { id: soup.productId });
  const { body } = await ask<Order>('GET', `/orders/${id}`, undefined, { token: anna });
  await updateRows(db, 'catalog_product', { status: 'PUBLISHED' }, { id: soup.productId });

  expect(body.lines.map(({ orderable }) => orderable)).toEqual([false, false]);
});

test.each([
  ['nobody', () => undefined],
  ['a customer without a phone', () => guest],
  ['a customer with another phone', () => boris],
])('[ORD-95] an order from elsewhere is hidden from %s', async (_, tokenOf) => {
  const id = await reported();
  const sent = { token: tokenOf(), key: randomUUID() };
  const answers = [
    await ask('GET', `/orders/${id}`, undefined, sent),
    await ask('POST', `/orders/${id}/repeat`, undefined, sent),
    await ask('POST', `/orders/${id}/cancel`, {}, sent),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

const repeat = (id: string) =>
  ask<Cart>('POST', `/orders/${id}/repeat`, undefined, { token: anna, key: randomUUID() });
const OF_DISH = { action: 'REMOVED', reason: 'NOT_IN_MENU', removedModifiers: [] };

test('[ORD-95] an order from elsewhere can be repeated with dishes sold here, and cannot be canceled', async () => {
  const id = await reported();
  const repeated = await repeat(id);
  const canceled = await ask<{ type: string }>('POST', `/orders/${id}/cancel`, {}, { token: anna });

  expect(repeated).toMatchObject({
    status: 201,
    body: {
      total: 500,
      lines: [{ variantId: soup.variantId, quantity: 2 }],
      changes: [{ ...OF_DISH, itemId: UNKNOWN, name: 'Старый пирог' }],
    },
  });
  expect(canceled).toMatchObject({ status: 409, body: { orderStatus: 'COOKING' } });
});

test('[ORD-105] a repeated order lists every dish that is not sold here, even if none is sold', async () => {
  const others = [randomUUID(), randomUUID()];
  const id = await reported({
    items: [
      item(others[0]!, 'Пирог', 140),
      item(others[1]!, 'Чай', 0),
      { ...item(UNKNOWN, 'Рыба', 300, 0.4) },
    ],
  });
  const { status, body } = await repeat(id);

  expect([status, body.lines, body.total]).toEqual([201, [], 0]);
  expect(body.changes).toMatchObject([
    { ...OF_DISH, itemId: others[0], name: 'Пирог' },
    { ...OF_DISH, itemId: others[1], name: 'Чай' },
    { ...OF_DISH, itemId: UNKNOWN, name: 'Рыба' },
  ]);
});

test('[ORD-105] a repeated order lists a dish that is no longer published', async () => {
  const id = await reported();
  await updateRows(db, 'catalog_product', { status: 'UNPUBLISHED' }, { id: soup.productId });
  const { body } = await repeat(id);
  await updateRows(db, 'catalog_product', { status: 'PUBLISHED' }, { id: soup.productId });

  expect(body.changes).toMatchObject([
    { ...OF_DISH, itemId: soup.erpId, name: 'Суп по телефону' },
    { ...OF_DISH, name: 'Старый пирог' },
  ]);
});

test('[ORD-105] a repeated order omits service items and gifts', async () => {
  const { id: feeId, erpId } = await fixture.rows.item({ name: 'Доставка' });
  await fixture.rows.size(feeId);
  await addRow(db, 'service_role', { role: 'DELIVERY_FEE', erpItemId: erpId });
  const id = await reported({
    items: [item(soup.erpId, 'Суп', 250), item(erpId, 'Доставка', 100)],
  });
  const { body } = await repeat(id);
  await fixture.empty('service_role');

  expect(body).toMatchObject({ lines: [{ variantId: soup.variantId }], changes: [] });
});

test('[ORD-105] a repeated order lists unsold dishes even while the organization is not served', async () => {
  const id = await reported();
  await updateRows(
    db,
    'mirror_organization',
    { inactiveAt: new Date() },
    { id: place.organizationId },
  );
  const { status, body } = await repeat(id);
  await updateRows(db, 'mirror_organization', { inactiveAt: null }, { id: place.organizationId });

  expect([status, body.lines.map(({ variantId }) => variantId)]).toEqual([201, [soup.variantId]]);
  expect(body.changes).toMatchObject([{ ...OF_DISH, itemId: UNKNOWN }]);
});

test('[ORD-105] a repeated order of this shop lists a dish whose variant no longer exists', async () => {
  const cart = await make();
  const { body: own } = await ask<PlacedOrder>(
    'POST',
    '/orders',
    question(cart, { customer: { name: 'Анна', phone: PHONE } }),
    { key: randomUUID() },
  );
  await updateRows(
    db,
    'order_line',
    { variantId: null },
    { orderId: own.orderId, erpItemId: soup.erpId },
  );
  const { status, body } = await repeat(own.orderId);

  expect([status, body.lines.map(({ variantId }) => variantId)]).toEqual([201, [pizza.variantId]]);
  expect(body.changes).toMatchObject([{ ...OF_DISH, itemId: soup.erpId }]);
});

test('[ORD-105] a repeated order contains modifiers that the ERP reports without group or group number', async () => {
  const price = { [place.organizationId]: 0 };
  const [free, twice] = [
    await fixture.rows.modifier(place.menuId, price),
    await fixture.rows.modifier(place.menuId, price),
  ];
  const base = randomUUID();
  for (const [groupKey, { itemId }] of [
    ['~digest', free],
    [`${base}#2`, twice],
  ] as const)
    await fixture.rows.link(
      await fixture.rows.group(place.menuId, pizza.sizeId, { group_key: groupKey }),
      itemId,
    );
  const modifiers = [
    { product: { id: free.erpId, name: 'Сыр' }, amount: 1 },
    { product: { id: twice.erpId, name: 'Лук' }, amount: 1, productGroup: { id: base } },
  ];
  const id = await reported({ items: [{ ...item(pizza.erpId, 'Пицца', 600), modifiers }] });
  const { body } = await repeat(id);
  await fixture.empty('mirror_modifier_link', 'mirror_modifier_group');

  expect(body.changes).toEqual([]);
  expect(body.lines[0]!.modifiers.map(({ modifierId }) => modifierId).toSorted()).toEqual(
    [free.erpId, twice.erpId].toSorted(),
  );
});

test('[ORD-105] a repeated order lists modifiers that are not offered, even those without a group', async () => {
  const modifiers = [
    { product: { id: UNKNOWN, name: 'Сметана' }, amount: 1, price: 30 },
    { product: { id: soup.erpId, name: 'Хлеб' }, amount: 2, productGroup: { id: randomUUID() } },
    { product: { id: pizza.erpId, name: 'Сахар' }, amount: 0.4 },
  ];
  const id = await reported({ items: [{ ...item(soup.erpId, 'Суп', 250), modifiers }] });
  const { body } = await repeat(id);

  expect(body).toMatchObject({
    lines: [{ variantId: soup.variantId, modifiers: [] }],
    changes: [
      {
        action: 'MODIFIERS_REMOVED',
        reason: 'NOT_IN_MENU',
        removedModifiers: [
          { modifierId: UNKNOWN, name: 'Сметана', quantity: 1 },
          { modifierId: soup.erpId, name: 'Хлеб', quantity: 2 },
          { modifierId: pizza.erpId, name: 'Сахар', quantity: 1 },
        ],
      },
    ],
  });
});

test('[ORD-95] staff list orders from other channels by channel, organization and status', async () => {
  const id = await reported();
  const { body: own } = await ask<PlacedOrder>(
    'POST',
    '/orders',
    question(await make({ lines: [{ variantId: pizza.variantId, quantity: 1, modifiers: [] }] }), {
      customer: { name: 'Анна', phone: PHONE },
    }),
    { key: randomUUID() },
  );
  const readIds = async (query: string) => {
    const { items, total } = await admin.get<{ items: StaffListedOrder[]; total: number }>(
      `/orders${query}`,
    );
    expect(total).toBe(items.length);
    return items.map(({ orderId }) => orderId);
  };

  expect(await readIds('')).toEqual([own.orderId, id]);
  expect(await readIds('?channel=ERP')).toEqual([id]);
  expect(await readIds('?channel=CARTE')).toEqual([own.orderId]);
  expect(await readIds('?status=COOKING')).toEqual([id]);
  expect(await readIds('?customer_id=anna')).toEqual([]);
  expect(await readIds(`?organization_id=${place.organizationId}&channel=ERP`)).toEqual([id]);
  expect(await admin.get<StaffOrder>(`/orders/${id}`)).toMatchObject({
    channel: 'ERP',
    erpOrderId: id,
    person: null,
  });
});

test('[ORD-162] staff erase the guest of an ended order from elsewhere, and later reports keep it erased', async () => {
  const id = await reported();
  const reason = { reason: 'по просьбе' };
  const early = await awaitRefusal(admin.raw('POST', `/orders/${id}/erase`, reason));
  await reported({ status: 'Closed' }, id, 2);
  const erased = await admin.post<StaffOrder>(`/orders/${id}/erase`, reason);
  const again = await admin.post<StaffOrder>(`/orders/${id}/erase`, reason);
  await reported({ status: 'Cancelled' }, id, 3);
  const row = await selectRow(db, 'erp_order', ['phoneDigest', 'erpCustomerId', 'state'], { id });

  expect(early).toMatchObject({ status: 409, orderStatus: 'COOKING' });
  expect(erased).toMatchObject({ channel: 'ERP', erasedAt: expect.any(String), total: 640 });
  expect(again).toEqual(erased);
  expect(row).toEqual({ phoneDigest: null, erpCustomerId: null, state: 'CANCELLED' });
  expect(await list(anna)).toMatchObject({ items: [], total: 0 });
  expect(await readAudit(api.deps, 'order', id)).toMatchObject([
    { action: 'erase', reason: 'по просьбе' },
  ]);
  expect((await admin.raw('POST', `/orders/${randomUUID()}/erase`, reason)).status).toBe(404);
});

test('[ORD-31] a history marks a status to which the restaurant has corrected an order', async () => {
  const id = await reported({ status: 'Delivered' });
  await reported({ status: 'OnWay' }, id, 0);
  await reported({ status: 'CookingStarted' }, id, 2);
  await reported({ status: 'Closed' }, id, 3);
  const { body } = await ask<Order>('GET', `/orders/${id}`, undefined, { token: anna });

  expect(body.statusHistory.map(({ status, corrected }) => [status, corrected])).toEqual([
    ['DELIVERED', undefined],
    ['COOKING', true],
    ['CLOSED', undefined],
  ]);
});
