import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { readReachedLimits } from '../../../modules/ordering/checkout/order-limits.ts';
import type { AddedAddress } from '../../../modules/delivery/schemas/addresses.ts';
import type { CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import type { OrderLimits } from '../../../modules/settings/schemas/settings.ts';
import { drawMap, rule, square } from '../../support/delivery-map.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { NO_ORDER_LIMITS } from '../../support/order-limits.ts';
import { orderingFixture, type Sent } from '../../support/ordering-fixture.ts';
import { holdTable } from '../../support/races.ts';
import {
  ago,
  countRows,
  fromNow,
  saveSetting,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { rowTexts } from '../../support/whole-schema.ts';

const fixture = await orderingFixture({ env: { TRUST_PROXY: 'on' } });
const { db, api, place, soup, tokenOf, ask, question } = fixture;
const [PHONE, OTHER_PHONE] = ['+79990001122', '+79990003344'];
const WORDS = { city: 'Омск', street: 'Садовая улица', house: '1', flat: '7' };

type Refused = { type: string; reasons: string[]; preflight: CheckoutVerdict };
type Answered = PlacedOrder & Refused;

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  const here = { id: place.organizationId, erpId: place.organizationErpId };
  await drawMap(db, here, [square('Here', 0, 0, 2)], [rule('Here', { minSum: 100 })]);
});
afterAll(fixture.stop);
beforeEach(async () => {
  await fixture.empty('order_claim', 'customer_order', 'cart');
  await saveSetting(db, 'guest_order_sum', null);
});

const limitTo = (limits: Partial<OrderLimits>) =>
  saveSetting(db, 'order_limits', { ...NO_ORDER_LIMITS, ...limits });
const make = (sent: Sent = {}) =>
  fixture.makeCart({ lines: [{ variantId: soup.variantId, quantity: 1, modifiers: [] }] }, sent);
const send = async (
  {
    phone = PHONE,
    fulfillment,
    cart,
  }: { phone?: string; fulfillment?: object; cart?: { cartId: string } } = {},
  { token, from, key = randomUUID() }: Sent = {},
) => {
  const of = cart ?? (await make({ token, from }));
  const body = {
    customer: { name: 'Анна', phone },
    ...(fulfillment === undefined ? {} : { fulfillment }),
  };
  return ask<Answered>('POST', '/orders', question(of, body), { token, from, key });
};
async function deliver(address: object, phone = PHONE, sent: Sent = {}) {
  const cart = await make();
  const wanted = { cartId: cart.cartId, address: { ...WORDS, ...address }, coords: [0.5, 0.5] };
  const { addressId } = (await ask<AddedAddress>('POST', '/addresses', wanted)).body;
  return send({ cart, phone, fulfillment: { type: 'DELIVERY', addressId, slotId: 'asap' } }, sent);
}
const limitsIn = ({ body }: { body: Refused }) => body.preflight.blockers;
const tooMany = (scope: string, period: string) =>
  expect.objectContaining({ code: 'TOO_MANY_ORDERS', scope, period });

