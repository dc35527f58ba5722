import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sealAudit } from '../../../modules/access/audit/seal-audit.ts';
import { verifyAudit } from '../../../modules/access/audit/verify-audit.ts';
import { readPersonal } from '../../../modules/access/customers/personal-data.ts';
import type { OrderPersonal } from '../../../modules/ordering/orders/order-personal.ts';
import { closeIntake } from '../../../modules/ordering/orders/intake.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import type { DeliverySlots } from '../../../modules/delivery/schemas/hours.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { Order, PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { readAudit } from '../../support/audit.ts';
import { repairIn } from '../../support/findings.ts';
import { ADMIN } from '../../support/api.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { holdLock, holdTable } from '../../support/races.ts';
import { withShiftedClock } from '../../support/shifted-clock.ts';
import { placeOrder } from '../../../modules/ordering/checkout/place-order.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { type AdminClient, adminClient, newcomerClient } from '../../support/admin-client.ts';
import { orderingFixture, type Answer, type Sent } from '../../support/ordering-fixture.ts';
import { asOwner } from '../../support/database-roles.ts';
import {
  addRow,
  ago,
  databaseNow,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { rowTexts, tableNames, tablesWith } from '../../support/whole-schema.ts';

const fixture = await orderingFixture();
const {
  api,
  db,
  rows,
  place,
  soup,
  pizza,
  tokenOf,
  sql,
  ask,
  makeCart: make,
  pickup,
  question,
} = fixture;
const owner = (text: string) => asOwner(db, text);
let admin: AdminClient;

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(fixture.stop);
beforeEach(async () => {
  await fixture.empty(
    'customer_order',
    'personal_data',
    'cart',
    'mirror_stop_list',
    'promocode',
    'discount',
    'schedule_exception',
    'restoration',
  );
  await updateRows(db, 'mirror_price', { priceKopecks: 25000 }, { itemSizeId: soup.sizeId });
});

const dishFor = (price: number) =>
  rows.dish({ ...place, prices: { [place.organizationId]: price } });
const check = async (...given: Parameters<typeof fixture.preflight>) =>
  (await fixture.preflight(...given)).body;
const customer = { name: 'Анна Канарейкина', phone: '8 (999) 000-11-22' };
type Refused = {
  type: string;
  reasons: string[];
  preflight: CheckoutVerdict;
  differences?: { field: string; quoted: unknown; now: unknown }[];
};
const order = <T = PlacedOrder>(
  cart: { cartId: string },
  rest: object = {},
  { token, key = randomUUID() }: Sent = {},
) => ask<T>('POST', '/orders', question(cart, { customer, ...rest }), { key, token });
const listCodes = ({ preflight }: Refused) => [
  ...preflight.blockers.map(({ code }) => code),
  ...preflight.adjustments.map(({ code }) => code),
];
const count = async (table: string) => {
  const [row] = await sql<{ count: number }>(`select count(*) from ${table}`);
  return Number(row!.count);
};

describe('an accepted order', () => {
  test('becomes a row with lines, facts and an event, and its cart is deleted', async () => {
    const cart = await make({
      lines: [{ variantId: soup.variantId, quantity: 2, modifiers: [], comment: 'без соли' }],
    });
    const { quote } = await check(cart);
    const { status, body } = await order(cart, {
      cartVersion: 1,
      quoteId: quote!.id,
      comment: 'позвоните',
      changeFrom: 1000,
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      orderId: expect.any(String),
      number: expect.stringMatching(/^\d{5}$/),
      status: 'ACCEPTED',
      total: 500,
      eta: { minutes: 20, at: expect.stringMatching(/\+03:00$/) },
      createdAt: expect.stringMatching(/\+03:00$/),
    });
    expect((await ask('GET', `/cart?cart_id=${cart.cartId}`)).status).toBe(404);
    const events = await selectRows(db, 'outbox', ['payload'], { event: 'OrderAccepted' });
    expect(events.at(-1)!.payload).toEqual({
      orderId: body.orderId,
      organizationId: place.organizationId,
      cartId: cart.cartId,
    });
    const { personalDataId } = await selectRow(db, 'customer_order', ['personalDataId']);
    const [text] = await rowTexts(db, 'customer_order');
    const personal = await readPersonal<OrderPersonal>(db, api.deps, [personalDataId!]);
    expect(personal.get(personalDataId!)).toEqual({
      customer: { name: 'Анна Канарейкина', phone: '+79990001122' },
      address: null,
      comment: 'позвоните',
      lineComments: { 0: 'без соли' },
    });
    expect(text).not.toMatch(/Канарейкина|9990001122|позвоните|без соли/);
  });

  test('[ORD-108] keeps its full sending time if the clock of the API is behind', async () => {
    const cart = await make({ lines: [{ variantId: soup.variantId, quantity: 2, modifiers: [] }] });
    const fulfillment = { ...pickup(), type: 'PICKUP' as const };
    const posted = { cartId: cart.cartId, customer, fulfillment, paymentMethod: 'CASH' };
    const key = {
      key: randomUUID(),
      scope: 'test',
      fingerprint: 'x',
      isSameRequest: () => true,
      status: 201,
    };
    const guest = {
      customerId: null,
      verifiedPhone: null,
      name: null,
      clientAddress: '203.0.113.7',
    };
    await withShiftedClock(-16 * 60_000, () =>
      placeOrder(api.deps, guest, posted, key, new Date()),
    );
    const { sendUntil } = await selectRow(db, 'customer_order', ['sendUntil']);

    expect(sendUntil.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
  });

  test('[ORD-67] contains free units as the free item if the ERP accepts no discount', async () => {
    const [paid, free] = [await dishFor(4_500), await dishFor(0)];
    await rows.insert('service_role', { role: 'PAID_SOY', erp_item_id: paid.erpId }, 'role');
    await rows.insert('service_role', { role: 'FREE_SOY', erp_item_id: free.erpId }, 'role');
    await updateRows(
      db,
      'catalog_variant',
      { personCount: 1, personSplittingEnabled: true },
      { id: soup.variantId },
    );
    await sql(
      `insert into erp_choices (connection_id, payment_types, discount_types) values ($1, $2, '[]')`,
      [
        place.connectionId,
        JSON.stringify([
          {
            id: randomUUID(),
            code: 'Cash',
            name: 'Cash',
            kind: 'Cash',
            organizationIds: [place.organizationErpId],
          },
        ]),
      ],
    );
    const cart = await make({
      lines: [
        { variantId: soup.variantId, quantity: 3, modifiers: [] },
        { variantId: paid.variantId, quantity: 5, modifiers: [] },
      ],
    });
    const verdict = await check(cart);
    const { body } = await order(cart, {
      cartVersion: verdict.cartVersion,
      quoteId: verdict.quote?.id,
    });
    const sent = await selectRows(db, 'order_line', [
      'kind',
      'erpItemId',
      'quantity',
      'lineTotalKopecks',
    ]);
    const stored = await selectRow(db, 'customer_order', [
      'subtotalKopecks',
      'discountKopecks',
      'totalKopecks',
    ]);
    await fixture.empty('erp_choices', 'service_role');
    await updateRows(
      db,
      'catalog_variant',
      { personSplittingEnabled: false },
      { id: soup.variantId },
    );

    expect([cart.total, body.total]).toEqual([840, 840]);
    expect(stored).toEqual({ subtotalKopecks: 84_000, discountKopecks: 0, totalKopecks: 84_000 });
    expect(sent.map(({ erpItemId, quantity }) => [erpItemId, quantity])).toEqual([
      [soup.erpId, 3],
      [paid.erpId, 2],
      [free.erpId, 3],
    ]);
  });

  test('[ORD-40] belongs to callers with its id, without personal data', async () => {
    const cart = await make();
    const { body } = await order(cart, { comment: 'позвоните' });
    const { status, body: read } = await ask<Order>('GET', `/orders/${body.orderId}`);

    expect(status).toBe(200);
    expect(read).toMatchObject({
      ...body,
      organizationId: place.organizationErpId,
      message: 'Мы приняли заказ и передаём его ресторану.',
      fulfillment: { type: 'PICKUP', slotId: 'asap' },
      cancellable: true,
      subtotal: 850,
      deliveryFee: 0,
      discounts: [],
      gifts: [],
      statusHistory: [{ status: 'ACCEPTED', at: body.createdAt, problem: null }],
    });
    expect(
      read.lines.map(({ type, unitPrice, lineTotal }) => [type, unitPrice, lineTotal]),
    ).toEqual([
      ['ITEM', 250, 250],
      ['ITEM', 600, 600],
    ]);
    expect(JSON.stringify(read)).not.toMatch(/Канарейкина|999000|позвоните/);
  });

  test('[ORD-39] requires a key, which returns the first answer again, even after the cart is deleted', async () => {
    const cart = await make();
    const key = randomUUID();
    const without = await ask<{ errors: { field: string }[] }>(
      'POST',
      '/orders',
      question(cart, { customer }),
    );
    const first = await order(cart, {}, { key });
    const again = await order(cart, {}, { key });
    const other = await order<{ type: string }>(cart, { comment: 'другое' }, { key });
    const anotherKey = await order<{ type: string; orderId: string }>(cart);

    expect(without).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'Idempotency-Key', code: 'required' }] },
    });
    expect(again).toEqual(first);
    expect(other).toMatchObject({
      status: 422,
      body: { type: expect.stringContaining('idempotency-key-reused') },
    });
    expect(anotherKey).toMatchObject({ status: 409, body: { orderId: first.body.orderId } });
    expect(anotherKey.body.type).toContain('cart-already-ordered');
    expect(await count('customer_order')).toBe(1);
  });

  test('[ORD-112] fails while intake is closed, and succeeds from the same cart afterwards', async () => {
    const cart = await make();
    await addRow(db, 'restoration', { restoredTo: new Date() });
    const refused = await order<{ type: string; detail: string }>(cart);
    const kept = await ask('GET', `/cart?cart_id=${cart.cartId}`);
    await updateRows(db, 'restoration', { finishedAt: new Date() });
    const accepted = await order(cart);

    expect(refused).toMatchObject({
      status: 503,
      body: { type: expect.stringContaining('unavailable') },
    });
    expect(refused.body.detail).toContain('being restored');
    expect(kept.status).toBe(200);
    expect(accepted.status).toBe(201);
  });

  test('[ORD-118] commits before intake closes, because the closing waits for it', async () => {
    const cart = await make();
    const stopped = await holdTable(db, 'order_line');
    const accepted = order(cart);
    await stopped.waits(1);
    const closing = closeIntake(db, new Date());
    const first = await Promise.race([
      stopped.waits(2).then(() => 'waits'),
      closing.then(() => 'closed'),
    ]);
    await stopped.release();
    const { status } = await accepted;
    await closing;

    expect([first, status]).toEqual(['waits', 201]);
  });

  test('[ORD-118] fails if intake closes between the start of its request and its transaction', async () => {
    const cart = await make();
    const closing = await holdLock(db, async (tx) => {
      await tx.query('lock table restoration in exclusive mode');
      await addRow(tx, 'restoration', { restoredTo: new Date() });
    });
    const refused = order(cart);
    await Promise.race([closing.waits(1), refused]);
    await closing.release();

    expect((await refused).status).toBe(503);
    expect(await count('customer_order')).toBe(0);
  });

  test("[ORD-38] rejects an invalid phone, and accepts the customer's verified phone instead", async () => {
    const cart = await make();
    const wrong = await order(cart, { customer: { name: 'Анна', phone: '12345 67890 12' } });
    const without = await order(cart, { customer: { name: 'Анна' } });
    const token = await tokenOf('anna', '+79991112233');
    const own = await make({}, { token });
    const placed = await order(own, { customer: { name: 'Анна' } }, { token });

    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'customer.phone', code: 'format' }] },
    });
    expect(without).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'customer.phone', code: 'required' }] },
    });
    expect(placed.status).toBe(201);
    const { personalDataId } = await selectRow(db, 'customer_order', ['personalDataId']);
    const personal = await readPersonal<OrderPersonal>(db, api.deps, [personalDataId!]);
    expect(personal.get(personalDataId!)?.customer.phone).toBe('+79991112233');
  });

  test('[ORD-38] uses the name from the provider, or requires one', async () => {
    const cart = await make();
    const without = await order(cart, { customer: { phone: '+79991112233' } });
    const token = await tokenOf('anna', '+79991112233', 'Анна Иванова');
    const own = await make({}, { token });
    const blank = await order(own, { customer: { name: ' \u200b ' } }, { token });
    const placed = await order(own, { customer: {} }, { token });

    const required = {
      status: 422,
      body: { errors: [{ field: 'customer.name', code: 'required' }] },
    };
    expect(without).toMatchObject(required);
    expect(blank).toMatchObject(required);
    expect(placed.status).toBe(201);
    const { personalDataId } = await selectRow(db, 'customer_order', ['personalDataId']);
    const personal = await readPersonal<OrderPersonal>(db, api.deps, [personalDataId!]);
    expect(personal.get(personalDataId!)?.customer).toEqual({
      name: 'Анна Иванова',
      phone: '+79991112233',
    });
  });

  test('[ORD-107] may omit the name of a customer if the provider or an earlier order has one', async () => {
    const refusal = (field: string) => ({
      status: 422,
      body: { errors: [{ field, code: 'required' }] },
    });
    const [named, nameless] = [
      await tokenOf('named', '+79991112233', 'Анна Иванова'),
      await tokenOf('nameless', '+79991112244'),
    ];
    const place = async (token: string | undefined, sent: object) => {
      const { cartId } = await make({}, { token });
      const { customer: _, ...body } = question({ cartId }, sent) as { customer?: object };
      return ask<PlacedOrder>(
        'POST',
        '/orders',
        { ...body, ...sent },
        { token, key: randomUUID() },
      );
    };

    expect(await place(undefined, {})).toMatchObject(refusal('customer.phone'));
    expect(await place(await tokenOf('phoneless', undefined, 'Анна'), {})).toMatchObject(
      refusal('customer.phone'),
    );
    expect((await place(named, {})).status).toBe(201);
    expect(await place(nameless, {})).toMatchObject(refusal('customer.name'));
    expect((await place(nameless, { customer: { name: 'Борис' } })).status).toBe(201);
    const { status, body } = await place(nameless, {});
    expect(status).toBe(201);
    const { personalDataId } = await selectRow(db, 'customer_order', ['personalDataId'], {
      id: body.orderId,
    });
    const personal = await readPersonal<OrderPersonal>(db, api.deps, [personalDataId!]);
    expect(personal.get(personalDataId!)?.customer).toEqual({
      name: 'Борис',
      phone: '+79991112244',
    });
  });

  test('[ORD-38] stores the extension of a phone separately from its number', async () => {
    const placed = await order(await make(), {
      customer: { name: 'Анна', phone: '\u202a8 (495) 123\u201145\u201167\u202c доб. 0012' },
    });

    expect(placed.status).toBe(201);
    const { personalDataId } = await selectRow(db, 'customer_order', ['personalDataId']);
    const personal = await readPersonal<OrderPersonal>(db, api.deps, [personalDataId!]);
    expect(personal.get(personalDataId!)?.customer).toEqual({
      name: 'Анна',
      phone: '+74951234567',
      phoneExtension: '0012',
    });
  });

  test('[ORD-34] fails on changes that the guest has not seen, returns them, and writes nothing', async () => {
    const cart = await make();
    await rows.stop(place.organizationId, soup.erpId);
    const refused = await order<Refused>(cart, { cartVersion: 1 });
    const accepted = await order(cart, { cartVersion: refused.body.preflight.cartVersion });

    expect(refused.status).toBe(409);
    expect(refused.body.type).toContain('checkout-blocked');
    expect(listCodes(refused.body)).toEqual(['ITEMS_UNAVAILABLE', 'ITEM_REMOVED']);
    expect(refused.body.reasons).toEqual(['ITEMS_UNAVAILABLE', 'ITEM_REMOVED', 'CART_VERSION']);
    expect(refused.body.preflight).toMatchObject({ cartVersion: 2, total: { toPay: 600 } });
    expect(accepted).toMatchObject({ status: 201, body: { total: 600 } });
    expect(await count('customer_order')).toBe(1);
    expect(await count('personal_data')).toBe(1);
  });

  test('[ORD-74] fails for more units than available, and succeeds for the available ones', async () => {
    const cart = await make({ lines: [{ variantId: soup.variantId, quantity: 3, modifiers: [] }] });
    const { quote } = await check(cart);
    await rows.stop(place.organizationId, soup.erpId, { balance: 2 });
    const { status, body } = await order<Refused>(cart, { cartVersion: 1, quoteId: quote!.id });
    const accepted = await order(cart, {
      cartVersion: repairIn(body.preflight, 'ACCEPT_CHANGES').cartVersion,
    });
    const row = await selectRow(db, 'order_line', ['quantity']);
    const { sameToday } = await admin.get<{ sameToday: boolean }>(
      `/orders/${accepted.body.orderId}/decision`,
    );

    expect([status, body.preflight.blockers[0]]).toMatchObject([
      409,
      { code: 'ITEMS_UNAVAILABLE', changes: [{ quantity: { before: 3, after: 2 } }] },
    ]);
    expect(accepted).toMatchObject({ status: 201, body: { total: 500 } });
    expect(row.quantity).toBe(2);
    expect(sameToday).toBe(true);
  });

  test('[ORD-34, ORD-37] fails for another price than the guest saw, with the differences from the quote', async () => {
    const cart = await make();
    const { quote } = await check(cart);
    await updateRows(db, 'mirror_price', { priceKopecks: 26050 }, { itemSizeId: soup.sizeId });
    const refused = await order<Refused>(cart, { cartVersion: 1, quoteId: quote!.id });
    const bare = await order<Refused>(cart, { cartVersion: 1 });

    expect(refused.status).toBe(409);
    expect(refused.body.differences).toEqual([
      { field: expect.stringMatching(/^lines\..*\.unitPrice$/), quoted: 250, now: 260.5 },
      { field: 'total.items', quoted: 850, now: 860.5 },
      { field: 'total.toPay', quoted: 850, now: 860.5 },
    ]);
    expect(refused.body.preflight).toMatchObject({
      canSubmit: true,
      cartVersion: 2,
      total: { toPay: 860.5 },
    });
    expect(bare.status).toBe(409);
    expect([refused.body.reasons, bare.body.reasons]).toEqual([
      ['CART_VERSION', 'QUOTE'],
      ['CART_VERSION'],
    ]);
    expect(await count('customer_order')).toBe(0);
  });

  test('[HTTP-7] contains after a rejection money with two decimals, like a preflight', async () => {
    const cart = await make();
    const { quote } = await check(cart);
    await updateRows(db, 'mirror_price', { priceKopecks: 26050 }, { itemSizeId: soup.sizeId });
    const sent = { customer, cartVersion: 1, quoteId: quote!.id };
    const answer = await fetch(`${api.url}/api/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(question(cart, sent)),
    });
    const text = await answer.text();
    const amounts = text.match(
      /"(?:quoted|now|before|after|toPay|items|delivery|discount|unitPrice|lineTotal)":-?[\d.]+/g,
    )!;

    expect(answer.status).toBe(409);
    expect(text).toContain('"quoted":250.00,"now":260.50');
    expect(amounts.length).toBeGreaterThan(8);
    expect(amounts.filter((amount) => !/\.\d\d$/.test(amount))).toEqual([]);
  });

  test('[ORD-35, ORD-36] costs the totals of its valid quote, although a discount has ended meanwhile', async () => {
    await addRow(db, 'discount', { code: 'TEN', name: 'Десять', kind: 'PERCENT', value: 10 });
    const cart = await make();
    const { quote, total } = await check(cart);
    const again = await check(cart);
    await updateRows(db, 'discount', { isActive: false });
    const without = await order<Refused>(cart, { cartVersion: 1 });
    const placed = await order(cart, { cartVersion: 1, quoteId: quote!.id });

    expect(total.toPay).toBe(765);
    expect(again.quote!.id).toBe(quote!.id);
    expect(without.status).toBe(409);
    expect(placed).toMatchObject({ status: 201, body: { total: 765 } });
    const { body } = await ask<Order>('GET', `/orders/${placed.body.orderId}`);
    expect(body.discounts).toEqual([{ code: 'TEN', name: 'Десять', amount: 85 }]);
  });

  test('[ORD-37] costs the current totals after its quote expired, and fails with an unknown quote', async () => {
    const cart = await make();
    const { quote } = await check(cart);
    await updateRows(db, 'order_quote', { validUntil: ago('1 second') });
    const unknown = await order<Refused>(cart, { cartVersion: 1, quoteId: randomUUID() });
    const late = await order(cart, { cartVersion: 1, quoteId: quote!.id });

    expect(unknown).toMatchObject({
      status: 409,
      body: { differences: [{ field: 'quoteId', now: null }] },
    });
    expect(late.status).toBe(201);
  });
});

describe('the total of an order', () => {
  const discount = (values: string) =>
    sql(
      `insert into discount (code, name, kind, value, total_uses, fulfillment_types, needs_promocode) values (${values})`,
    );

  test('[ORD-46] excludes a discount that was used the allowed times, even after it has ended', async () => {
    await discount(`'LAST', 'Последняя', 'PERCENT', 10, 1, null, false`);
    const carts = [await make(), await make()];
    const quotes = [await check(carts[0]!), await check(carts[1]!)];
    await updateRows(db, 'discount', { endsAt: ago('1 second') });
    const answers: Answer<PlacedOrder>[] = [];
    for (const [at, cart] of carts.entries())
      answers.push(await order(cart, { cartVersion: 1, quoteId: quotes[at]!.quote!.id }));

    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect(answers[0]!.body.total).toBe(765);
    expect(await count('discount_use')).toBe(1);
  });

  test('[ORD-45] changes with a smaller discount of the fulfillment type, even without a quote', async () => {
    await discount(`'PICKUP', 'Самовывоз', 'PERCENT', 30, null, '{PICKUP}', false`);
    const cart = await make();
    const seen = await check(cart);
    await updateRows(db, 'discount', { value: 1 });
    const refused = await order<Refused>(cart, { cartVersion: seen.cartVersion });
    const again = await order(cart, { cartVersion: refused.body.preflight.cartVersion });

    expect([seen.total.toPay, seen.cartVersion]).toEqual([595, 1]);
    expect(refused).toMatchObject({
      status: 409,
      body: { preflight: { total: { toPay: 841.5 } } },
    });
    expect(again).toMatchObject({ status: 201, body: { total: 841.5 } });
  });

  test('an order belongs to the owner of the cart at the time of writing', async () => {
    const anna = await tokenOf('anna');
    const own = await make({}, { token: anna });
    for (let round = 0; round < 6; round += 1) {
      const cart = await make({
        lines: [{ variantId: soup.variantId, quantity: 1, modifiers: [] }],
      });
      const lines = [{ variantId: soup.variantId, quantity: 1, modifiers: [] }];
      const [placed] = await Promise.all([
        order(cart),
        ask(
          'POST',
          '/cart',
          { cartId: cart.cartId, version: 1, organizationId: place.organizationErpId, lines },
          { token: anna },
        ),
      ]);
      const isPlaced = placed.status === 201;
      const read = isPlaced ? (await ask('GET', `/orders/${placed.body.orderId}`)).status : null;
      expect({ read, total: isPlaced ? placed.body.total : null }).toEqual(
        isPlaced ? { read: 200, total: 250 } : { read: null, total: null },
      );
      expect([201, 404, 409]).toContain(placed.status);
      await deleteRows(db, 'cart', { id: not(own.cartId) });
    }
  });

  test('the order contains the chosen change and leave-at-door', async () => {
    const card = await order(await make(), { paymentMethod: 'CARD_COURIER', changeFrom: 1 });
    const row = await selectRow(db, 'customer_order', ['changeFromKopecks as change'], {
      id: card.body.orderId,
    });
    expect(row.change).toBeNull();
  });

  test.each(['   ', '[COMP]x[/COMP]', '\u200b\u200b'])('the name %j is invalid', async (name) => {
    const refused = await order(await make(), { customer: { ...customer, name } });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'customer.name', code: 'required' }] },
    });
  });

  test('an order belongs to the customer who sends it, not to the owner of the cart', async () => {
    const token = await tokenOf('anna');
    const { body: placed } = await order(await make(), {}, { token });
    const { body } = await ask<{ items: Order[] }>('GET', '/orders', undefined, { token });
    expect(body.items.map(({ orderId }) => orderId)).toEqual([placed.orderId]);
    expect((await ask('GET', `/orders/${placed.orderId}`)).status).toBe(404);
  });
});

describe('concurrent orders', () => {
  const listStatuses = <T>(answers: Answer<T>[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  test('[ORD-39] create one order from one cart', async () => {
    for (let round = 0; round < 5; round += 1) {
      const cart = await make();
      const answers = await Promise.all([order(cart), order(cart), order(cart)]);
      expect(listStatuses(answers)).toEqual([201, 409, 409]);
    }
    expect(await count('customer_order')).toBe(5);
  });

  test('[ORD-39] create one order and one answer with one key', async () => {
    for (let round = 0; round < 5; round += 1) {
      const cart = await make();
      const key = randomUUID();
      const answers = await Promise.all([1, 2, 3].map(() => order(cart, {}, { key })));
      const placed = answers.filter(({ status }) => status === 201);
      expect(new Set(placed.map(({ body }) => body.orderId)).size).toBe(1);
      // A request during the first request must be retried.
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(await order(cart, {}, { key })).toEqual(placed[0]);
    }
    expect(await count('customer_order')).toBe(5);
  });

  test('[ORD-36, ORD-88] give the last use of a promo code to one order, and the other is rejected', async () => {
    const discount = await addRow(db, 'discount', {
      code: 'ONCE',
      name: 'Один',
      kind: 'PERCENT',
      value: 50,
      needsPromocode: true,
      totalUses: 1,
    });
    await addRow(db, 'promocode', { code: 'LAST', discountId: discount.id });
    const carts = await Promise.all([1, 2, 3].map(() => make({ promocode: 'LAST' })));
    const quotes = await Promise.all(carts.map((cart) => check(cart)));
    const answers = await Promise.all(
      carts.map((cart, at) =>
        order<Refused>(cart, { cartVersion: 1, quoteId: quotes[at]!.quote!.id }),
      ),
    );

    expect(quotes.map(({ total }) => total.toPay)).toEqual([425, 425, 425]);
    expect(listStatuses(answers)).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body;
    expect(refused.preflight.adjustments).toMatchObject([
      { code: 'PROMO_REMOVED', promocode: 'LAST' },
    ]);
    expect(refused.differences).toContainEqual({ field: 'total.discount', quoted: 425, now: 0 });
    expect(await count('discount_use')).toBe(1);
  });

  /** Returns the orders accepted during a change, and a later order. */
  async function beside(change: () => Promise<unknown>, fulfillment: object = pickup()) {
    const carts = await Promise.all([1, 2, 3, 4, 5].map(() => make()));
    const quotes = await Promise.all(carts.map((cart) => check(cart, { fulfillment })));
    const send = (at: number) =>
      order<PlacedOrder & Refused>(carts[at]!, {
        fulfillment,
        cartVersion: 1,
        quoteId: quotes[at]!.quote!.id,
      });
    const [, ...answers] = await Promise.all([change(), send(0), send(1), send(2), send(3)]);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    return { placed: answers.filter(({ status }) => status === 201), later: await send(4) };
  }

  test('sell no dishes after a concurrent stop-list', async () => {
    for (let round = 0; round < 3; round += 1) {
      await deleteRows(db, 'mirror_stop_list');
      const { later } = await beside(() => rows.stop(place.organizationId, soup.erpId));
      expect(later).toMatchObject({
        status: 409,
        body: { reasons: ['ITEMS_UNAVAILABLE', 'ITEM_REMOVED', 'CART_VERSION', 'QUOTE'] },
      });
    }
  });

  test('cost what their guests have seen during a price change, or are rejected', async () => {
    for (let round = 0; round < 3; round += 1) {
      await updateRows(db, 'mirror_price', { priceKopecks: 25000 }, { itemSizeId: soup.sizeId });
      const { placed, later } = await beside(() =>
        updateRows(db, 'mirror_price', { priceKopecks: 31000 }, { itemSizeId: soup.sizeId }),
      );
      expect(placed.filter(({ body }) => body.total !== 850)).toEqual([]);
      expect(later).toMatchObject({ status: 409, body: { reasons: ['CART_VERSION', 'QUOTE'] } });
      expect(later.body.differences).toContainEqual({
        field: 'total.toPay',
        quoted: 850,
        now: 910,
      });
    }
  });

  test('never receive a time without intake when their slot ends concurrently', async () => {
    const { days } = (
      await ask<DeliverySlots>(
        'GET',
        `/delivery/slots?organization_id=${place.organizationErpId}&type=PICKUP`,
      )
    ).body;
    const slotId = days.at(-1)!.slots.at(-1)!.id;
    const [from, to] = [-1, 1].map(
      (hours) => new Date(Date.parse(slotId.split('/')[0]!) + hours * 3_600_000),
    );
    for (let round = 0; round < 3; round += 1) {
      await deleteRows(db, 'schedule_exception');
      const { later } = await beside(
        () =>
          addRow(db, 'schedule_exception', {
            organizationId: place.organizationId,
            kind: 'INTAKE_STOPPED',
            startsAt: from,
            endsAt: to,
            reason: 'x',
          }),
        { ...pickup(), slotId },
      );
      expect(later).toMatchObject({ status: 409, body: { reasons: ['SLOT_EXPIRED'] } });
    }
  });

  test('[ORD-88] succeed with one promo code that has enough uses', async () => {
    const discount = await addRow(db, 'discount', {
      code: 'MANY',
      name: 'Много',
      kind: 'PERCENT',
      value: 50,
      needsPromocode: true,
      totalUses: 25,
    });
    await addRow(db, 'promocode', { code: 'RUSH', discountId: discount.id });
    const carts = await Promise.all(Array.from({ length: 24 }, () => make({ promocode: 'RUSH' })));
    const answers = await Promise.all(carts.map((cart) => order<PlacedOrder & Refused>(cart)));
    const refused = answers.filter(({ status }) => status !== 201);

    expect(refused.map(({ status, body }) => [status, body.type, body.reasons])).toEqual([]);
    expect(answers.map(({ body }) => body.total)).toEqual(carts.map(() => 425));
  });

  test('share no single use of a discount if one customer places them', async () => {
    await addRow(db, 'discount', {
      code: 'HELLO',
      name: 'Привет',
      kind: 'PERCENT',
      value: 20,
      oncePerCustomer: true,
    });
    const token = await tokenOf('anna');
    const carts = [await make({}, { token })];
    // A second cart of the customer, as if joined on another device.
    await owner(
      'alter index cart_customer_unique rename to cart_customer_unique_before; drop index cart_customer_unique_before',
    );
    try {
      carts.push(await make());
      await updateRows(db, 'cart', { customerId: 'anna' });
      const seen = await Promise.all(carts.map((cart) => check(cart, {}, { token })));
      const answers = await Promise.all(
        carts.map((cart, at) => order(cart, { quoteId: seen[at]!.quote!.id }, { token })),
      );
      expect(seen.map(({ total }) => total.discount)).toEqual([170, 170]);
      expect(listStatuses(answers)).toEqual([201, 409]);
    } finally {
      await deleteRows(db, 'cart');
      await owner(
        'create unique index cart_customer_unique on cart (customer_id) where customer_id is not null',
      );
    }
  });
});

describe('a placed order', () => {
  test('[ORD-41] can be withdrawn by its guest until it is sent, which returns its discount uses', async () => {
    await addRow(db, 'discount', {
      code: 'ONE',
      name: 'Один раз',
      kind: 'PERCENT',
      value: 10,
      totalUses: 1,
    });
    const { body: placed } = await order(await make());
    const before = await check(await make());
    const { status, body } = await ask<Order>('POST', `/orders/${placed.orderId}/cancel`, {
      reason: 'Передумала',
    });
    const again = await ask<Order>('POST', `/orders/${placed.orderId}/cancel`, {});
    const after = await check(await make());

    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'CANCELLED',
      problem: 'WITHDRAWN',
      message: 'Вы отменили заказ.',
      cancellable: false,
    });
    expect(body.statusHistory.map((entry) => [entry.status, entry.problem])).toEqual([
      ['ACCEPTED', null],
      ['CANCELLED', 'WITHDRAWN'],
    ]);
    expect(again).toEqual({ status, body });
    expect([before.total.toPay, after.total.toPay]).toEqual([850, 765]);
    const { personalDataId } = await selectRow(db, 'customer_order', ['personalDataId']);
    const [text] = await rowTexts(db, 'customer_order');
    const personal = await readPersonal<OrderPersonal>(db, api.deps, [personalDataId!]);
    expect(personal.get(personalDataId!)?.cancelReason).toBe('Передумала');
    expect(text).not.toContain('Передумала');
  });

  test.each(['SENT', 'CONFIRMED', 'CLOSED', 'FAILED'] as const)(
    '[ORD-41] can no longer be withdrawn if it is %s',
    async (state) => {
      const { body: placed } = await order(await make());
      await updateRows(db, 'customer_order', {
        state,
        endedAt: ['CLOSED', 'FAILED'].includes(state) ? new Date() : null,
        unansweredSince: databaseNow(),
      });
      const refused = await ask<{ type: string }>('POST', `/orders/${placed.orderId}/cancel`, {});

      expect(refused).toMatchObject({
        status: 409,
        body: { orderStatus: state, type: '/problems/order-not-cancellable' },
      });
    },
  );

  test('uses up discounts for first orders of its customer', async () => {
    await addRow(db, 'discount', {
      code: 'FIRST',
      name: 'Первый',
      kind: 'PERCENT',
      value: 20,
      firstOrderOnly: true,
    });
    const token = await tokenOf('vera');
    const listDiscounts = ({ discounts }: Cart) =>
      discounts.map(({ applied, reason }) => [applied, reason]);
    const first = await make({}, { token });
    const { body: placed } = await order(first, {}, { token });
    const second = await make({}, { token });
    await ask('POST', `/orders/${placed.orderId}/cancel`, {}, { token });
    const { body: after } = await ask<Cart>('GET', `/cart?cart_id=${second.cartId}`, undefined, {
      token,
    });

    expect(listDiscounts(first)).toEqual([[true, null]]);
    expect(placed.total).toBe(680);
    expect(listDiscounts(second)).toEqual([[false, 'ALREADY_USED']]);
    expect(listDiscounts(after)).toEqual([[true, null]]);
  });

  test("[ORD-75] belongs to its customer, also from a guest cart, with only the customer's discounts", async () => {
    const discount = await addRow(db, 'discount', {
      code: 'FIRST',
      name: 'Первый',
      kind: 'PERCENT',
      value: 20,
      firstOrderOnly: true,
      needsPromocode: true,
    });
    await addRow(db, 'promocode', { code: 'HELLO', discountId: discount.id });
    const token = await tokenOf('galina');
    const cart = await make({ promocode: 'HELLO' });
    const { body: read } = await ask<Cart>('GET', `/cart?cart_id=${cart.cartId}`, undefined, {
      token,
    });
    const seen = await check(cart, {}, { token });
    const ofNobody = await order<Refused>(cart, { quoteId: seen.quote!.id });
    const again = await make({ promocode: 'HELLO' });
    const { quote } = await check(again, {}, { token });
    const placed = await order(again, { quoteId: quote!.id }, { token });
    const second = await make({ promocode: 'HELLO' });
    const late = await check(second, {}, { token });

    expect([cart.total, read.total]).toEqual([850, 680]);
    expect(cart.discounts).toMatchObject([{ applied: false, reason: 'CUSTOMER_REQUIRED' }]);
    expect(seen).toMatchObject({
      canSubmit: true,
      warnings: [],
      adjustments: [],
      total: { toPay: 680 },
    });
    expect(ofNobody).toMatchObject({ status: 409, body: { preflight: { total: { toPay: 850 } } } });
    expect(placed).toMatchObject({ status: 201, body: { total: 680 } });
    expect(late).toMatchObject({
      warnings: [{ code: 'PROMO_CONDITIONS_UNMET', reason: 'ALREADY_USED' }],
    });
  });

  test('[ORD-42] can be repeated as a cart of dishes that are sold now, and the others are reported', async () => {
    const cart = await make({
      lines: [soup, pizza].map(({ variantId }) => ({ variantId, quantity: 2, modifiers: [] })),
    });
    const { body: placed } = await order(cart);
    await rows.stop(place.organizationId, soup.erpId);
    const key = randomUUID();
    const { status, body } = await ask<Cart>(
      'POST',
      `/orders/${placed.orderId}/repeat`,
      undefined,
      { key },
    );
    const again = await ask<Cart>('POST', `/orders/${placed.orderId}/repeat`, undefined, { key });

    expect(status).toBe(201);
    expect(body.lines).toMatchObject([
      { variantId: pizza.variantId, quantity: 2, unitPrice: 600, priceChanged: false },
    ]);
    expect(body.changes).toMatchObject([
      { action: 'REMOVED', reason: 'STOP_LIST', variantId: soup.variantId },
    ]);
    expect(again.body.cartId).toBe(body.cartId);
    expect((await order(body, { cartVersion: 1 })).status).toBe(201);
  });

  test('[ORD-42] can be repeated in its organization, at the last stored prices while that is inactive', async () => {
    const home = await rows.restaurant();
    const dish = await rows.dish({ ...home, prices: { [home.organizationId]: 10_000 } });
    await openForOrders(db, home.organizationId);
    const cart = await make({
      organizationId: home.organizationErpId,
      lines: [{ variantId: dish.variantId, quantity: 1, modifiers: [] }],
    });
    const { body: placed } = await order(cart, {
      fulfillment: { type: 'PICKUP', organizationId: home.organizationErpId, slotId: 'asap' },
    });
    const repeated = async () =>
      (
        await ask<Cart>('POST', `/orders/${placed.orderId}/repeat`, undefined, {
          key: randomUUID(),
        })
      ).body;
    await updateRows(
      db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: home.organizationId },
    );
    const off = await repeated();
    const connectionId = await rows.connection();
    const moved = await rows.organization(connectionId, { erp_id: home.organizationErpId });
    await rows.offer(await rows.externalMenu(connectionId), dish, { [moved.id]: 12_000 });
    const now = await repeated();

    expect(off.lines).toMatchObject([{ available: false, unitPrice: 100 }]);
    expect(now).toMatchObject({
      organizationId: home.organizationErpId,
      total: 120,
      lines: [{ available: true }],
    });
  });
});

test('[ORD-39] an order receives a new number if another order of the day has it', async () => {
  const first = await order(await make());
  // Only one order number is free, so generation is repeated.
  await expect(
    sql(
      `insert into customer_order select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'cart_id', gen_random_uuid()))).*
         from customer_order o where id = $1`,
      [first.body.orderId],
    ),
  ).rejects.toThrow('customer_order_number_unique');
});

test('[ORD-40] an order belongs to its customer alone, in a list with pages', async () => {
  const [anna, boris] = [await tokenOf('anna'), await tokenOf('boris')];
  const placed: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    const cart = await make({}, { token: anna });
    placed.unshift((await order(cart, {}, { token: anna })).body.orderId);
  }
  const path = `/orders/${placed[0]}`;

  expect((await ask<Order>('GET', path, undefined, { token: anna })).body).toMatchObject({
    orderId: placed[0],
  });
  for (const sent of [{}, { token: boris }])
    expect((await ask('GET', path, undefined, sent)).status).toBe(404);
  const page = (at: number, token = anna) =>
    ask<{ items: Order[]; total: number }>('GET', `/orders?page=${at}&size=2`, undefined, {
      token,
    });
  const pages = [await page(1), await page(2)].flatMap(({ body }) =>
    body.items.map(({ orderId }) => orderId),
  );
  expect(pages).toEqual(placed);
  expect((await page(1, boris)).body).toMatchObject({ items: [], total: 0 });
  expect((await ask('GET', '/orders')).status).toBe(401);
});

describe('orders for staff', () => {
  type Listed = { items: { orderId: string }[]; total: number };
  type Whole = Order & {
    person: { name: string; phone: string; comment: string | null } | null;
    erasedAt: string | null;
  };

  test('[ORD-44] appear by pages and filters, with the guest only for users who may manage orders', async () => {
    const token = await tokenOf('anna');
    const own = (await order(await make({}, { token }), { comment: 'позвоните' }, { token })).body;
    const other = (await order(await make())).body;
    await admin.post('/roles', {
      code: 'ORDER_READER',
      name: 'Reads orders',
      permissions: ['orders.read'],
    });
    await admin.post('/users', {
      email: 'viewer@carte.test',
      password: 'a viewer who signs in',
      fullName: 'V',
      roles: ['ORDER_READER'],
    });
    const viewer = await newcomerClient(api.url, 'viewer@carte.test', 'a viewer who signs in');

    const ids = async (query: string) =>
      (await admin.get<Listed>(`/orders${query}`)).items.map(({ orderId }) => orderId);
    expect(await ids('')).toEqual([other.orderId, own.orderId]);
    expect(await ids('?size=1&page=2')).toEqual([own.orderId]);
    expect(await ids('?customer_id=anna')).toEqual([own.orderId]);
    expect(await ids('?status=CLOSED')).toEqual([]);
    expect(await ids(`?organization_id=${place.organizationErpId}&status=ACCEPTED`)).toHaveLength(
      2,
    );
    expect(JSON.stringify(await admin.get('/orders'))).not.toMatch(/Канарейкина|9990001122/);
    expect((await admin.get<Whole>(`/orders/${own.orderId}`)).person).toMatchObject({
      name: 'Анна Канарейкина',
      phone: '+79990001122',
      comment: 'позвоните',
    });
    expect(await viewer.get<Whole>(`/orders/${own.orderId}`)).toMatchObject({
      orderId: own.orderId,
      person: null,
    });
    expect((await viewer.raw('POST', `/orders/${own.orderId}/erase`, { reason: 'x' })).status).toBe(
      403,
    );
    expect((await admin.raw('GET', `/orders/${randomUUID()}`)).status).toBe(404);
  });

  test('[ORD-133] can be found by numbers, ids and, for users who may manage orders, by phone', async () => {
    const { body: placed } = await order(await make());
    const { body: other } = await order(await make(), {
      customer: { name: 'Борис', phone: '+79990003344' },
    });
    const erpOrderId = randomUUID();
    await updateRows(
      db,
      'customer_order',
      { erpNumber: '88123', erpOrderId },
      { id: placed.orderId },
    );
    await admin.post('/roles', {
      code: 'ORDER_FINDER',
      name: 'Finds orders',
      permissions: ['orders.read'],
    });
    await admin.post('/users', {
      email: 'finder@carte.test',
      password: 'a finder who signs in',
      fullName: 'F',
      roles: ['ORDER_FINDER'],
    });
    const finder = await newcomerClient(api.url, 'finder@carte.test', 'a finder who signs in');
    const found = async (q: string, client = admin) =>
      (await client.get<Listed>(`/orders?q=${encodeURIComponent(q)}`)).items.map(
        ({ orderId }) => orderId,
      );

    expect(await found(placed.number)).toEqual([placed.orderId]);
    expect(await found(`№ ${placed.number}`)).toEqual([placed.orderId]);
    expect(await found('88123')).toEqual([placed.orderId]);
    expect(await found(placed.orderId.toUpperCase())).toEqual([placed.orderId]);
    expect(await found(erpOrderId)).toEqual([placed.orderId]);
    expect(await found('8 (999) 000-11-22')).toEqual([placed.orderId]);
    expect(await found('+7 999 000-33-44')).toEqual([other.orderId]);
    expect(await found('nothing')).toEqual([]);
    expect(await found('8 (999) 000-11-22', finder)).toEqual([]);
    expect(await found(placed.number, finder)).toEqual([placed.orderId]);
    await updateRows(
      db,
      'customer_order',
      { state: 'CLOSED', endedAt: new Date() },
      { id: placed.orderId },
    );
    await admin.post(`/orders/${placed.orderId}/erase`, { reason: 'asked for it' });
    expect(await found('8 (999) 000-11-22')).toEqual([]);
    expect(await found(placed.number)).toEqual([placed.orderId]);
  });

  test('[ORD-132, HTTP-42] appear once each by cursors while new orders arrive', async () => {
    const placed: string[] = [];
    for (let at = 0; at < 5; at += 1) placed.push((await order(await make())).body.orderId);
    const read: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: Listed & { next: string | null } = await admin.get(
        `/orders?size=2${after === '' ? '' : `&after=${after}`}`,
      );
      read.push(...page.items.map(({ orderId }) => orderId));
      after = page.next;
      await order(await make());
    }

    expect(read).toEqual(placed.toReversed());
  });

  test.each([
    ['another filter', '/orders?status=CLOSED&'],
    ['another order', '/orders?sort=createdAt,asc&'],
    ['another list', '/audit?'],
  ])('[HTTP-42] reject a cursor with %s', async (_, path) => {
    await order(await make());
    await order(await make());
    const { next } = await admin.get<{ next: string }>('/orders?size=1');

    const refused = await admin.raw('GET', `${path}after=${next}`);

    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ field: 'after', code: 'invalid' }] });
  });

  test('[HTTP-42] reject a forged cursor', async () => {
    await order(await make());
    await order(await make());
    const { next } = await admin.get<{ next: string }>('/orders?size=1');
    const [scope] = JSON.parse(Buffer.from(next, 'base64url').toString()) as string[];
    const forged = [[scope, 'no time', 'no id'], [scope], { scope }, 'x'].map((parts) =>
      Buffer.from(JSON.stringify(parts)).toString('base64url'),
    );

    for (const after of [...forged, 'x'])
      expect((await admin.raw('GET', `/orders?after=${after}`)).status).toBe(422);
  });

  test('[HTTP-42] can be filtered by a period and by every parameter together', async () => {
    const { body: placed } = await order(await make());
    await updateRows(
      db,
      'customer_order',
      { acceptedAt: new Date('2026-01-02T10:00:00Z') },
      { id: placed.orderId },
    );
    const { body: later } = await order(await make());
    const ids = async (query: string) =>
      (await admin.get<Listed>(`/orders?${query}`)).items.map(({ orderId }) => orderId);

    expect(await ids('from=2026-01-02T10:00:00Z&to=2026-01-02T10:00:01Z')).toEqual([
      placed.orderId,
    ]);
    expect(await ids('to=2026-01-02T10:00:00Z')).toEqual([]);
    expect(await ids('from=2026-01-03T00:00:00Z')).toEqual([later.orderId]);
    expect(
      await ids(
        `q=${placed.number}&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&status=ACCEPTED&channel=CARTE&organization_id=${place.organizationErpId}`,
      ),
    ).toEqual([placed.orderId]);
  });

  test('[ORD-170] can be filtered by problem, statuses, end, presence at the ERP, fulfillment and due time', async () => {
    const [waiting, failed, withdrawn, cooking, closed, stuck] = [
      (await order(await make())).body.orderId,
      (await order(await make())).body.orderId,
      (await order(await make())).body.orderId,
      (await order(await make())).body.orderId,
      (await order(await make())).body.orderId,
      (await order(await make())).body.orderId,
    ];
    const change = (id: string, row: object) => updateRows(db, 'customer_order', row, { id });
    const endedAt = new Date();
    await change(failed, { state: 'FAILED', problem: 'REJECTED_BY_ERP', endedAt });
    await change(withdrawn, { state: 'CANCELLED', problem: 'WITHDRAWN', endedAt });
    await change(cooking, {
      state: 'COOKING',
      erpTimestamp: 1,
      dueAt: new Date('2026-03-01T12:00:00Z'),
    });
    await change(closed, { state: 'CLOSED', erpTimestamp: 1, endedAt });
    await change(stuck, { state: 'SENT', problem: 'STUCK_IN_PROGRESS', erpOrderId: stuck });
    const erpOrder = {
      connectionId: place.connectionId,
      organizationId: place.organizationId,
      erpTimestamp: 1,
      number: '900',
      fulfillmentType: 'DELIVERY',
      persons: 1,
      timeZone: 'Europe/Moscow',
      placedAt: new Date('2026-03-02T12:00:00Z'),
      isAsap: true,
      totalKopecks: 100,
      lines: [],
      moves: [],
    } as const;
    const elsewhere = (
      await addRow(db, 'erp_order', { ...erpOrder, id: randomUUID(), state: 'COOKING' })
    ).id;
    const names = new Map(
      Object.entries({ waiting, failed, withdrawn, cooking, closed, stuck, elsewhere }).map(
        ([name, id]) => [id, name],
      ),
    );
    const found = async (query: string) =>
      (await admin.get<Listed>(`/orders?size=200&${query}`)).items
        .map(({ orderId }) => String(names.get(orderId)))
        .toSorted();

    expect(await found('problem=REJECTED_BY_ERP')).toEqual(['failed']);
    expect(await found('problem=REJECTED_BY_ERP&problem=WITHDRAWN')).toEqual([
      'failed',
      'withdrawn',
    ]);
    expect(await found('status=COOKING')).toEqual(['cooking', 'elsewhere']);
    expect(await found('status=COOKING&status=FAILED')).toEqual(['cooking', 'elsewhere', 'failed']);
    expect(await found('open=true')).toEqual(['cooking', 'elsewhere', 'stuck', 'waiting']);
    expect(await found('open=false')).toEqual(['closed', 'failed', 'withdrawn']);
    expect(await found('at_erp=false')).toEqual(['failed', 'waiting', 'withdrawn']);
    expect(await found('at_erp=true')).toEqual(['closed', 'cooking', 'elsewhere', 'stuck']);
    expect(await found('at_erp=false&open=true')).toEqual(['waiting']);
    expect(await found('fulfillment=DELIVERY')).toEqual(['elsewhere']);
    expect(await found('due_from=2026-03-01T12:00:00Z&due_to=2026-03-02T12:00:00Z')).toEqual([
      'cooking',
    ]);
    expect(await found('due_from=2026-03-02T00:00:00Z&due_to=2026-03-03T00:00:00Z')).toEqual([
      'elsewhere',
    ]);
    expect((await admin.raw('GET', '/orders?problem=UNKNOWN')).status).toBe(422);
    const exported = await admin.raw(
      'GET',
      '/exports/orders?format=jsonl&problem=REJECTED_BY_ERP&open=false',
    );
    expect((await exported.text()).trim().split('\n')).toEqual([
      expect.stringContaining(failed),
      expect.any(String),
    ]);
    await deleteRows(db, 'erp_order', { id: elsewhere });
  });

  test('[HTTP-43] show a total of up to 1,000 unless a page is given', async () => {
    await sql(
      `insert into customer_order (id, number, day, organization_id, connection_id, cart_id, cart_version, fulfillment_type,
         slot_id, time_zone, due_at, eta_minutes, payment_method, leave_at_door, persons, subtotal_kopecks, discount_kopecks,
         delivery_fee_kopecks, total_kopecks, state, accepted_at, send_until, ended_at)
       select gen_random_uuid(), 'many-' || at, '2026-01-01', $1, $2, gen_random_uuid(), 1, 'PICKUP', 'asap',
              'Europe/Moscow', now(), 20, 'CASH', false, 1, 0, 0, 0, 0, 'CLOSED', now(), now(), now()
         from generate_series(1, 1010) at`,
      [place.organizationId, place.connectionId],
    );

    expect((await admin.get<Listed>('/orders?size=1')).total).toBe(1_000);
    expect((await admin.get<Listed>('/orders?size=1&page=1')).total).toBe(1_010);
  });

  test('[ORD-43] show the facts of an accepted order, and if the current rules agree', async () => {
    const { body: placed } = await order(await make());
    const decision = await admin.get<{
      rules: { code: string; findings: unknown[] }[];
      sameToday: boolean;
      decided: unknown[];
    }>(`/orders/${placed.orderId}/decision`);
    await sql(
      `update order_decision set decision = jsonb_set(decision, '{facts,cart,lineCount}', '0')`,
    );
    const changed = await admin.get<typeof decision>(`/orders/${placed.orderId}/decision`);

    expect(decision).toMatchObject({ sameToday: true, decided: [] });
    expect(decision.rules.map(({ code }) => code)).toContain('ITEMS_UNAVAILABLE');
    expect(changed.sameToday).toBe(false);
    expect(changed.rules.find(({ code }) => code === 'CART_EMPTY')?.findings).toHaveLength(1);
  });

  test('[ORD-104] show decisions for 90 days, including those that the previous release stored', async () => {
    const [kept, former] = [
      (await order(await make())).body.orderId,
      (await order(await make())).body.orderId,
    ];
    await sql(
      `with moved as (delete from order_decision where order_id = $1 returning decision)
       update customer_order set decision = moved.decision from moved where id = $1`,
      [former],
    );
    const statuses = async () =>
      Promise.all(
        [kept, former].map(async (id) => {
          await deleteOutdated(db);
          return (await admin.raw('GET', `/orders/${id}/decision`)).status;
        }),
      );
    const stored = () =>
      sql<{ former: number; kept: number }>(
        `select (select count(decision)::int from customer_order) as former, (select count(*)::int from order_decision) as kept`,
      );
    const age = async (days: number) => {
      await updateRows(db, 'customer_order', { acceptedAt: ago(`${days} days`) });
      await updateRows(db, 'order_decision', { decidedAt: ago(`${days} days`) });
    };

    await age(89);
    expect(await statuses()).toEqual([200, 200]);
    expect(await stored()).toEqual([{ former: 1, kept: 1 }]);
    await age(91);
    expect(await statuses()).toEqual([404, 404]);
    expect(await stored()).toEqual([{ former: 0, kept: 0 }]);
    expect((await admin.get<Whole>(`/orders/${kept}`)).orderId).toBe(kept);
  });

  test('[ORD-80] can be canceled before they are sent, with a reason in the audit', async () => {
    const { body: placed } = await order(await make());
    for (const action of ['cancel', 'erase'])
      expect(
        await awaitRefusal(
          admin.raw('POST', `/orders/${placed.orderId}/${action}`, { reason: ' \n ' }),
        ),
      ).toMatchObject({
        status: 422,
        errors: [{ field: 'reason', code: 'required' }],
      });
    const cancelled = await admin.post<Whole>(`/orders/${placed.orderId}/cancel`, {
      reason: 'Дубль',
    });
    const again = await admin.raw('POST', `/orders/${placed.orderId}/cancel`, { reason: 'Дубль' });

    expect(cancelled).toMatchObject({ status: 'CANCELLED', problem: 'CANCELLED_BY_STAFF' });
    expect(again.status).toBe(409);
    expect(await admin.get(`/audit?entity_type=order&entity_id=${placed.orderId}`)).toMatchObject({
      items: [{ action: 'cancel', entityId: placed.orderId, reason: 'Дубль' }],
    });
  });

  test('[ORD-44] lose the guest of a finished order, and no copy of the data remains', async () => {
    const cart = await make({
      lines: [
        { variantId: soup.variantId, quantity: 1, modifiers: [], comment: 'для Канарейкиной' },
      ],
    });
    const { body: placed } = await order(cart, { comment: 'домофон Канарейкина' });
    const early = await admin.raw('POST', `/orders/${placed.orderId}/erase`, { reason: 'просьба' });
    await ask('POST', `/orders/${placed.orderId}/cancel`, {});
    const erased = await admin.post<Whole>(`/orders/${placed.orderId}/erase`, {
      reason: 'просьба',
    });
    const again = await admin.post<Whole>(`/orders/${placed.orderId}/erase`, { reason: 'просьба' });

    expect(early.status).toBe(409);
    expect(erased).toMatchObject({ person: null, erasedAt: expect.any(String), total: 250 });
    expect(again).toEqual(erased);
    expect(await readAudit(api.deps, 'order', placed.orderId)).toMatchObject([
      { action: 'erase', reason: 'просьба' },
    ]);
    expect(await selectRows(db, 'personal_data', ['purpose'])).toEqual([{ purpose: 'REASON' }]);
    expect((await ask<Order>('GET', `/orders/${placed.orderId}`)).body).toMatchObject({
      total: 250,
    });
  });

  test('[CMP-109, HTTP-26] lose the texts of staff about the order, and the audit stays complete', async () => {
    const { body: placed } = await order(await make());
    await admin.post(`/orders/${placed.orderId}/cancel`, { reason: 'Дубль Канарейкиной' });
    const plain = await tablesWith(db, (text) => text.includes('Дубль Канарейкиной'));
    await sealAudit(api.deps);
    const before = await verifyAudit(db);
    await admin.post(`/orders/${placed.orderId}/erase`, { reason: 'просьба' });

    expect(plain).toEqual([]);
    expect(await readAudit(api.deps, 'order', placed.orderId)).toMatchObject([
      { action: 'cancel', userId: 1, actor: null, reason: null, reasonErased: true },
      { action: 'erase', reason: 'просьба', reasonErased: false },
    ]);
    expect(await verifyAudit(db, before.end)).toMatchObject({ fault: null });
  });

  test('[ORD-44] keep nothing of a guest in any column of the database', async () => {
    const cart = await make({
      lines: [
        { variantId: soup.variantId, quantity: 1, modifiers: [], comment: 'для Канарейкиной' },
      ],
    });
    await ask('POST', '/addresses', {
      cartId: cart.cartId,
      address: {
        city: 'Калининград',
        street: 'Канарейкинская',
        house: '17',
        comment: 'Канарейкина',
      },
    });
    await order(cart, { comment: 'домофон Канарейкина' });
    expect((await tableNames(db)).length).toBeGreaterThan(60);
    expect(await tablesWith(db, (text) => /Канарейк|9990001122|999\) 000/.test(text))).toEqual([]);
  });
});
