import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RewardEdit } from '../../../modules/gifts/schemas/gifts.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { areGiftsGiven } from '../../../modules/gifts/rewards/gift-dishes.ts';
import { importGiftOrders } from '../../../modules/gifts/orders/import-gift-orders.ts';
import { moveRights, reserveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { editReward, getReward } from '../../../modules/gifts/rewards/rewards.ts';
import { settleUnauthorized } from '../../../modules/gifts/orders/unauthorized.ts';
import { applyAll } from '../../../modules/ordering/at-erp/apply-orders.ts';
import { readDeliveries, type ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import {
  addRow,
  ago,
  countRows,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdRow, holdTable, sessionsWait } from '../../support/races.ts';
import {
  GRANTER,
  grantTo,
  rebuiltRights,
  rightsFixture,
  storedRights,
} from '../../support/rights.ts';
import { PLAIN_ORDER } from '../../support/erp-orders.ts';

const PHONE = '+79990001122';
const deps = {
  secrets: testSecrets,
  erp: { customerInfo: async () => ({ outcome: 'NOT_FOUND' as const }) },
};

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  database = await migratedDatabase();
  fixture = await rightsFixture(database.db);
});
afterAll(async () => database?.close());

let itemId: string;
let rewardId: number;
let clientId: string;
let customerId: string;
beforeEach(async () => {
  const { db } = database;
  await updateRows(db, 'reward', { isActive: false });
  await deleteRows(db, 'notification');
  const item = await fixture.rows.item();
  await fixture.rows.size(item.id);
  itemId = item.erpId;
  customerId = randomUUID();
  rewardId = await fixture.reward({ erp_item_id: itemId });
  // The phone of the previous test now belongs to another client.
  await updateRows(db, 'compensation_client', { phoneDigest: null, personalDataId: null });
  clientId = await db.transaction((tx) =>
    ensureClient(tx, deps, {
      connectionId: fixture.connectionId,
      phone: PHONE,
      erpCustomerId: customerId,
    }),
  );
});

type Content = {
  gifts?: number;
  sizeId?: string;
  phone?: string | null;
  customerId?: string | null;
  createdAt?: string;
  isPaid?: boolean;
};
type More = {
  id?: string;
  status?: string;
  timestamp?: number;
  movedFrom?: string;
  movedTo?: string;
};

function told(
  content: Content = {},
  { id = randomUUID(), status = 'WaitCooking', ...more }: More = {},
): ErpDelivery {
  const {
    gifts = 1,
    sizeId = null,
    phone = PHONE,
    createdAt = '2026-11-20 23:30:00.000',
    isPaid = false,
  } = content;
  const { movedFrom = null, movedTo, timestamp = 1 } = more;
  const dish = { itemId: randomUUID(), sizeId: null, name: 'Суп', quantity: 1, isPaid: true };
  return {
    id,
    organizationId: '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b01',
    timestamp,
    creation: 'SUCCESS',
    isCooked: false,
    status,
    number: 1,
    externalNumber: null,
    sum: 100,
    terminalGroupId: null,
    movedFrom,
    movedTo:
      movedTo === undefined
        ? null
        : { deliveryId: movedTo, organizationId: null, terminalGroupId: null },
    content: {
      ...PLAIN_ORDER,
      lines: [
        dish,
        ...(gifts > 0 ? [{ itemId, sizeId, name: 'Тарт', quantity: gifts, isPaid }] : []),
      ],
      createdAt,
      customerId: content.customerId ?? null,
      phone,
    },
  };
}

const hear = async (facts: ErpDelivery[], own: Record<string, string> = {}) =>
  (
    await importGiftOrders({ db: database.db, ...deps }, fixture.connectionId, facts, {
      own: new Map(Object.entries(own)),
      noteFirst: async () => undefined,
    })
  ).orders;
const grant = (more: Partial<Parameters<typeof grantTo>[1]> = {}) =>
  grantTo(database.db, { clientId, rewardId, ...more });
const right = async (id: string) => (await storedRights(database.db, [id]))[0]!;
const unauthorized = () =>
  selectRows(
    database.db,
    'unauthorized_gift',
    ['kind', 'quantity', 'status', 'clientId'],
    { rewardId },
    { orderBy: 'id' },
  );
const giftLines = (erpOrderId: string) =>
  database.db.db
    .selectFrom('erp_gift_line')
    .innerJoin('erp_gift_order as o', 'o.id', 'erp_gift_line.giftOrderId')
    .where('o.erpOrderId', '=', erpOrderId)
    .select(['erp_gift_line.quantity', 'erp_gift_line.rewardIds'])
    .execute();
const divergences = async () =>
  (
    await selectRows(
      database.db,
      'notification',
      ['details'],
      { kind: 'COMPENSATION_DIVERGENCE' },
      { orderBy: 'id' },
    )
  ).map(({ details }) => details.what);
const reserve = (id: string, orderId: string) =>
  database.db.transaction((tx) => reserveRights(tx, { orderId, rights: [id] }));

