import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { moveOrder } from '../../../modules/ordering/orders/move-order.ts';
import { holdOrder } from '../../../modules/ordering/orders/order-row.ts';
import type { MovedBy, OrderState } from '../../../modules/ordering/rules/order-states.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { orderDesk } from '../../support/orders.ts';
import { sessionsWait } from '../../support/races.ts';

let fixture: TestFixture;
let desk: Awaited<ReturnType<typeof orderDesk>>;
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  desk = await orderDesk(fixture);
});
afterAll(() => fixture?.close());

const move = (orderId: string, to: OrderState, by: MovedBy) =>
  fixture.db.transaction(async (tx) =>
    moveOrder(fixture, tx, await holdOrder(tx, orderId), to, by),
  );
const refusals = async () => (await fixture.metrics.orderMovesRefused.get()).values;

test('[ORD-30] a move that is not in the table of moves is rejected, counted and not written', async () => {
  const orderId = await desk.accepted({ isAnnounced: false });

  await expect(move(orderId, 'COOKING', 'STAFF')).rejects.toThrow(
    `Order ${orderId} cannot go from ACCEPTED to COOKING by STAFF`,
  );

  expect(await desk.states(orderId)).toEqual(['ACCEPTED']);
  expect(await desk.row(orderId)).toMatchObject({ state: 'ACCEPTED' });
  expect(await refusals()).toEqual([
    { labels: { from: 'ACCEPTED', to: 'COOKING', by: 'STAFF' }, value: 1 },
  ]);
});

test('[ORD-30] a move that waits for another is rejected by the state that the other has written', async () => {
  const orderId = await desk.accepted({ isAnnounced: false });
  let sending: Promise<unknown> = Promise.resolve();
  await fixture.db.transaction(async (tx) => {
    await moveOrder(fixture, tx, await holdOrder(tx, orderId), 'CANCELLED', 'CUSTOMER', {
      problem: 'WITHDRAWN',
    });
    sending = move(orderId, 'SENT', 'CARTE').catch((error: unknown) => error);
    await sessionsWait(fixture.db, 1);
  });

  expect(await sending).toMatchObject({
    message: `Order ${orderId} cannot go from CANCELLED to SENT by CARTE`,
  });
  expect(await desk.states(orderId)).toEqual(['ACCEPTED', 'CANCELLED']);
});

test('[ORD-108] the time of a locked order is read after the lock is granted', async () => {
  const orderId = await desk.accepted({ isAnnounced: false });
  const { locking, releasedAt } = await fixture.db.transaction(async (tx) => {
    await holdOrder(tx, orderId);
    const locking = fixture.db.transaction((other) => holdOrder(other, orderId));
    await sessionsWait(fixture.db, 1);
    const [now] = await fixture.db.query<{ at: Date }>(
      `select date_trunc('milliseconds', clock_timestamp()) as at`,
    );
    // The promise is wrapped in an object, because the transaction would await it.
    return { locking, releasedAt: now!.at };
  });

  expect((await locking).readAt.getTime()).toBeGreaterThanOrEqual(releasedAt.getTime());
});
