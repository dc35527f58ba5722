import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  raiseOrderNotice,
  resolveStuckOrder,
} from '../../../modules/ordering/orders/order-notices.ts';
import { holdOrder } from '../../../modules/ordering/orders/order-row.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { sessionsWait } from '../../support/races.ts';
import { addRow, countRows, deleteRows, selectRows } from '../../support/rows.ts';

const CAUSE = {
  kind: 'ORDER_NOT_SENT',
  cause: 'DEADLINE_PASSED',
  details: { error: null },
} as const;
const STUCK = { kind: 'ORDER_STUCK', cause: 'STUCK_IN_PROGRESS', details: {} } as const;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let places: { organizationId: number; connectionId: number }[];
beforeAll(async () => {
  database = await migratedDatabase();
  const rows = menuRows(database.db);
  places = [await rows.restaurant(), await rows.restaurant()];
});
afterEach(() =>
  Promise.all([deleteRows(database.db, 'notification'), deleteRows(database.db, 'outbox')]),
);
afterAll(() => database.close());

let counter = 0;
async function order(place = places[0]!): Promise<string> {
  const { organizationId, connectionId } = place;
  const row = { organizationId, connectionId, number: `order-${(counter += 1)}` };
  return (await addRow(database.db, 'customer_order', row)).id;
}
const orders = (count: number) => Promise.all(Array.from({ length: count }, () => order()));

type Notice = Parameters<typeof raiseOrderNotice>[2];
const raise = (orderId: string, notice: Notice, readAt?: Date): Promise<void> =>
  database.db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    await raiseOrderNotice(tx, readAt === undefined ? row : { ...row, readAt }, notice);
  });
const notifications = () =>
  selectRows(database.db, 'notification', ['details', 'resolvedAt'], {}, { orderBy: 'id' });
const sent = () => countRows(database.db, 'outbox', { event: 'NotificationRaised' });

test('[ORD-127] concurrent orders with one cause raise one notification that counts and lists them', async () => {
  const ids = await orders(60);
  const at = new Date();
  await Promise.all(ids.map((id) => raise(id, CAUSE, at)));
  const [notification, ...others] = await notifications();
  const listed = notification!.details['members'] as { orderId: string }[];

  expect(others).toEqual([]);
  expect(await sent()).toBe(1);
  expect(notification!.details['count']).toBe(60);
  expect(new Set(listed.map(({ orderId }) => orderId)).size).toBe(50);
  expect(ids).toEqual(expect.arrayContaining(listed.map(({ orderId }) => orderId)));
});

test('[ORD-127] a single order is sent immediately with its details, and counts once if raised again', async () => {
  const id = await order();
  await raise(id, CAUSE, new Date('2026-03-01T10:59:59Z'));
  await raise(id, CAUSE, new Date('2026-03-01T11:00:01Z'));

  expect(await notifications()).toMatchObject([
    {
      details: {
        count: 1,
        members: [{ orderId: id, organizationId: places[0]!.organizationId, error: null }],
      },
    },
  ]);
  expect(await sent()).toBe(1);
});

test('[ORD-127] another connection, cause or hour has a separate notification', async () => {
  const [first, second, third] = (await orders(3)) as [string, string, string];
  const at = new Date('2026-03-01T10:59:59Z');
  await raise(first, CAUSE, at);
  await raise(await order(places[1]), CAUSE, at);
  await raise(second, { ...CAUSE, cause: 'REJECTED_BY_ERP' }, at);
  await raise(third, CAUSE, new Date('2026-03-01T11:00:00Z'));

  expect((await notifications()).map(({ details }) => details['count'])).toEqual([1, 1, 1, 1]);
  expect(await sent()).toBe(4);
});

test('[ORD-127] the last of concurrently accepted orders resolves the notification', async () => {
  const [first, second] = (await orders(2)) as [string, string];
  const at = new Date();
  for (const id of [first, second]) await raise(id, STUCK, at);
  const before = await notifications();
  const last = await database.db.transaction(async (tx) => {
    await resolveStuckOrder(tx, first);
    const resolving = database.db.transaction((other) => resolveStuckOrder(other, second));
    await sessionsWait(database.db, 1);
    return { resolving };
  });
  await last.resolving;

  expect(before).toMatchObject([{ details: { count: 2 }, resolvedAt: null }]);
  expect(await notifications()).toMatchObject([{ resolvedAt: expect.any(Date) }]);
});

test('[ORD-127] a notification stays open while one of its orders is not accepted', async () => {
  const [first, second] = (await orders(2)) as [string, string];
  for (const id of [first, second]) await raise(id, STUCK, new Date());
  await database.db.transaction((tx) => resolveStuckOrder(tx, first));

  expect(await notifications()).toMatchObject([{ resolvedAt: null }]);
});

test('[ORD-127] an order raised by the previous release is resolved', async () => {
  const id = await order();
  const former = {
    kind: 'ORDER_STUCK',
    severity: 'CRITICAL',
    subjectType: 'order',
    subjectId: id,
  } as const;
  await addRow(database.db, 'notification', former);
  await database.db.transaction((tx) => resolveStuckOrder(tx, id));

  expect(await notifications()).toMatchObject([{ resolvedAt: expect.any(Date) }]);
});
