import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getDecision } from '../../../modules/ordering/staff/staff-orders.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { orderingFixture, type Dish } from '../../support/ordering-fixture.ts';
import { repetitions } from '../../support/repetitions.ts';
import { addRow, ago, deleteRows, fromNow, selectRows, updateRows } from '../../support/rows.ts';

const CASES = repetitions(60);

const { api, db, rows, place, pizza, sql, ask: send, stop } = await orderingFixture();
/** Dishes for 0.01, 199.99 and 600 rubles. */
const dishes: Dish[] = [];

beforeAll(async () => {
  for (const price of [1, 19_999])
    dishes.push(await rows.dish({ ...place, prices: { [place.organizationId]: price } }));
  dishes.push(pizza);
});
afterAll(stop);

const ask = <T>(path: string, body: object) => send<T>('POST', path, body, { key: randomUUID() });

/** Mostly usual values, so that about half of the checkouts pass. */
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );
const hour = fc.integer({ min: 0, max: 23 });
const fixture = fc.record({
  lines: fc.array(
    fc.record({ dish: fc.integer({ min: 0, max: 2 }), quantity: fc.integer({ min: 1, max: 3 }) }),
    {
      maxLength: 3,
    },
  ),
  stopped: mostly<number[]>([], [0], [1]),
  // Remaining units before and after the cart is made. A fraction counts as no unit.
  left: fc.array(
    fc.record({
      dish: fc.integer({ min: 0, max: 2 }),
      balance: fc.constantFrom(9, 9, 9, 2.5, 1, 0.5),
      isSeen: fc.constantFrom(true, true, false),
    }),
    { maxLength: 2 },
  ),
  opensAt: hour,
  closesAt: hour,
  isAlwaysOpen: mostly(true, false),
  pickupEnabled: mostly(true, false),
  timedOrdersEnabled: mostly(true, false),
  discount: fc.option(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }), total: fc.option(fc.constant(1)) }),
  ),
  isIntakeStopped: mostly(false, true),
  type: mostly('PICKUP', 'DELIVERY'),
  slot: mostly('asap', 'offered', 'offered', '2020-01-01T12:00+03:00/PT10M'),
  point: mostly<'own' | 'none' | 'other'>('own', 'none', 'other'),
  paymentMethod: mostly('CASH', 'CARD_COURIER', 'SBP'),
  leaveAtDoor: mostly(false, true),
  changeFrom: mostly<number | null>(null, 1, 5_000),
});
type Fixture = typeof fixture extends fc.Arbitrary<infer W> ? W : never;

async function build({ opensAt, closesAt, isAlwaysOpen, ...given }: Fixture): Promise<void> {
  for (const table of [
    'mirror_stop_list',
    'discount_use',
    'discount',
    'schedule_exception',
    'ordering_schedule',
    'ordering_config',
  ])
    await sql(`delete from ${table}`);
  const clock = (at: number) => `${String(at).padStart(2, '0')}:00`;
  const [from, to] = isAlwaysOpen ? [0, 0] : [opensAt, closesAt];
  const windows = [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
    dayOfWeek,
    channel: 'DINE_IN' as const,
    opensAt: clock(from),
    closesAt: clock(to),
    crossesMidnight: to <= from,
  }));
  await addRow(db, 'ordering_schedule', { organizationId: place.organizationId, windows });
  await addRow(db, 'ordering_config', {
    organizationId: place.organizationId,
    deliveryEnabled: true,
    pickupEnabled: given.pickupEnabled,
    timedOrdersEnabled: given.timedOrdersEnabled,
  });
  await updateRows(
    db,
    'payment_method',
    {
      availability: [
        { organizationId: place.organizationId, fulfillmentTypes: ['DELIVERY', 'PICKUP'] },
      ],
    },
    { code: ['CASH', 'CARD_COURIER'] },
  );
  if (given.discount !== null)
    await addRow(db, 'discount', {
      code: 'D',
      name: 'D',
      kind: 'PERCENT',
      value: given.discount.percent,
      totalUses: given.discount.total,
    });
  if (given.isIntakeStopped)
    await addRow(db, 'schedule_exception', {
      organizationId: place.organizationId,
      kind: 'INTAKE_STOPPED',
      windows: [],
      startsAt: ago('1 hour'),
      endsAt: fromNow('1 hour'),
    });
}