describe('an order from another channel', () => {
  test('[CMP-47] redeems the right of the phone or of the ERP customer, once per order', async () => {
    const [first, second] = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
    const [byPhone, byId] = [told({ phone: '8 999 000-11-22' }), told({ phone: null, customerId })];

    expect(await hear([byPhone])).toBe(1);
    await Promise.all(Array.from({ length: 5 }, () => hear([byPhone])));
    expect(await right(first)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: byPhone.id });
    expect(await right(second)).toMatchObject({ status: 'GRANTED' });
    await hear([byId, byPhone]);

    expect(await right(second)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: byId.id });
    expect(await unauthorized()).toEqual([]);
    expect(await rebuiltRights(database.db, [first, second])).toEqual(
      await storedRights(database.db, [first, second]),
    );
  });

  test('[CMP-47] redeems in one of many concurrent calls, and the others find the result', async () => {
    const ids = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
    const order = told();
    const holder = await holdTable(database.db, 'erp_gift_order');
    const calls = Array.from({ length: 4 }, () => hear([order]));
    await holder.waits(4);
    await holder.release();
    await Promise.all(calls);

    expect((await storedRights(database.db, ids)).map(({ status }) => status).toSorted()).toEqual([
      'GRANTED',
      'REDEEMED',
    ]);
    expect(await unauthorized()).toEqual([]);
  });

  test('keeps the newer state if it is reported again while that is written', async () => {
    const order = told();
    await hear([order]);
    const existing = await selectRow(database.db, 'erp_gift_order', ['id'], {
      erpOrderId: order.id,
    });
    const holder = await holdRow(database.db, 'erp_gift_order', existing.id);
    const newer = hear([told({ gifts: 3 }, { id: order.id, timestamp: 3 })]);
    await holder.waits(1);
    const older = hear([told({ gifts: 2 }, { id: order.id, timestamp: 2 })]);
    await holder.waits(2);
    await holder.release();
    await Promise.all([newer, older]);

    expect(await unauthorized()).toMatchObject([{ quantity: 3, status: 'OPEN' }]);
    expect(
      await selectRows(database.db, 'erp_gift_line', ['quantity'], { giftOrderId: existing.id }),
    ).toEqual([{ quantity: 3 }]);
  });

  test('[CMP-46] changes nothing without a gift, with a removed gift or if canceled early', async () => {
    const id = await grant();
    expect(
      await hear([
        told({ gifts: 0 }),
        told({}, { status: 'Cancelled' }),
        { ...told(), creation: 'IN_PROGRESS' } as ErpDelivery,
      ]),
    ).toBe(0);
    expect(await right(id)).toMatchObject({ status: 'GRANTED' });
  });

  test('[CMP-48] redeems a granted right before one that an order of ours has reserved', async () => {
    const [reserved, granted] = [
      await grant({ at: new Date(1) }),
      await grant({ at: new Date(2) }),
    ];
    const ownOrder = randomUUID();
    await reserve(reserved, ownOrder);

    await hear([told()]);
    expect([(await right(reserved)).status, (await right(granted)).status]).toEqual([
      'RESERVED',
      'REDEEMED',
    ]);
    expect(await divergences()).toEqual([]);

    const other = told();
    await hear([other]);
    expect(await right(reserved)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: other.id });
    expect(await divergences()).toEqual(['TAKEN_ELSEWHERE']);
  });

  test('[CMP-94] redeems nothing here if it is our order of another connection, even after a move', async () => {
    const { db } = database;
    const granted = await grant();
    const sender = await addRow(db, 'connection');
    const { organizationId } = await fixture.rows.restaurant();
    const { id } = await addRow(db, 'customer_order', { organizationId, connectionId: sender.id });
    const hearAll = (facts: ErpDelivery[]) =>
      applyAll(
        { db, ...deps, env: { SYNC_TIME_ZONE: 'UTC' } } as unknown as Parameters<
          typeof applyAll
        >[0],
        fixture.connectionId,
        facts,
        null,
      );

    expect(await hearAll([told({}, { id }), told({}, { movedFrom: id })])).toMatchObject({
      orders: 0,
      gifts: 0,
    });
    expect((await right(granted)).status).toBe('GRANTED');

    expect(await hearAll([told()])).toMatchObject({ orders: 0, gifts: 1 });
    expect((await right(granted)).status).toBe('REDEEMED');
  });

  test('[CMP-49] stays unchanged and is reported without a right, and is a repetition with a used right', async () => {
    await hear([told({ gifts: 2, phone: '+79995554433' })]);
    expect(await unauthorized()).toEqual([
      { kind: 'NO_RIGHT', quantity: 2, status: 'OPEN', clientId: null },
    ]);

    await grant();
    await hear([told()]);
    const again = told();
    await Promise.all([hear([again]), hear([again]), hear([again])]);

    expect((await unauthorized()).slice(1)).toEqual([
      { kind: 'REPEATED', quantity: 1, status: 'OPEN', clientId },
    ]);
    expect(
      await countRows(database.db, 'notification', { kind: 'UNAUTHORIZED_COMPENSATION' }),
    ).toBe(2);
  });

  test('[CMP-48] redeems all units of a right, reports a shortage and rejects a surplus', async () => {
    const pair = await grant({ quantity: 2 });
    await hear([told({ gifts: 1 })]);
    expect([(await right(pair)).status, await divergences(), await unauthorized()]).toEqual([
      'REDEEMED',
      ['FEWER_THAN_PROMISED'],
      [],
    ]);

    const other = await grant({ quantity: 2 });
    await hear([told({ gifts: 3 })]);
    expect((await right(other)).status).toBe('REDEEMED');
    expect(await unauthorized()).toMatchObject([{ quantity: 1 }]);
  });

  test('[CMP-49] redeems another right for a later gift, and nothing for a removed gift', async () => {
    const [first, second] = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
    const id = randomUUID();
    await hear([told({ gifts: 1 }, { id, timestamp: 1 })]);
    await hear([told({ gifts: 2 }, { id, timestamp: 2 })]);
    expect([(await right(first)).status, (await right(second)).status]).toEqual([
      'REDEEMED',
      'REDEEMED',
    ]);

    await hear([
      told({ gifts: 4 }, { id, timestamp: 4 }),
      told({ gifts: 9 }, { id, timestamp: 3 }),
    ]);
    expect(await unauthorized()).toMatchObject([{ quantity: 2, status: 'OPEN' }]);
    await hear([told({ gifts: 5 }, { id, timestamp: 5 })]);
    expect(await unauthorized()).toMatchObject([{ quantity: 3, status: 'OPEN' }]);
    await hear([told({ gifts: 3 }, { id, timestamp: 6 })]);
    expect(await unauthorized()).toMatchObject([{ quantity: 1, status: 'OPEN' }]);
    await hear([told({ gifts: 0 }, { id, timestamp: 7 })]);
    expect(await unauthorized()).toMatchObject([{ quantity: 1, status: 'WITHDRAWN' }]);
    expect(
      await countRows(database.db, 'notification', {
        kind: 'UNAUTHORIZED_COMPENSATION',
        resolvedAt: null,
      }),
    ).toBe(0);
  });

  test('[CMP-47] remains one order after a move to another terminal, whichever id arrives first', async () => {
    const ids = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
    const [before, after] = [randomUUID(), randomUUID()];
    await hear([told({}, { id: before })]);
    await hear([told({}, { id: after, movedFrom: before, timestamp: 3 })]);
    await hear([told({}, { id: before, status: 'Cancelled', movedTo: after, timestamp: 2 })]);
    await hear([told({}, { id: before, timestamp: 1 })]);

    expect((await storedRights(database.db, ids)).map(({ status }) => status).toSorted()).toEqual([
      'GRANTED',
      'REDEEMED',
    ]);
    expect(await unauthorized()).toEqual([]);
  });
});

