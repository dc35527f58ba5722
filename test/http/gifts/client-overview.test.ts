import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import type { Client } from '../../../modules/ordering/schemas/clients.ts';
import type { Cart } from '../../../modules/ordering/schemas/cart.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { grantTo } from '../../support/rights.ts';
import { addRow } from '../../support/rows.ts';

const PHONE = '+79990003344';
const fixture = await orderingFixture();
const { db, api, rows, place, ask, makeCart, question } = fixture;
let admin: AdminClient;
let token: string;
let clientId: string;
let rewardId: number;

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  token = await fixture.tokenOf('anna', PHONE);
  const item = await rows.item();
  await rows.offer(
    place.menuId,
    { itemId: item.id, sizeId: await rows.size(item.id) },
    { [place.organizationId]: 0 },
  );
  rewardId = await rows.insert('reward', { code: 'tart', name: 'Тарт', erp_item_id: item.erpId });
  clientId = await db.transaction((tx) =>
    ensureClient(tx, api.deps, {
      connectionId: place.connectionId,
      phone: PHONE,
      erpCustomerId: randomUUID(),
    }),
  );
});
afterAll(fixture.stop);

async function placeOrder(phone: string): Promise<string> {
  const cart: Cart = await makeCart({}, { token });
  const customer = { name: 'Анна Канарейкина', phone };
  const body = { ...question(cart), cartVersion: cart.version, customer };
  const { status, body: placed } = await ask<{ orderId: string }>('POST', '/orders', body, {
    token,
    key: randomUUID(),
  });
  expect(status).toBe(201);
  return placed.orderId;
}

const found = (query: string) => admin.get<Client>(`/clients${query}`);
const ofPhone = (phone: string) => found(`?phone=${encodeURIComponent(phone)}`);

describe('[CLI-20] the overview of a guest', () => {
  test('finds orders of both channels, rights, conflicts, card and cart by phone', async () => {
    const orderId = await placeOrder(PHONE);
    const right = await grantTo(db, { clientId, rewardId });
    const at = new Date('2026-11-20T10:00:00Z');
    await addRow(db, 'client_card', { clientId, readAt: at, damaged: 1 });
    await addRow(db, 'client_marker', {
      clientId,
      source: 'ERP_COMMENT',
      subject: 'digest',
      generation: 1,
      isPresent: true,
      seenAt: at,
      compensationId: right,
    });
    await addRow(db, 'compensation_conflict', {
      clientId,
      rewardId,
      kind: 'SECOND_RIGHT',
      source: 'ERP_COMMENT',
      subject: 'digest',
      generation: 1,
      foundAt: at,
    });
    const cart = await makeCart({}, { token });
    const client = await ofPhone('8 (999) 000-33-44');
    const text = JSON.stringify(client);

    expect(client).toMatchObject({
      phone: '+7******3344',
      accounts: [
        {
          id: clientId,
          connectionId: place.connectionId,
          card: {
            readAt: expect.any(String),
            damaged: 1,
            markers: [{ isPresent: true, compensationId: right }],
          },
        },
      ],
      orders: [{ orderId, channel: 'CARTE' }],
      orderCount: 1,
      rights: [{ id: right, status: 'GRANTED' }],
      rightCount: 1,
      conflicts: [{ clientId, kind: 'SECOND_RIGHT', status: 'OPEN' }],
      carts: [{ cartId: cart.cartId, organizationId: place.organizationId }],
    });
    expect(client.customerIds).toHaveLength(1);
    expect(client.carts[0]!.lines.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/9990003344|Канарейкина/);
    expect(await found(`/${clientId}`)).toEqual(client);
  });

  test('finds a guest without gifts by the phone of an order', async () => {
    const phone = '+79990005511';
    const orderId = await placeOrder(phone);

    expect(await ofPhone(phone)).toMatchObject({
      accounts: [],
      orders: [{ orderId }],
      rights: [],
      conflicts: [],
    });
  });

  test('contains reported orders and orders with gifts of a client without a phone', async () => {
    const erpCustomerId = randomUUID();
    const id = await db.transaction((tx) =>
      ensureClient(tx, api.deps, { connectionId: place.connectionId, erpCustomerId }),
    );
    const reported = await addRow(db, 'erp_order', {
      id: randomUUID(),
      connectionId: place.connectionId,
      organizationId: place.organizationId,
      erpTimestamp: 1,
      number: '77',
      state: 'CLOSED',
      fulfillmentType: 'PICKUP',
      persons: 1,
      timeZone: 'Europe/Moscow',
      placedAt: new Date(),
      isAsap: true,
      totalKopecks: 100,
      lines: [],
      moves: [],
      erpCustomerId,
    });

    expect(await found(`/${id}`)).toMatchObject({
      phone: null,
      accounts: [{ id, erpCustomerId, card: null }],
      customerIds: [],
      orders: [{ orderId: reported.id, channel: 'ERP' }],
      carts: [],
    });
  });

  test('fails without the permissions, and for a text that is no phone', async () => {
    const status = async (who: AdminClient, query: string) =>
      (await who.raw('GET', `/clients${query}`)).status;
    const role = await admin.post<{ id: number }>('/roles', {
      code: 'ORDERS_ONLY',
      name: 'Orders only',
      permissions: ['orders.read', 'orders.manage'],
    });
    expect(role.id).toBeGreaterThan(0);
    const user = await api.user('ORDERS_ONLY');
    const [clerk, viewer] = [
      await adminClient(api.url, user.email, user.password),
      await api.user('VIEWER').then(({ email, password }) => adminClient(api.url, email, password)),
    ];

    expect(await status(admin, '?phone=%2B79990009999')).toBe(404);
    expect(await status(admin, `/${randomUUID()}`)).toBe(404);
    expect(await status(admin, '?phone=not-a-phone-at-all')).toBe(422);
    expect(await status(viewer, `?phone=${encodeURIComponent(PHONE)}`)).toBe(403);
    expect(await clerk.get<Client>(`/clients?phone=${encodeURIComponent(PHONE)}`)).toMatchObject({
      accounts: [],
      rights: [],
      conflicts: [],
      orders: [{ channel: 'CARTE' }],
    });
  });
});
