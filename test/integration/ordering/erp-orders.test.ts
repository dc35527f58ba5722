import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readDeliveries } from '../../../erp/schemas/deliveries.ts';
import {
  eraseErpOrders,
  forgetErpOrders,
  saveErpOrders,
} from '../../../modules/ordering/at-erp/save-erp-orders.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { phoneDigests } from '../../../modules/gifts/clients/clients.ts';
import { testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import {
  addRow,
  ago,
  countRows,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

type Wire = Record<string, unknown>;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let place: Awaited<ReturnType<ReturnType<typeof menuRows>['restaurant']>>;
beforeAll(async () => {
  database = await migratedDatabase();
  place = await menuRows(database.db).restaurant();
  await updateRows(database.db, 'mirror_organization', { timeZone: 'Europe/Kaliningrad' });
});
afterAll(() => database?.close());
beforeEach(() => deleteRows(database.db, 'erp_order'));

const DISH = randomUUID();
/** `order` changes the body, `info` the envelope. */
const report = (id: string, timestamp: number, order: Wire = {}, info: Wire = {}): Wire => ({
  id,
  organizationId: place.organizationErpId,
  timestamp,
  creationStatus: 'Success',
  order: {
    status: 'WaitCooking',
    number: 17,
    sum: 1040.5,
    whenCreated: '2026-11-20 13:00:00.000',
    completeBefore: '2026-11-20 14:15:00.000',
    phone: '+79990001122',
    customer: { type: 'regular', id: '00000000-0000-4000-8000-0000000000c1' },
    orderType: { orderServiceType: 'DeliveryByCourier' },
    payments: [{ paymentType: { kind: 'Cash' }, sum: 1040.5 }],
    guestsInfo: { count: 3 },
    items: [
      {
        type: 'Product',
        product: { id: DISH, name: 'Суп' },
        size: { id: '00000000-0000-4000-8000-0000000000a1', name: 'L' },
        amount: 2,
        price: 500,
        cost: 1000,
        resultSum: 1040.5,
        modifiers: [
          {
            product: { id: '00000000-0000-4000-8000-0000000000b1', name: 'Сметана' },
            amount: 1,
            price: 20.25,
          },
          {
            product: { id: '00000000-0000-4000-8000-0000000000b2', name: 'Зелень' },
            amount: 1,
            deleted: {},
          },
        ],
      },
      { type: 'Product', product: { id: randomUUID(), name: 'Лимон' }, amount: 1, deleted: {} },
    ],
    ...order,
  },
  ...info,
});
const save = (reports: readonly Wire[], ownIds: readonly string[] = []) =>
  saveErpOrders(
    { db: database.db, secrets: testSecrets, env: { SYNC_TIME_ZONE: 'UTC' } },
    place.connectionId,
    readDeliveries(reports).orders,
    new Set(ownIds),
  );
const stored = (id: string) =>
  selectRow(
    database.db,
    'erp_order',
    ['state', 'movedTo', 'erpTimestamp', 'moves', 'lines', 'totalKopecks'],
    { id },
  );
const shown = async () =>
  (await selectRows(database.db, 'erp_order', ['id', 'movedTo'])).filter(
    ({ movedTo }) => movedTo === null,
  ).length;

test('[ORD-94] an order is stored with lines, state, times and sums, and a digest and an id of the guest', async () => {
  const id = randomUUID();
  await save([report(id, 5)]);
  const row = await database.db.db.selectFrom('erp_order').selectAll().executeTakeFirstOrThrow();

  expect(row).toMatchObject({
    id,
    organizationId: place.organizationId,
    number: '17',
    state: 'CONFIRMED',
    fulfillmentType: 'DELIVERY',
    paymentKind: 'Cash',
    persons: 3,
    isAsap: false,
    placedAt: new Date('2026-11-20T11:00:00Z'),
    dueAt: new Date('2026-11-20T12:15:00Z'),
    totalKopecks: 104_050,
    erpCustomerId: '00000000-0000-4000-8000-0000000000c1',
    lines: [
      {
        itemId: DISH,
        sizeId: '00000000-0000-4000-8000-0000000000a1',
        name: 'Суп',
        sizeName: 'L',
        quantity: 2,
        unitPriceKopecks: 50_000,
        lineTotalKopecks: 104_050,
        modifiers: [
          {
            itemId: '00000000-0000-4000-8000-0000000000b1',
            name: 'Сметана',
            quantity: 1,
            unitPriceKopecks: 2_025,
          },
        ],
      },
    ],
  });
  expect(JSON.stringify(row)).not.toContain('9990001122');
});

describe('reports of one order in any order', () => {
  const history = ['WaitCooking', 'CookingStarted', 'Waiting', 'OnWay', 'Closed'].map(
    (status, at) => ({
      status,
      at: at + 1,
    }),
  );
  test.each([
    ['as they happened', [0, 1, 2, 3, 4]],
    ['backwards', [4, 3, 2, 1, 0]],
    ['mixed', [2, 4, 0, 3, 1]],
    ['twice', [0, 0, 4, 4, 2]],
  ])('[ORD-94] leave it in the latest state: %s', async (_, order) => {
    const id = randomUUID();
    for (const index of order)
      await save([report(id, history[index]!.at, { status: history[index]!.status })]);

    expect(await stored(id)).toMatchObject({ state: 'CLOSED', erpTimestamp: 5 });
    expect(await countRows(database.db, 'erp_order')).toBe(1);
  });

  test('[ORD-94] leave it in the latest state if they arrive in one answer or concurrently', async () => {
    const id = randomUUID();
    const reports = history.map(({ status, at }) => report(id, at, { status }));
    await save([...reports].toReversed());
    await Promise.all(reports.map((wire) => save([wire, report(randomUUID(), 1)])));

    expect(await stored(id)).toMatchObject({ state: 'CLOSED', erpTimestamp: 5 });
  });

  test.each([
    ['a word that is new to us', 'Teleported', 'COOKING'],
    ['Waiting before it is cooked', 'Waiting', 'COOKING'],
    ['Cancelled', 'Cancelled', 'CANCELLED'],
  ])('[ORD-94] keep its state after %s', async (_, status, state) => {
    const id = randomUUID();
    await save([report(id, 1, { status: 'CookingStarted' })]);
    await save([report(id, 2, { status })]);

    expect(await stored(id)).toMatchObject({ state, erpTimestamp: 2 });
  });
});

describe('an order moved at the ERP', () => {
  const [before, after] = [randomUUID(), randomUUID()];
  const reports = () => [
    report(before, 1),
    report(before, 2, { status: 'Cancelled', movedToDeliveryId: after }),
    report(after, 3, { movedFromDeliveryId: before }),
  ];
  test.each([[[0, 1, 2]], [[2, 1, 0]], [[2, 0]], [[0, 2]], [[1, 2, 0]]])(
    '[ORD-94] remains one order under its new id, reported as %j',
    async (order) => {
      for (const index of order) await save([reports()[index]!]);
      await save(order.map((index) => reports()[index]!));

      expect(await shown()).toBe(1);
      expect(await stored(after)).toMatchObject({ state: 'CONFIRMED', movedTo: null });
      // Otherwise a hidden copy would survive the erasure of the guest.
      expect(
        await selectRows(database.db, 'erp_order', ['phoneDigest', 'erpCustomerId'], {
          id: before,
        }),
      ).toEqual([{ phoneDigest: null, erpCustomerId: null }]);
    },
  );
});

test('[ORD-94] our own orders are omitted, even if they were reported before they were identified as ours', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  await save([report(own, 1)]);
  await save(
    [report(own, 2), report(randomUUID(), 3, { movedFromDeliveryId: own }), report(other, 1)],
    [own],
  );

  expect(await selectRows(database.db, 'erp_order', ['id'])).toEqual([{ id: other }]);
});

test.each([
  ['no phone', { phone: null }],
  ['a phone that is none', { phone: '12' }],
  ['an odd time', { whenCreated: 'yesterday', completeBefore: 7 }],
  [
    'items of an unknown kind',
    { items: [{ type: 'Service', service: { id: 'x' } }, null, 'soup'] },
  ],
  ['no kind, payments or guests', { orderType: null, payments: null, guestsInfo: null }],
  ['odd kinds, payments and guests', { orderType: 'x', payments: [{}], guestsInfo: { count: -1 } }],
  [
    'letters that the database refuses',
    { items: [{ product: { id: DISH, name: 'Су\u0000п\ud800' }, amount: 1 }] },
  ],
  ['a sum beyond all prices', { sum: 1e30 }],
  ['a negative sum', { sum: -5 }],
  [
    'prices beyond all prices',
    { items: [{ product: { id: DISH, name: 'Суп' }, amount: 1, price: 1e300, cost: -1 }] },
  ],
  [
    'a weighed dish',
    { items: [{ product: { id: DISH, name: 'Сыр' }, amount: 0.35, price: 1000 }] },
  ],
])('[ORD-94] an order with %s is stored', async (_, order) => {
  const id = randomUUID();
  await save([report(id, 1, order), report(randomUUID(), 1, {}, { organizationId: randomUUID() })]);

  expect(await stored(id)).toMatchObject({ state: 'CONFIRMED' });
  expect(await countRows(database.db, 'erp_order')).toBe(1);
});

test('[ORD-94] the modifiers of both halves and of the whole dish are stored', async () => {
  const modifier = (name: string) => ({
    product: { id: randomUUID(), name },
    amount: 1,
    price: 10,
  });
  const half = (name: string) => ({
    product: { id: randomUUID(), name },
    price: 300,
    modifiers: [modifier(name)],
  });
  const id = randomUUID();
  await save([
    report(id, 1, {
      items: [
        {
          type: 'Compound',
          primaryComponent: half('Сыр'),
          secondaryComponent: half('Гриб'),
          commonModifiers: [modifier('Тонкая основа')],
          amount: 1,
        },
      ],
    }),
  ]);
  const { lines } = await stored(id);

  expect(lines.map(({ name, modifiers }) => [name, modifiers.map((entry) => entry.name)])).toEqual([
    ['Сыр / Гриб', ['Сыр', 'Гриб', 'Тонкая основа']],
  ]);
});

test('[ORD-94, CLI-6] data of guests is erased by age, and for one guest on request', async () => {
  const [old, recent, other] = [randomUUID(), randomUUID(), randomUUID()];
  await save([report(old, 1), report(recent, 1), report(other, 1, { phone: '+79995554433' })]);
  await updateRows(database.db, 'erp_order', { placedAt: ago('40 days') }, { id: old });
  const guests = async () =>
    (await selectRows(database.db, 'erp_order', ['id', 'phoneDigest', 'erpCustomerId']))
      .filter(({ phoneDigest, erpCustomerId }) => phoneDigest !== null || erpCustomerId !== null)
      .map(({ id }) => id);
  await updateRows(database.db, 'erp_order', { placedAt: ago('1 day') }, { id: recent });
  await updateRows(database.db, 'erp_order', { placedAt: ago('1 day') }, { id: other });

  expect([
    await forgetErpOrders(database.db, 30, 100),
    await forgetErpOrders(database.db, 30, 100),
  ]).toEqual([1, 0]);
  expect((await guests()).toSorted()).toEqual([recent, other].toSorted());
  const digests = phoneDigests({ secrets: testSecrets }, '+79990001122');
  const reasonId = randomUUID();
  const erase = () =>
    database.db.transaction((tx) => eraseErpOrders(tx, systemActor('test'), { digests, reasonId }));
  await erase();
  await erase();
  await save([report(recent, 2, { status: 'Closed' }), report(old, 2, { status: 'Closed' })]);

  expect(await guests()).toEqual([other]);
  expect(await stored(recent)).toMatchObject({ state: 'CLOSED' });
  const audited = await selectRows(
    database.db,
    'audit_entry',
    ['entityId', 'actorName', 'reasonId'],
    {
      action: 'erase',
    },
  );
  expect(audited).toEqual([{ entityId: recent, actorName: 'test', reasonId }]);
});

test('[ORD-119] erasure covers orders without a phone only if their customer has a card with the phone', async () => {
  const [named, ofOther, withPhone] = [randomUUID(), randomUUID(), randomUUID()];
  const [card, otherCard] = [randomUUID(), randomUUID()];
  const without = (id: string) => ({ phone: null, customer: { type: 'regular', id } });
  await save([
    report(named, 1, without(card)),
    report(ofOther, 1, without(otherCard)),
    report(withPhone, 1, { ...without(card), phone: '+79995554433' }),
  ]);
  const digests = phoneDigests({ secrets: testSecrets }, '+79990001177');
  const client = {
    connectionId: place.connectionId,
    erpCustomerId: card,
    phoneDigest: digests[0]!,
  };
  await addRow(database.db, 'compensation_client', { id: randomUUID(), ...client });
  await database.db.transaction((tx) =>
    eraseErpOrders(tx, systemActor('test'), { digests, reasonId: randomUUID() }),
  );
  await save([report(named, 2, without(card))]);
  const rows = await selectRows(database.db, 'erp_order', ['id', 'erpCustomerId']);

  expect(rows.filter(({ erpCustomerId }) => erpCustomerId === null).map(({ id }) => id)).toEqual([
    named,
  ]);
  expect(rows).toHaveLength(3);
});