type Created = Extract<ErpDelivery, { creation: 'SUCCESS' }>;

test('[CMP-52] an order moved twice between two reads remains one order', async () => {
  const ids = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  await hear([told({}, { id: first })]);
  const moves = [
    told({}, { id: third, movedFrom: second, timestamp: 4 }),
    told({}, { id: first, status: 'Cancelled', movedTo: second, timestamp: 2 }),
    told({}, { id: second, status: 'Cancelled', movedFrom: first, movedTo: third, timestamp: 3 }),
  ];
  await hear(moves);
  await hear(moves);
  const orders = await selectRows(
    database.db,
    'erp_gift_order',
    ['erpOrderId as id', 'formerErpOrderIds as former'],
    {
      erpOrderId: [first, second, third],
    },
  );

  expect(orders).toEqual([{ id: third, former: [first, second] }]);
  expect((await storedRights(database.db, ids)).map(({ status }) => status).toSorted()).toEqual([
    'GRANTED',
    'REDEEMED',
  ]);
  expect(await unauthorized()).toEqual([]);
});

test('[CMP-52] a moved order remains one order if both of its ids arrive concurrently', async () => {
  const ids = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
  const [before, after] = [randomUUID(), randomUUID()];
  const held = await holdTable(database.db, 'erp_gift_line');
  // The import of the new id has not committed its row and waits for the lines.
  const moved = hear([told({}, { id: after, movedFrom: before, timestamp: 3 })]);
  await held.waits(1);
  const late = hear([told({}, { id: before })]);
  await held.waits(2);
  await held.release();
  await Promise.all([moved, late]);

  expect((await storedRights(database.db, ids)).map(({ status }) => status).toSorted()).toEqual([
    'GRANTED',
    'REDEEMED',
  ]);
});

test("[CMP-53] orders from another channel and of ours never wait for each other's rights", async () => {
  const other = await fixture.rows.item();
  await fixture.rows.size(other.id);
  const otherReward = await fixture.reward({ erp_item_id: other.erpId });
  const rights = [await grant(), await grant({ rewardId: otherReward })].toSorted();
  const [low, high] = rights as [string, string];
  const [lowItem] = (await storedRights(database.db, [low])).map((storedRight) =>
    storedRight.rewardId === otherReward ? other.erpId : itemId,
  );
  const order = told() as Created;
  const lines = [itemId, other.erpId]
    .toSorted((one) => (one === lowItem ? 1 : -1))
    .map((id) => ({ itemId: id, sizeId: null, name: 'Подарок', quantity: 1, isPaid: false }));
  const ours = database.db.transaction(async (tx) => {
    await tx.db.selectFrom('compensation').where('id', '=', low).select('id').forUpdate().execute();
    const heard = hear([{ ...order, content: { ...order.content, lines } }]);
    await sessionsWait(database.db, 1);
    // An import that waits with a lock on this row would cause a deadlock.
    await tx.db
      .selectFrom('compensation')
      .where('id', '=', high)
      .select('id')
      .forUpdate()
      .execute();
    return { heard };
  });

  await expect((await ours).heard).resolves.toBe(1);
  expect((await storedRights(database.db, rights)).map(({ status }) => status)).toEqual([
    'REDEEMED',
    'REDEEMED',
  ]);
});

test('[CMP-70] an order that is weeks old redeems nothing promised since', async () => {
  const later = await grant({ source: 'ADMIN', at: new Date('2026-10-20T12:00:00Z') });
  await hear([told({ createdAt: '2026-10-01 12:00:00.000' })]);
  const afterOld = await right(later);
  await hear([told({ createdAt: '2026-10-20 10:00:00.000' })]);

  expect(afterOld).toMatchObject({ status: 'GRANTED' });
  expect(await right(later)).toMatchObject({ status: 'REDEEMED' });
  expect(await unauthorized()).toMatchObject([{ quantity: 1, status: 'OPEN' }]);
});

