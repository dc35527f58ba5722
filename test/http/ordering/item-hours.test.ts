import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { DeliverySlots } from '../../../modules/delivery/schemas/hours.ts';
import { findingIn, repairIn } from '../../support/findings.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture, type Answer } from '../../support/ordering-fixture.ts';
import { updateRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { db, rows, place, soup, pizza, ask, makeCart, pickup, preflight, question } = fixture;
const ZONE = 'Europe/Moscow';
const start = Temporal.Now.zonedDateTimeISO(ZONE);
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

beforeAll(() => openForOrders(db, place.organizationId));
afterAll(fixture.stop);
beforeEach(async () => {
  await fixture.empty('mirror_item_placement', 'mirror_menu_category');
  await updateRows(db, 'ordering_config', { timedOrdersEnabled: true });
});

/** Daily hours from `from` to `to` minutes from now, in the restaurant's time zone. */
function hoursFromNow(from: number, to: number) {
  const clock = (minutes: number) =>
    start.add({ minutes }).toPlainTime().toString({ smallestUnit: 'minute' });
  return [{ days: EVERY_DAY, from: clock(from), to: clock(to) }];
}
const momentIn = (minutes: number) =>
  start
    .add({ minutes })
    .round({ smallestUnit: 'minute', roundingMode: 'floor' })
    .toString({ smallestUnit: 'second', timeZoneName: 'never' });

const sell = ({ itemId }: { itemId: number }, from: number, to: number) =>
  rows.placed(place.menuId, itemId, hoursFromNow(from, to));
const blockers = ({ body }: Answer<CheckoutVerdict>) => body.blockers.map(({ code }) => code);
const readSlots = async () =>
  (
    await ask<DeliverySlots>(
      'GET',
      `/delivery/slots?organization_id=${place.organizationErpId}&type=PICKUP`,
    )
  ).body.days.flatMap((day) => day.slots.map(({ id }) => id));
const slotFrom = async (minutes: number) =>
  (await readSlots()).find(
    (id) => Date.parse(id.split('/')[0]!) >= Date.parse(momentIn(minutes)) + 60_000,
  )!;

describe('[ORD-157] a dish outside its hours', () => {
  test('stays in the cart as unavailable, with the time from which it can be ordered', async () => {
    await sell(soup, 120, 240);
    const { lines, subtotal, changes } = await makeCart();

    expect(lines.map(({ available, availableFrom }) => [available, availableFrom])).toEqual([
      [false, momentIn(120)],
      [true, null],
    ]);
    expect({ subtotal, changes }).toEqual({ subtotal: 850, changes: [] });
  });

  test('blocks an immediate order, and shows when it can be ordered and a slot for that', async () => {
    await sell(soup, 120, 240);
    const cart = await makeCart();
    const verdict = await preflight(cart);

    expect(blockers(verdict)).toEqual(['ITEMS_OUTSIDE_HOURS']);
    const blocker = findingIn(verdict.body, 'ITEMS_OUTSIDE_HOURS');
    expect(blocker).toMatchObject({
      items: [
        { lineId: cart.lines[0]!.lineId, name: cart.lines[0]!.name, availableFrom: momentIn(120) },
      ],
      availableFrom: momentIn(120),
    });
    const { slotId } = repairIn(verdict.body, 'CHOOSE_SLOT');
    expect(Date.parse(slotId.split('/')[0]!)).toBeGreaterThanOrEqual(Date.parse(momentIn(120)));
    expect(blockers(await preflight(cart, { fulfillment: pickup({ slotId }) }))).toEqual([]);
  });

  test('blocks a slot outside its hours, although it could be ordered now', async () => {
    await sell(soup, -60, 60);
    const cart = await makeCart();
    const later = await preflight(cart, { fulfillment: pickup({ slotId: await slotFrom(90) }) });

    expect(blockers(await preflight(cart))).toEqual([]);
    expect(blockers(later)).toEqual(['ITEMS_OUTSIDE_HOURS']);
  });

  test('can be ordered for a slot inside its hours, but not for now', async () => {
    await sell(soup, 120, 240);
    const cart = await makeCart();
    const order = (slotId: string) => {
      const { fulfillment, ...rest } = question(cart, { fulfillment: pickup({ slotId }) });
      const customer = { name: 'Анна', phone: '+79991234567' };
      return ask<{ preflight?: CheckoutVerdict }>(
        'POST',
        '/orders',
        { ...rest, fulfillment, customer },
        { key: randomUUID() },
      );
    };
    const now = await order('asap');
    const inSlot = await order(await slotFrom(120));

    expect(now.status).toBe(409);
    expect(now.body.preflight?.blockers.map(({ code }) => code)).toEqual(['ITEMS_OUTSIDE_HOURS']);
    expect(inSlot.status).toBe(201);
  });

  test('offers no repair if no slot is inside the hours of all lines', async () => {
    await sell(soup, 120, 240);
    await sell(pizza, 300, 360);
    const { body } = await preflight(await makeCart());

    const { items, availableFrom, repair } = findingIn(body, 'ITEMS_OUTSIDE_HOURS');
    expect(items.map((item) => item.availableFrom)).toEqual([momentIn(120), momentIn(300)]);
    expect([availableFrom, repair]).toEqual([null, undefined]);
  });

  test('offers no repair if orders for a later time are disabled', async () => {
    await sell(soup, 120, 240);
    await updateRows(db, 'ordering_config', { timedOrdersEnabled: false });
    const { body } = await preflight(await makeCart());

    expect(findingIn(body, 'ITEMS_OUTSIDE_HOURS').repair).toBeUndefined();
  });

  test('sells at any time if it is also in a category without hours', async () => {
    await sell(soup, 120, 240);
    await rows.placed(place.menuId, soup.itemId, null);
    const cart = await makeCart();

    expect(cart.lines[0]).toMatchObject({ available: true, availableFrom: null });
    expect(blockers(await preflight(cart))).toEqual([]);
  });

  test('becomes unavailable when its hours end after it was added to the cart', async () => {
    await sell(soup, -60, 60);
    const cart = await makeCart();
    await fixture.empty('mirror_item_placement');
    await sell(soup, 120, 240);
    const { body } = await ask<Cart>('GET', `/cart?cart_id=${cart.cartId}`);

    expect(body.lines[0]).toMatchObject({ available: false, availableFrom: momentIn(120) });
    expect(body.version).toBe(cart.version);
  });
});