describe('[ORD-121] limits of open orders and of orders in 24 hours', () => {
  test('[ORD-121] reject the order of a guest by its phone, with a code, and keep the cart', async () => {
    await limitTo({ GUEST: { open: 2, day: 0 } });
    const cart = await make();
    const before = [
      await send(),
      await send(),
      await send({ cart }),
      await send({ phone: OTHER_PHONE }),
    ];

    expect(before.map(({ status }) => status)).toEqual([201, 201, 409, 201]);
    expect(before[2]!.body).toMatchObject({
      reasons: ['TOO_MANY_ORDERS'],
      preflight: { canSubmit: false, quote: null },
    });
    expect(limitsIn(before[2]!)).toEqual([
      {
        code: 'TOO_MANY_ORDERS',
        message: expect.stringMatching(/^Слишком много заказов/),
        scope: 'GUEST',
        period: 'OPEN',
        repair: { action: 'SIGN_IN' },
      },
    ]);
    expect((await ask('GET', `/cart?cart_id=${cart.cartId}`)).status).toBe(200);
  });

  test('[ORD-121] count an order as open until it is delivered or has ended', async () => {
    await limitTo({ GUEST: { open: 1, day: 3 } });
    const { body } = await send();
    const whileOpen = await send();
    await updateRows(db, 'customer_order', { state: 'DELIVERED' }, { id: body.orderId });
    const afterwards = await send();
    await updateRows(db, 'customer_order', { state: 'CANCELLED', endedAt: new Date() });

    expect([whileOpen.status, afterwards.status]).toEqual([409, 201]);
    expect((await send()).status).toBe(201);
    await updateRows(db, 'customer_order', { state: 'CLOSED', endedAt: new Date() });
    expect(limitsIn(await send())).toEqual([tooMany('GUEST', 'DAY')]);
    await updateRows(db, 'order_claim', { claimedAt: new Date(Date.now() - 25 * 3_600_000) });
    expect((await send()).status).toBe(201);
  });

  test('[ORD-121] count an order that never ends as open until 6 hours after its time', async () => {
    await limitTo({ GUEST: { open: 1, day: 0 } });
    const { body } = await send();
    await updateRows(
      db,
      'customer_order',
      { dueAt: ago('5 hours 59 minutes') },
      { id: body.orderId },
    );
    const before = await send();
    await updateRows(
      db,
      'customer_order',
      { dueAt: ago('6 hours 1 minute') },
      { id: body.orderId },
    );

    expect([before.status, (await send()).status]).toEqual([409, 201]);
  });

  test('[ORD-121] count an order for later as open from 3 hours before its time', async () => {
    await limitTo({ GUEST: { open: 1, day: 0 } });
    const { body } = await send();
    await updateRows(
      db,
      'customer_order',
      { dueAt: fromNow('3 hours 1 minute') },
      { id: body.orderId },
    );
    const before = await send({}, {});
    await updateRows(
      db,
      'customer_order',
      { dueAt: fromNow('2 hours 59 minutes') },
      { id: body.orderId },
    );

    expect([before.status, (await send()).status]).toEqual([201, 409]);
  });

  test('[ORD-121] count a delivery address by its flat, in any spelling', async () => {
    await limitTo({ ADDRESS: { open: 1, day: 0 } });
    const first = await deliver({});
    const again = await deliver({ street: 'ул. Садовая', flat: 'кв. 7' }, OTHER_PHONE);

    expect(first.status).toBe(201);
    expect(limitsIn(again)).toEqual([tooMany('ADDRESS', 'OPEN')]);
    expect((await deliver({ flat: '8' })).status).toBe(201);
    expect((await send()).status).toBe(201);
  });

  test('[ORD-121] count a network by the /24 of IPv4 and the /64 of IPv6', async () => {
    await limitTo({ NETWORK: { open: 1, day: 0 } });
    const from = (address: string) => send({}, { from: address });
    const answers = [
      await from('203.0.113.7'),
      await from('203.0.113.200'),
      await from('203.0.114.7'),
      await from('2001:db8:1:2::1'),
      await from('2001:db8:1:2:ffff::9'),
      await from('2001:db8:1:3::1'),
      // Address of an unknown proxy that all guests use.
      await from('10.0.0.7'),
      await from('10.0.0.7'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 409, 201, 201, 409, 201, 201, 201]);
    expect(limitsIn(answers[1]!)).toEqual([tooMany('NETWORK', 'OPEN')]);
  });

  test('[ORD-121] count the orders of guests at a restaurant and show the limit in preflight', async () => {
    await limitTo({ POINT: { open: 0, day: 1 } });
    const before = await fixture.preflight(await make());
    await send();
    const after = await fixture.preflight(await make());

    expect(before.body.canSubmit).toBe(true);
    expect(after.body.blockers).toEqual([tooMany('POINT', 'DAY')]);
  });

  test('[ORD-121] count orders of a customer by the account only', async () => {
    await limitTo({
      GUEST: { open: 1, day: 0 },
      POINT: { open: 1, day: 0 },
      CUSTOMER: { open: 2, day: 0 },
    });
    const token = await tokenOf('anna');
    const guest = [await send(), await send()];
    const own = [await send({}, { token }), await send({}, { token }), await send({}, { token })];

    expect(guest.map(({ status }) => status)).toEqual([201, 409]);
    expect(own.map(({ status }) => status)).toEqual([201, 201, 409]);
    const [blocker] = limitsIn(own[2]!);
    expect(blocker).toEqual(tooMany('CUSTOMER', 'OPEN'));
    expect(blocker).not.toHaveProperty('repair');
  });

  test('[ORD-121] limit and store nothing if they are 0', async () => {
    await limitTo({});
    const answers = [await send(), await send(), await send(), await send()];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await countRows(db, 'order_claim')).toBe(0);
  });
});