describe('[CMP-87] the former dish of a reward', () => {
  const day = (days: number) =>
    `${Temporal.Now.plainDateISO('UTC').add({ days }).toString()} 12:00:00.000`;
  const change = async (edit: Partial<RewardEdit>) => {
    const { version } = await getReward(database.db, rewardId);
    return editReward({ db: database.db }, GRANTER, rewardId, { version, ...edit });
  };
  const anotherDish = async () => {
    const item = await fixture.rows.item();
    await fixture.rows.size(item.id);
    return item.erpId;
  };

  test.each<[string, () => Promise<Partial<RewardEdit>>]>([
    ['got another one', async () => ({ erpItemId: await anotherDish() })],
    ['is not given any more', async () => ({ isActive: false })],
  ])('counts as a gift in an order created before the reward %s', async (_what, edit) => {
    await change(await edit());
    const id = await grant();
    const order = told({ createdAt: day(-1) }) as Created;
    await hear([order]);
    expect(await right(id)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: order.id });

    // An operator removes the gift and adds it again.
    await hear([{ ...order, timestamp: 2, content: { ...order.content, lines: [] } }]);
    await hear([{ ...order, timestamp: 3 }]);
    expect(await unauthorized()).toEqual([]);
    expect(await giftLines(order.id)).toEqual([{ quantity: 1, rewardIds: [rewardId] }]);
  });

  test('[CMP-93] counts in addition to the new dish, and no right is used for both', async () => {
    const now = await anotherDish();
    await change({ erpItemId: now });
    const id = await grant();
    const order = told({ createdAt: day(-1) }) as Created;
    const second = { itemId: now, sizeId: null, name: 'Эклер', quantity: 1, isPaid: false };
    const lines = [...order.content.lines, second];
    const content = { ...order.content, lines };
    await hear([{ ...order, content }]);
    await hear([{ ...order, timestamp: 2, content: { ...content, lines: lines.toReversed() } }]);

    expect(await right(id)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: order.id });
    expect(await unauthorized()).toMatchObject([{ quantity: 1, status: 'OPEN' }]);
    // If one of the two gifts is removed, the right covers the other gift.
    await hear([{ ...order, timestamp: 3, content: { ...content, lines: [second] } }]);
    expect((await unauthorized()).filter(({ status }) => status === 'OPEN')).toEqual([]);
  });

  test('counts as no gift in a later order or if it is paid for', async () => {
    await change({ erpItemId: await anotherDish() });
    const id = await grant();
    const heard = await hear([
      told({ createdAt: day(2) }),
      told({ createdAt: day(-1), isPaid: true }),
      told({ createdAt: day(2), isPaid: true }),
    ]);

    expect(heard).toBe(0);
    expect(await right(id)).toMatchObject({ status: 'GRANTED' });
    expect(await unauthorized()).toEqual([]);
  });

  test('enters the list of former dishes with its size only when an edit removes it', async () => {
    const [size] = await database.db.db
      .selectFrom('mirror_item_size as s')
      .innerJoin('mirror_item as i', 'i.id', 's.itemId')
      .where('i.erpId', '=', itemId)
      .select(['s.id', 's.erpSizeId'])
      .execute();
    await change({ name: 'Тарт с вишней' });
    await change({ erpItemSizeId: size!.id });
    await change({ isActive: false });
    await change({ erpItemId: await anotherDish(), erpItemSizeId: null });

    const former = await selectRows(
      database.db,
      'reward_former_dish',
      ['erpSizeId'],
      { rewardId },
      { orderBy: 'id' },
    );
    // Former dishes of the two active rewards, with and without a size. The inactive reward had no
    // dish.
    expect(former).toEqual([size, size].map((entry) => ({ erpSizeId: entry!.erpSizeId })));
  });

  test('keeps all orders watched until no older ones can arrive', async () => {
    await deleteRows(database.db, 'reward_former_dish');
    const before = await areGiftsGiven(database.db);
    await change({ isActive: false });
    const after = await areGiftsGiven(database.db);
    await updateRows(database.db, 'reward_former_dish', { leftAt: ago('8 days') });

    expect([before, after, await areGiftsGiven(database.db)]).toEqual([true, true, false]);
  });
});

test('[CMP-54] one right covers one unit of any size of an item with unknown sizes', async () => {
  const unknown = randomUUID();
  rewardId = await fixture.reward({ erp_item_id: unknown });
  const id = await grant();
  const order = told() as Created;
  const line = (sizeId: string) => ({
    itemId: unknown,
    sizeId,
    name: 'Тарт',
    quantity: 1,
    isPaid: false,
  });
  const both = {
    ...order,
    content: { ...order.content, lines: [line(randomUUID()), line(randomUUID())] },
  };
  await hear([both]);
  await hear([{ ...both, timestamp: 2 }]);

  expect(await right(id)).toMatchObject({ status: 'REDEEMED' });
  expect(await unauthorized()).toMatchObject([{ quantity: 1, status: 'OPEN' }]);

  await hear([
    { ...both, timestamp: 3, content: { ...order.content, lines: [line(randomUUID())] } },
  ]);
  expect(await unauthorized()).toMatchObject([{ quantity: 1, status: 'WITHDRAWN' }]);
});

test('an order with a new id remains one order, in one answer or later', async () => {
  const ids = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
  const [before, after] = [randomUUID(), randomUUID()];
  const [moved, late] = [
    told({}, { id: after, movedFrom: before, timestamp: 3 }),
    told({}, { id: before }),
  ];
  await hear([moved, late]);
  await hear([late]);

  expect((await storedRights(database.db, ids)).map(({ status }) => status).toSorted()).toEqual([
    'GRANTED',
    'REDEEMED',
  ]);
  expect(
    await selectRows(database.db, 'erp_gift_order', ['erpOrderId as id'], {
      erpOrderId: [before, after],
    }),
  ).toEqual([{ id: after }]);
});

test('an order of another customer with the phone of a client redeems no right of the client', async () => {
  const id = await grant();
  await hear([told({ customerId: randomUUID() })]);

  expect(await right(id)).toMatchObject({ status: 'GRANTED' });
});

test('a former gift dish does not count in addition to a gift', async () => {
  const [id, sold] = [await grant(), randomUUID()];
  await fixture.reward({ erp_item_id: sold, is_active: false });
  const order = told() as Created;
  await hear([order]);
  const lines = [
    ...order.content.lines,
    { itemId: sold, sizeId: null, name: 'Тарт', quantity: 1, isPaid: false },
  ];
  await hear([{ ...order, timestamp: 2, content: { ...order.content, lines } }]);

  expect(await right(id)).toMatchObject({ status: 'REDEEMED' });
  expect(await selectRows(database.db, 'unauthorized_gift', ['id'], { erpItemId: sold })).toEqual(
    [],
  );
});