async function leave({ dish, balance }: { dish: number; balance: number }): Promise<void> {
  const { erpId } = dishes[dish]!;
  await deleteRows(db, 'mirror_stop_list', { itemErpId: erpId });
  await rows.stop(place.organizationId, erpId, { balance });
}

test(
  'an order is accepted exactly if preflight allowed it, with the same totals',
  async () => {
    const counts = { accepted: 0, refused: 0, limited: 0 };
    await fc.assert(
      fc.asyncProperty(fixture, async (given) => {
        await build(given);
        for (const entry of given.left.filter(({ isSeen }) => isSeen)) await leave(entry);
        const lines = given.lines.map(({ dish, quantity }) => ({
          variantId: dishes[dish]!.variantId,
          quantity,
          modifiers: [],
        }));
        const { body: cart } = await ask<Cart>('/cart', {
          organizationId: place.organizationErpId,
          lines,
        });
        for (const entry of given.left.filter(({ isSeen }) => !isSeen)) await leave(entry);
        for (const dish of given.stopped) await leave({ dish, balance: 0 });
        const slots = await fetch(
          `${api.url}/api/v1/delivery/slots?organization_id=${place.organizationErpId}&type=${given.type}&cart_id=${cart.cartId}`,
        );
        const { days = [] } = (await slots.json()) as { days?: { slots: { id: string }[] }[] };
        const offered = days.flatMap((day) => day.slots.map(({ id }) => id)).at(0) ?? 'asap';
        const question = {
          cartId: cart.cartId,
          // The warnings of the new cart count as seen.
          cartVersion: cart.version,
          fulfillment: {
            type: given.type,
            slotId: given.slot === 'offered' ? offered : given.slot,
            organizationId: { own: place.organizationErpId, none: null, other: randomUUID() }[
              given.point
            ],
          },
          paymentMethod: given.paymentMethod,
          options: { leaveAtDoor: given.leaveAtDoor },
          changeFrom: given.changeFrom,
        };
        const { body: seen } = await ask<CheckoutVerdict>('/checkout/preflight', question);
        const { status, body } = await ask<PlacedOrder & { preflight: CheckoutVerdict }>(
          '/orders',
          {
            ...question,
            ...(seen.quote === null ? {} : { quoteId: seen.quote.id }),
            customer: { name: 'Анна', phone: '+79990001122' },
          },
        );

        const isAsSeen =
          seen.canSubmit && seen.adjustments.length === 0 && seen.cartVersion === cart.version;
        const codes = ({ blockers }: CheckoutVerdict) => blockers.map(({ code }) => code);
        const answered = isAsSeen
          ? { status, total: body.total }
          : { status, blockers: codes(body.preflight) };
        expect(answered).toEqual(
          isAsSeen
            ? { status: 201, total: seen.total.toPay }
            : { status: 409, blockers: codes(seen) },
        );
        counts[isAsSeen ? 'accepted' : 'refused'] += 1;
        if (
          isAsSeen &&
          given.left.some(({ dish }) => given.lines.some((line) => line.dish === dish))
        )
          counts.limited += 1;
      }),
      { numRuns: CASES, endOnFailure: true },
    );
    process.stdout.write(
      `preflight and order agreed on ${CASES} random checkouts: ${JSON.stringify(counts)}\n`,
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(CASES / 20);

    // An order's stored facts give the same decision, even after changes of settings.
    const stored = await selectRows(db, 'customer_order', ['id']);
    const replayed: Awaited<ReturnType<typeof getDecision>>[] = [];
    for (const { id } of stored) replayed.push(await getDecision(db, id));
    process.stdout.write(`the decisions of ${replayed.length} orders replay\n`);
    expect(replayed).toHaveLength(counts.accepted);
    expect(replayed.filter(({ sameToday, rules }) => !sameToday || rules.length === 0)).toEqual([]);
  },
  Math.max(60_000, repetitions(60_000)),
);