describe('[ORD-122] concurrent orders and their limit', () => {
  test('[ORD-122] never exceed it with one phone', async () => {
    await limitTo({ GUEST: { open: 2, day: 0 } });
    const carts = await Promise.all([1, 2, 3, 4, 5].map(() => make()));
    const held = await holdTable(db, 'order_claim');
    const sending = carts.map((cart) => send({ cart }));
    await held.waits(carts.length);
    await held.release();
    const answers = await Promise.all(sending);

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 409, 409, 409,
    ]);
    expect(await countRows(db, 'customer_order')).toBe(2);
  });

  test('[ORD-122] count no order that is rejected for another reason', async () => {
    await limitTo({ GUEST: { open: 0, day: 1 } });
    const stale = await ask<Refused>(
      'POST',
      '/orders',
      question(await make(), { customer: { name: 'Анна', phone: PHONE }, paymentMethod: 'SBP' }),
      { key: randomUUID() },
    );

    expect(stale.body.reasons).toEqual(['PAYMENT_METHOD_UNAVAILABLE']);
    expect(await countRows(db, 'order_claim')).toBe(0);
    expect((await send()).status).toBe(201);
  });

  test('[ORD-122] count a repeated request once and return the first answer', async () => {
    await limitTo({ GUEST: { open: 1, day: 1 } });
    const cart = await make();
    const key = randomUUID();
    const first = await send({ cart }, { key });

    expect(await send({ cart }, { key })).toEqual(first);
    expect(await countRows(db, 'order_claim')).toBe(1);
  });

  test('[ORD-122] count the reservation of a process that died for a minute', async () => {
    await limitTo({ GUEST: { open: 1, day: 1 } });
    await send();
    await fixture.empty('customer_order');
    const whileFresh = await send();
    await updateRows(db, 'order_claim', { claimedAt: new Date(Date.now() - 61_000) });

    expect([whileFresh.status, (await send()).status]).toEqual([409, 201]);
  });
});

describe('[ORD-123] the order limit of guests', () => {
  test('[ORD-123] requires guests, but not customers, to sign in above the total of the setting', async () => {
    await limitTo({});
    await saveSetting(db, 'guest_order_sum', 249.99);
    const guest = await send();
    const seen = await fixture.preflight(await make());
    const customer = await send({}, { token: await tokenOf('boris') });
    await saveSetting(db, 'guest_order_sum', 250);

    expect(guest.body.reasons).toEqual(['SIGN_IN_REQUIRED']);
    for (const { preflight } of [guest.body, { preflight: seen.body }])
      expect(preflight.blockers).toEqual([
        {
          code: 'SIGN_IN_REQUIRED',
          message: expect.any(String),
          maxSum: 249.99,
          repair: { action: 'SIGN_IN' },
        },
      ]);
    expect([customer.status, (await send()).status]).toEqual([201, 201]);
  });
});

describe('[ORD-129] the count of orders', () => {
  test('[ORD-129] reads no orders if there are fewer reservations than the limit', async () => {
    await limitTo({ GUEST: { open: 5, day: 0 } });
    await send();
    await send();
    const origin = { customerId: null, phone: PHONE, address: null, clientAddress: null };
    const scans = (open: number) =>
      api.deps.db.transaction(async (tx) => {
        const limits = { ...NO_ORDER_LIMITS, GUEST: { open, day: 9 } };
        const soFar = async () => {
          // Includes earlier transactions of the connection.
          const { rows } = await sql<{ scans: number }>`
            select (coalesce(idx_scan, 0) + seq_scan)::int as scans
              from pg_stat_xact_user_tables where relname = 'customer_order'`.execute(tx.db);
          return rows[0]!.scans;
        };
        const before = await soFar();
        await readReachedLimits(
          tx,
          api.deps,
          { ...origin, organizationId: place.organizationId },
          limits,
        );
        return (await soFar()) - before;
      });

    expect(await scans(3)).toBe(0);
    expect(await scans(2)).toBeGreaterThan(0);
  });
});

test('[ORD-124] only digests of phones, addresses and networks are stored, and none is logged', async () => {
  await limitTo({
    GUEST: { open: 5, day: 0 },
    ADDRESS: { open: 5, day: 0 },
    NETWORK: { open: 5, day: 0 },
  });
  await deliver({}, PHONE, { from: '203.0.113.7' });
  const texts = await rowTexts(db, 'order_claim');
  const keys = await selectRows(db, 'order_claim', ['key']);

  expect(keys).toHaveLength(3);
  expect(texts.join()).not.toMatch(/9990001122|Садовая|203\.0\.113|GUEST/i);
  expect(JSON.stringify(api.logged)).not.toMatch(/9990001122|Садовая/);
});

test('[ORD-125] rejected orders are counted by organization and reason', async () => {
  await limitTo({ GUEST: { open: 1, day: 0 } });
  const count = async () => {
    const { values } = await api.deps.metrics.checkoutsBlocked.get();
    const labels = { code: 'TOO_MANY_ORDERS', organization: place.organizationErpId };
    return (
      values.find((value) => JSON.stringify(value.labels) === JSON.stringify(labels))?.value ?? 0
    );
  };
  await send();
  const before = await count();
  await send();

  expect((await count()) - before).toBe(1);
});