test('a gift without a right stays unauthorized when its reward has another dish', async () => {
  const order = told();
  await hear([order]);
  await updateRows(database.db, 'reward', { erpItemId: randomUUID() }, { id: rewardId });
  await hear([{ ...order, timestamp: 2 }]);

  expect(await unauthorized()).toMatchObject([{ status: 'OPEN' }]);
});

test.each(['2026-02-30 10:00:00.000', '0000-00-00 00:00:00'])(
  'an invalid day (%s) does not hide other orders',
  async (createdAt) => {
    const id = await grant();
    await hear([told({ createdAt, phone: null }), told()]);

    expect(await right(id)).toMatchObject({ status: 'REDEEMED' });
  },
);

test('[CMP-59] fields of a line that the database cannot store are omitted, and units are capped', () => {
  const product = { id: itemId, name: 'Та\0рт' };
  const items = [1, 3_000_000_000].map((amount) => ({ product, amount }));
  const ids = { id: randomUUID(), organizationId: randomUUID() };
  const { orders } = readDeliveries([
    { ...ids, timestamp: 1, creationStatus: 'Success', order: { status: 'Closed', items } },
  ]);

  expect(orders).toMatchObject([
    { content: { lines: [{ name: 'Тарт', quantity: 1 }, { quantity: 1_000_000 }] } },
  ]);
});

test('[CMP-88] a line with a scheme is read as dishes, halves as halves, and modifiers are ignored', () => {
  const dish = (price: number, name = 'Тарт') => ({ product: { id: itemId, name }, price });
  const half = randomUUID();
  const items = [
    { type: 'Compound', primaryComponent: dish(0), amount: 2 },
    {
      type: 'Compound',
      primaryComponent: dish(0),
      secondaryComponent: { product: { id: half } },
      amount: 1,
    },
    { type: 'Compound', primaryComponent: dish(0), amount: 1, deleted: { deletionMethod: {} } },
    {
      type: 'Product',
      product: { id: half },
      price: 100,
      amount: 1,
      modifiers: [{ ...dish(0), amount: 1 }],
    },
    { type: 'Service', service: { id: itemId }, amount: 1 },
  ];
  const { orders } = readDeliveries([
    {
      id: randomUUID(),
      organizationId: randomUUID(),
      timestamp: 1,
      creationStatus: 'Success',
      order: { status: 'Closed', items },
    },
  ]);

  expect(orders).toMatchObject([
    {
      content: {
        lines: [
          { itemId, quantity: 2, isPaid: false },
          { itemId, quantity: 0.5 },
          { itemId: half, quantity: 0.5, name: '' },
          { itemId: half, quantity: 1, isPaid: true },
        ],
      },
    },
  ]);
});

describe('an order of ours at the ERP', () => {
  const redeemed = async () => {
    const [id, orderId] = [await grant(), randomUUID()];
    await reserve(id, orderId);
    await database.db.transaction((tx) =>
      moveRights(tx, GRANTER, { ids: [id] }, { move: 'REDEEM', orderId, at: new Date() }),
    );
    return orderId;
  };
  const gifts = (orderId: string) =>
    database.db.db
      .selectFrom('erp_gift_line')
      .innerJoin('erp_gift_order as o', 'o.id', 'erp_gift_line.giftOrderId')
      .where('o.ownOrderId', '=', orderId)
      .select('erp_gift_line.quantity')
      .execute();

  test('shows its redeemed gift, even if it was canceled or the gift disabled before', async () => {
    const [cancelled, off] = [await redeemed(), await redeemed()];
    await hear([told({}, { id: cancelled, status: 'Cancelled' })], { [cancelled]: cancelled });
    await updateRows(database.db, 'reward', { isActive: false }, { id: rewardId });
    await hear([told({}, { id: off })], { [off]: off });

    expect(await gifts(cancelled)).toEqual([{ quantity: 1 }]);
    expect(await gifts(off)).toEqual([{ quantity: 1 }]);
  });

  test('keeps its gift when the reward has another dish', async () => {
    const orderId = await redeemed();
    const order = told({}, { id: orderId });
    await hear([order], { [orderId]: orderId });
    await updateRows(database.db, 'reward', { erpItemId: randomUUID() }, { id: rewardId });
    await hear([{ ...order, timestamp: 2 }], { [orderId]: orderId });

    expect(await gifts(orderId)).toEqual([{ quantity: 1 }]);
  });

  test('[CMP-51] redeems no second right for its own gift, and an additional gift is unauthorized', async () => {
    const [taken, other] = [await grant({ at: new Date(1) }), await grant({ at: new Date(2) })];
    const orderId = randomUUID();
    await reserve(taken, orderId);
    await database.db.transaction((tx) =>
      moveRights(tx, GRANTER, { ids: [taken] }, { move: 'REDEEM', orderId, at: new Date() }),
    );
    await hear([told({ gifts: 1 }, { id: orderId, timestamp: 1 })], { [orderId]: orderId });
    expect([(await right(other)).status, await unauthorized()]).toEqual(['GRANTED', []]);

    await hear([told({ gifts: 2 }, { id: orderId, timestamp: 2 })], { [orderId]: orderId });
    expect((await right(other)).status).toBe('GRANTED');
    expect(await unauthorized()).toMatchObject([{ quantity: 1 }]);
  });

  test('[CMP-51] redeems its returned gift again, or staff are notified', async () => {
    const orders = [randomUUID(), randomUUID()];
    const id = await grant();
    for (const orderId of orders) {
      await reserve(id, orderId);
      await database.db.transaction((tx) =>
        moveRights(
          tx,
          GRANTER,
          { ids: [id] },
          { move: 'RELEASE', orderId, reason: 'FAILED', at: new Date() },
        ),
      );
    }
    const [first, second] = orders as [string, string];
    await hear([told({}, { id: first })], { [first]: first });
    expect(await right(id)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: first });

    await hear([told({}, { id: second })], { [second]: second });
    expect(await unauthorized()).toMatchObject([{ kind: 'NO_RIGHT', quantity: 1, status: 'OPEN' }]);
  });
});

test('[CMP-48] a right reserved by one order and redeemed by another goes to one of them, and none is lost', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await grant();
    const [own, elsewhere] = [randomUUID(), told()];
    const [reserved] = await Promise.allSettled([reserve(id, own), hear([elsewhere])]);

    expect(await right(id)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: elsewhere.id });
    // If our order reserved first, it loses the right, and staff are notified.
    expect((await divergences()).length).toBe(reserved.status === 'fulfilled' ? 1 : 0);
    await deleteRows(database.db, 'notification');
    expect(await unauthorized()).toEqual([]);
  }
});

describe('a canceled order from another channel', () => {
  const returned = () =>
    selectRows(
      database.db,
      'compensation',
      [
        'id',
        'status',
        'rewardId',
        'quantity',
        'reason',
        'sourceMarker',
        'sourceOrderId',
        'grantedBy',
        'expiresAt',
        'redeemedOrderId',
      ],
      { clientId, source: 'AUTO', grantedBy: 'SYSTEM', reason: 'SERVICE_ERROR' },
      { orderBy: ['grantedAt', 'sourceMarker'] },
    );
  const promise = (more: Parameters<typeof grant>[0] = {}) =>
    grant({
      reason: 'SERVICE_ERROR',
      source: 'ERP_CATEGORY',
      grantedBy: 'ERP_OPERATOR',
      sourceMarker: randomUUID(),
      ...more,
    });
  const canceled = (order: ErpDelivery, timestamp = 2) =>
    told({}, { id: order.id, status: 'Cancelled', timestamp });
  const notes = (kind: 'COMPENSATION_RETURNED' | 'COMPENSATION_DIVERGENCE') =>
    countRows(database.db, 'notification', { kind });

  test('[CMP-96] returns its gift once, and staff are notified', async () => {
    const id = await promise({ quantity: 2 });
    const order = told({ gifts: 2 });
    await hear([order]);
    await Promise.all([
      hear([canceled(order)]),
      hear([canceled(order)]),
      hear([canceled(order, 3)]),
    ]);

    expect(await right(id)).toMatchObject({ status: 'REDEEMED', redeemedOrderId: order.id });
    expect(await returned()).toMatchObject([
      {
        status: 'GRANTED',
        rewardId,
        quantity: 2,
        sourceMarker: `order:${order.id}:${id}`,
        sourceOrderId: order.id,
        expiresAt: null,
      },
    ]);
    expect(await notes('COMPENSATION_RETURNED')).toBe(1);
  });

  test.each([
    ['keeps a term of 30 days', 30, 30],
    ['extends a term of a day to seven days', 1, 7],
    ['extends an ended term to seven days', -1, 7],
  ])('[CMP-96] returns its gift and %s', async (_, old, days) => {
    const expiresAt = new Date(Date.now() + old * 86_400_000);
    await promise({ expiresAt });
    const order = told();
    await hear([order]);
    await hear([canceled(order)]);

    const [again] = await returned();
    expect(Math.abs(again!.expiresAt!.getTime() - Date.now() - days * 86_400_000)).toBeLessThan(
      60_000,
    );
  });

  test.each(['the cancellation first', 'the new order first'])(
    '[CMP-96] covers the order entered again for it, reported: %s',
    async (first) => {
      await promise();
      const [order, again] = [told(), told()];
      await hear([order]);
      for (const fact of first === 'the new order first'
        ? [again, canceled(order)]
        : [canceled(order), again])
        await hear([fact]);

      expect(await returned()).toMatchObject([{ status: 'REDEEMED', redeemedOrderId: again.id }]);
      expect((await unauthorized()).filter(({ status }) => status !== 'WITHDRAWN')).toEqual([]);
      await hear([canceled(again, 5)]);
      expect(await returned()).toMatchObject([
        { status: 'REDEEMED' },
        { status: 'GRANTED', sourceOrderId: again.id },
      ]);
    },
  );

  test('[CMP-96] covers an order entered again at the same moment', async () => {
    for (let round = 0; round < 6; round += 1) {
      await promise({ at: new Date(round) });
      const [order, again] = [told(), told()];
      await hear([order]);
      await Promise.all([hear([again]), hear([canceled(order)])]);
      expect((await unauthorized()).filter(({ status }) => status === 'OPEN')).toEqual([]);
    }
  });

  /**
   * Returns the second order of a gift that was entered again while its first order is canceled.
   */
  async function decideWhileCanceled(decision: 'ALLOWED' | 'NOT_ALLOWED'): Promise<ErpDelivery> {
    await promise();
    const [order, again] = [told(), told()];
    await hear([order]);
    await hear([again]);
    const { id } = await selectRow(database.db, 'unauthorized_gift', ['id'], { clientId });
    const held = await holdRow(database.db, 'unauthorized_gift', id);
    const deciding = settleUnauthorized({ db: database.db, secrets: testSecrets }, GRANTER, id, {
      decision,
      reason: 'entered again',
    });
    await held.waits(1);
    const hearing = hear([canceled(order)]);
    await held.waits(2);
    await held.release();
    await Promise.all([deciding, hearing]);
    return again;
  }

  test('[CMP-96] preserves a concurrent decision of staff about the new order', async () => {
    await decideWhileCanceled('NOT_ALLOWED');

    expect(await unauthorized()).toMatchObject([{ status: 'NOT_ALLOWED' }]);
    expect(await returned()).toMatchObject([{ status: 'GRANTED' }]);
  });

  test('[CMP-96] covers no unauthorized gift that is older than the redeemed right', async () => {
    await hear([told()]);
    await promise();
    const order = told();
    await hear([order]);
    await hear([canceled(order)]);

    expect(await unauthorized()).toMatchObject([{ status: 'OPEN' }]);
    expect(await returned()).toMatchObject([{ status: 'GRANTED' }]);
  });

  const allow = async () => {
    for (const { id } of await selectRows(database.db, 'unauthorized_gift', ['id'], {
      clientId,
      status: 'OPEN',
    }))
      await settleUnauthorized({ db: database.db, secrets: testSecrets }, GRANTER, id, {
        decision: 'ALLOWED',
        reason: 'entered again',
      });
  };

  test('[CMP-113] covers the gift entered again even if staff have allowed it meanwhile', async () => {
    await promise();
    const [order, again] = [told(), told()];
    await hear([order]);
    await hear([again]);
    await allow();
    await hear([canceled(order)]);

    expect(await returned()).toMatchObject([{ status: 'REDEEMED', redeemedOrderId: again.id }]);
    expect(await unauthorized()).toMatchObject([{ status: 'WITHDRAWN' }]);
    await hear([told({}, { id: again.id, timestamp: 9 })]);
    expect(await unauthorized()).toMatchObject([{ status: 'WITHDRAWN' }]);
    expect(
      await selectRows(database.db, 'audit_entry', ['before', 'after'], {
        entityType: 'unauthorized-gift',
        action: 'withdraw',
      }),
    ).toMatchObject([{ before: { status: 'ALLOWED' }, after: { status: 'WITHDRAWN' } }]);
  });

  test('[CMP-113] covers the gift entered again even if staff allow it at the same moment', async () => {
    const again = await decideWhileCanceled('ALLOWED');

    expect(await returned()).toMatchObject([{ status: 'REDEEMED', redeemedOrderId: again.id }]);
    expect(await unauthorized()).toMatchObject([{ status: 'WITHDRAWN' }]);
  });

  test.each([
    ['open', async () => undefined],
    ['allowed', allow],
  ])('[CMP-113] covers two orders entered for one right, whose gifts are %s', async (_, decide) => {
    await promise({ quantity: 2 });
    const [order, first, second] = [told({ gifts: 2 }), told(), told()];
    await hear([order]);
    await hear([first]);
    await hear([second]);
    await decide();
    await hear([canceled(order)]);

    expect(await returned()).toMatchObject([
      { status: 'REDEEMED', redeemedOrderId: first.id, quantity: 1 },
      { status: 'REDEEMED', redeemedOrderId: second.id, quantity: 1 },
    ]);
    expect((await unauthorized()).map(({ status }) => status)).toEqual(['WITHDRAWN', 'WITHDRAWN']);
    expect(await divergences()).toEqual([]);
    await hear([told({}, { id: second.id, timestamp: 9 }), canceled(order, 9)]);
    expect(await returned()).toHaveLength(2);
    expect((await unauthorized()).map(({ status }) => status)).toEqual(['WITHDRAWN', 'WITHDRAWN']);
  });

  const ORDERS_OF_TWO = ['order', 'first', 'second', 'cancel'] as const;
  /** Every sequence of these events that begins with the order and has `first` before `second`. */
  const sequences = [
    ['order', 'first', 'second', 'cancel'],
    ['order', 'first', 'cancel', 'second'],
    ['order', 'cancel', 'first', 'second'],
  ] as const satisfies (typeof ORDERS_OF_TWO)[number][][];

  test.each(sequences)(
    '[CMP-117] divides its right in the same way for the events %s, %s, %s, %s',
    async (...events) => {
      await promise({ quantity: 3 });
      const [order, first, second] = [told({ gifts: 3 }), told(), told()];
      const facts = { order, first, second, cancel: canceled(order) };
      for (const event of events) await hear([facts[event]]);

      const parts = (await returned()).map(({ status, quantity, redeemedOrderId }) => [
        status,
        quantity,
        redeemedOrderId,
      ]);
      expect(parts.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual(
        [
          ['GRANTED', 1, null],
          ['REDEEMED', 1, first.id],
          ['REDEEMED', 1, second.id],
        ].toSorted((one, other) => String(one).localeCompare(String(other))),
      );
      expect((await unauthorized()).filter(({ status }) => status !== 'WITHDRAWN')).toEqual([]);
      expect(await divergences()).toEqual([]);
      // Each part of the right is returned once, when its order is canceled.
      const third = told();
      await hear([third]);
      await hear([canceled(second), canceled(order, 9)]);
      expect((await returned()).map(({ status, quantity }) => [status, quantity])).toEqual(
        expect.arrayContaining([['GRANTED', 1]]),
      );
      expect((await returned()).filter(({ status }) => status === 'REDEEMED')).toHaveLength(3);
      expect((await returned()).filter(({ status }) => status === 'GRANTED')).toHaveLength(1);
    },
  );

  test('[CMP-117] divides its right once for two concurrent orders', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await promise({ quantity: 2, at: new Date(round) });
      const [order, first, second] = [told({ gifts: 2 }), told(), told()];
      await hear([order]);
      await Promise.all([hear([canceled(order)]), hear([first]), hear([second])]);

      const parts = (await returned()).filter(({ sourceMarker }) =>
        sourceMarker!.startsWith(`order:${order.id}:${id}`),
      );
      expect(
        Object.fromEntries(
          parts.map(({ redeemedOrderId, quantity }) => [redeemedOrderId, quantity]),
        ),
      ).toEqual({
        [first.id]: 1,
        [second.id]: 1,
      });
      expect((await unauthorized()).filter(({ status }) => status === 'OPEN')).toEqual([]);
    }
  });

  test('[CMP-117] divides no right for an order with all units, and records the parts in ledger and audit', async () => {
    await promise({ quantity: 3 });
    const [order, part] = [told({ gifts: 3 }), told({ gifts: 2 })];
    await hear([order]);
    await hear([canceled(order)]);
    await hear([part]);

    const [redeemed, rest] = await returned();
    expect([redeemed, rest]).toMatchObject([
      { status: 'REDEEMED', quantity: 2, redeemedOrderId: part.id },
      {
        status: 'GRANTED',
        quantity: 1,
        sourceOrderId: order.id,
        sourceMarker: `${redeemed!.sourceMarker}:2`,
      },
    ]);
    expect(
      (
        await selectRows(
          database.db,
          'compensation_move',
          ['move'],
          { compensationId: redeemed!.id },
          { orderBy: 'version' },
        )
      ).map(({ move }) => move),
    ).toEqual(['GRANT', 'EDIT', 'IMPORT']);
    expect(
      await selectRows(database.db, 'audit_entry', ['before', 'after'], {
        entityId: redeemed!.id,
        action: 'edit',
      }),
    ).toMatchObject([{ before: { quantity: 3 }, after: { quantity: 2 } }]);
    await hear([told({ gifts: 3 }, { id: part.id, timestamp: 9 })]);
    expect((await returned()).map(({ status }) => status)).toEqual(['REDEEMED', 'REDEEMED']);
    expect(await unauthorized()).toEqual([]);
  });

  test('[CMP-113] covers as many orders as the right has units, the earliest first', async () => {
    await promise({ quantity: 2 });
    const [order, first, second, third] = [told({ gifts: 2 }), told(), told({ gifts: 2 }), told()];
    for (const fact of [order, first, second, third]) await hear([fact]);
    await allow();
    await hear([canceled(order)]);

    expect(
      (await returned()).map(({ redeemedOrderId, quantity }) => [redeemedOrderId, quantity]),
    ).toEqual([
      [first.id, 1],
      [second.id, 1],
    ]);
    expect((await unauthorized()).map(({ status, quantity }) => [status, quantity])).toEqual([
      ['WITHDRAWN', 1],
      ['ALLOWED', 1],
      ['ALLOWED', 1],
    ]);
  });

  test('[CMP-113] covers one order entered with both gifts by two rights', async () => {
    await promise({ at: new Date(1) });
    await promise({ at: new Date(2) });
    const [order, again] = [told({ gifts: 2 }), told({ gifts: 2 })];
    await hear([order]);
    await hear([again]);
    await allow();
    await hear([canceled(order)]);

    expect((await returned()).map(({ redeemedOrderId }) => redeemedOrderId)).toEqual([
      again.id,
      again.id,
    ]);
    expect(await unauthorized()).toMatchObject([{ status: 'WITHDRAWN' }]);
  });

  test('[CMP-97] loses the returned gift if it is resumed, and receives it again if it is canceled again', async () => {
    await promise();
    const order = told();
    await hear([order]);
    await hear([canceled(order)]);
    await hear([told({}, { id: order.id, timestamp: 3 })]);
    expect(await returned()).toMatchObject([{ status: 'CANCELLED' }]);
    expect(await unauthorized()).toEqual([]);

    await hear([canceled(order, 4)]);
    await hear([canceled(order, 5)]);
    expect(await returned()).toMatchObject([{ status: 'CANCELLED' }, { status: 'GRANTED' }]);
    expect(await notes('COMPENSATION_DIVERGENCE')).toBe(0);
  });

  test('[CMP-97] causes an incident if it is resumed after the returned gift was used', async () => {
    await promise();
    const [order, next] = [told(), told()];
    await hear([order]);
    await hear([canceled(order)]);
    await hear([next]);
    await hear([told({}, { id: order.id, timestamp: 3 })]);

    expect(await returned()).toMatchObject([{ status: 'REDEEMED', redeemedOrderId: next.id }]);
    expect(await divergences()).toEqual(['RETURNED_AND_RESUMED']);
  });

  test('[CMP-97] returns no gift that staff have canceled since', async () => {
    await promise();
    const order = told();
    await hear([order]);
    await hear([canceled(order)]);
    const ids = (await returned()).map(({ id }) => id);
    await database.db.transaction((tx) =>
      moveRights(tx, GRANTER, { ids }, { move: 'CANCEL', reason: 'mistake', at: new Date() }),
    );
    await hear([canceled(order, 3)]);

    expect(await returned()).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

describe('a gift dish in an order from another channel', () => {
  test('[CMP-99] uses no right if it was paid for, and staff are notified once', async () => {
    const id = await grant();
    const order = told({ isPaid: true });
    await hear([order]);
    await updateRows(database.db, 'notification', { resolvedAt: new Date() });
    await hear([order]);
    await hear([told({ isPaid: true, phone: '+79990009900' })]);

    expect(await right(id)).toMatchObject({ status: 'GRANTED' });
    expect([await divergences(), await unauthorized()]).toEqual([['PAID_FOR'], []]);
    // The same dish for free is a gift.
    await hear([told()]);
    expect(await right(id)).toMatchObject({ status: 'REDEEMED' });
  });

  test.each([
    ['another organization', randomUUID(), ['OTHER_ORGANIZATION']],
    ['this organization', '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b01', []],
    ['the whole network', null, []],
  ])(
    '[CMP-100] redeems a right meant for %s, with the expected notices',
    async (_, organizationErpId, notices) => {
      await updateRows(database.db, 'reward', { organizationErpId }, { id: rewardId });
      const id = await grant();
      await hear([told()]);

      expect(await right(id)).toMatchObject({ status: 'REDEEMED' });
      expect(await divergences()).toEqual(notices);
    },
  );
});
