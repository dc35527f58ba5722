import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import type { ErpItem, ErpOrderBody } from '../../erp/schemas/order-body.ts';
import { startEmulator, type Emulator } from '../../packages/erp-emulator/server.ts';
import { anOrder, aPlaceToOrder, CANARY } from '../support/erp-orders.ts';
import { eventually } from '../support/processes.ts';
import { login, post, type Reply } from './client.ts';

type Info = {
  id: string;
  timestamp: number;
  creationStatus: string;
  errorInfo: { code: string; message: string } | null;
  order: Record<string, unknown> | null;
};
type Event = {
  eventType: string;
  organizationId: string;
  correlationId: string;
  eventInfo: Info | null;
};

let emulator: Emulator;
let receiver: Server;
let token: string;
let at: Awaited<ReturnType<typeof aPlaceToOrder>>;
let received: Event[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(...(JSON.parse(Buffer.concat(chunks).toString()) as Event[]));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  emulator = await startEmulator({ size: 'small' });
});
beforeEach(async () => {
  await emulator.control('reset', { seed: 1 });
  await emulator.control('delivery-settings', { settleMs: 1 });
  const { port } = receiver.address() as AddressInfo;
  await emulator.control('webhook', {
    mode: 'normal',
    url: `http://127.0.0.1:${port}/hook`,
    token: 'secret-1',
  });
  received = [];
  token = await login(emulator);
  at = await aPlaceToOrder(emulator);
});
afterAll(async () => {
  await emulator.stop();
  await new Promise((resolve) => {
    receiver.close(resolve);
    receiver.closeAllConnections();
  });
});

type Body = ErpOrderBody;
const send = (body: object): Promise<Reply> =>
  post(emulator, '/api/1/deliveries/create', body, token);
const infoOf = (reply: Reply): Info => reply.body['orderInfo'] as Info;
const read = async (id: string): Promise<Info> => {
  const body = { organizationId: at.organizationId, orderIds: [id] };
  const reply = await post(emulator, '/api/1/deliveries/by_id', body, token);
  return (reply.body['orders'] as Info[])[0]!;
};
const ended = (id: string): Promise<Info> =>
  eventually('the creation ends', async () => {
    const info = await read(id);
    return info.creationStatus === 'InProgress' ? undefined : info;
  }); // oxfmt-ignore
const events = (count: number): Promise<Event[]> =>
  eventually(`${count} events`, async () => (received.length >= count ? received : undefined));

describe('a new order at the emulator', () => {
  it("returns an order without its body first, then complete, in the restaurant's wall clock", async () => {
    const body = anOrder(at);
    const reply = await send(body);
    const info = await ended(body.order.id);

    expect(reply.status).toBe(200);
    expect(infoOf(reply)).toMatchObject({
      id: body.order.id,
      creationStatus: 'InProgress',
      errorInfo: null,
      order: null,
    });
    expect(info).toMatchObject({
      creationStatus: 'Success',
      order: {
        status: 'Unconfirmed',
        phone: CANARY.phone,
        customer: { type: 'one-time', name: CANARY.name },
        deliveryPoint: {
          address: { street: { name: CANARY.street }, house: CANARY.house, flat: '12' },
        },
        sourceKey: 'carte',
        isAsap: true,
        items: [
          { type: 'Product', amount: 2, product: { id: at.sold[0]!.productId }, deleted: null },
        ],
        sum: 2 * at.sold[0]!.price!,
        whenCreated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
        movedToDeliveryId: null,
      },
    });
    // The restaurant is three hours ahead of UTC.
    const local = Date.parse(`${String(info.order?.['whenCreated']).replace(' ', 'T')}Z`);
    expect(Math.round((local - Date.now()) / 3_600_000)).toBe(3);
  });

  it('reports its creation by webhook, or the id of its command if it failed', async () => {
    const [good, bad] = [anOrder(at), anOrder(at)];
    await send(good);
    await events(1);
    await emulator.control('fault', { kind: 'order-error-later', code: 'ProductNotFound' });
    const { body } = await send(bad);
    const [created, failed] = await events(2);

    expect(created).toMatchObject({
      eventType: 'DeliveryOrderUpdate',
      organizationId: at.organizationId,
      eventInfo: { id: good.order.id, creationStatus: 'Success', order: { status: 'Unconfirmed' } },
    });
    expect(failed).toMatchObject({
      eventType: 'DeliveryOrderError',
      correlationId: body['correlationId'],
      eventInfo: {
        id: bad.order.id,
        creationStatus: 'Error',
        errorInfo: { code: 'ProductNotFound' },
        order: null,
      },
    });
  });

  const item = (body: Body) => body.order.items[0] as Extract<ErpItem, { type: 'Product' }>;
  test.each<[string, (body: Body) => void, string]>([
    [
      'a product that the restaurant does not have',
      (body) => (item(body).productId = at.organizationId),
      'ProductNotFound',
    ],
    [
      'a size that the product does not have',
      (body) => (item(body).productSizeId = at.organizationId),
      'ProductSizeNotFound',
    ],
    [
      'a modifier that the product does not have',
      (body) => item(body).modifiers.push({ productId: at.organizationId, amount: 1, price: 0 }),
      'ProductNotFound',
    ],
    [
      'a modifier that stands twice',
      (body) =>
        item(body).modifiers.push(
          ...[1, 2].map(() => ({ productId: at.organizationId, amount: 1, price: 0 })),
        ),
      'ModifierDuplicated',
    ],
    [
      'a compound dish that is sent as a product',
      (body) =>
        Object.assign(item(body), {
          productId: at.compound.productId,
          productSizeId: at.compound.sizeId,
          price: at.compound.price,
        }),
      'Common',
    ],
    [
      'another price',
      (body) => (item(body).price += 1),
      'RequestProductPriceIsNotEqualToFrontPrice',
    ],
    [
      'a menu that the restaurant does not sell',
      (body) => (body.order.menuId = 'none'),
      'ProductNotFound',
    ],
  ])('fails at the restaurant with %s', async (_what, spoil, code) => {
    const body = anOrder(at);
    spoil(body);
    const reply = await send(body);

    expect(infoOf(reply).creationStatus).toBe('InProgress');
    expect((await ended(body.order.id)).errorInfo).toMatchObject({
      code,
      message: expect.stringContaining(CANARY.name),
    });
  });

  test.each([
    [true, 'at once when the order asks for the stop-list', 'Error'],
    [false, 'later when it does not', 'InProgress'],
  ])('fails for an item of the stop-list %s', async (checkStopList, _when, first) => {
    const body = { ...anOrder(at), createOrderSettings: { checkStopList } };
    await emulator.control('stop', {
      organizationId: at.organizationId,
      itemIds: [at.sold[0]!.productId],
      balance: 1,
    });
    const reply = await send(body);

    expect(infoOf(reply).creationStatus).toBe(first);
    expect((await ended(body.order.id)).errorInfo).toMatchObject({ code: 'Common' });
  });

  test('counts lines of one item together against the balance', async () => {
    const body = anOrder(at);
    const [item] = body.order.items;
    body.order.items = [
      { ...item!, amount: 1 },
      { ...item!, amount: 1 },
    ];
    const { productId } = at.sold[0]!;
    const left = (balance: number) =>
      emulator.control('stop', {
        organizationId: at.organizationId,
        itemIds: [productId],
        balance,
      });
    await left(1);
    await send(body);
    expect((await ended(body.order.id)).errorInfo).toMatchObject({ code: 'Common' });
  });

  test.each<[string, (body: Body) => void, string]>([
    ['no items', (body) => (body.order.items = []), 'OrderItemsNotExists'],
    [
      'two kinds of order',
      (body) => (body.order.orderTypeId = at.organizationId),
      'OrderTypeNotFound',
    ],
    ['a courier and no address', (body) => delete body.order.deliveryPoint, 'AddressNotFound'],
    [
      'a payment of nothing',
      (body) => (body.order.payments[0]!.sum = 0),
      'PaymentSumShouldBePositive',
    ],
    [
      'another restaurant',
      (body) => (body.organizationId = at.cashTypeId),
      'OrganizationUnregistered',
    ],
  ])('fails with 400 for %s, and is not stored', async (_what, spoil, code) => {
    const body = anOrder(at);
    spoil(body);
    const reply = await send(body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(code);
    expect(await emulator.control('deliveries')).toEqual({ deliveries: [] });
  });

  it('goes to the first active terminal group if it names none', async () => {
    const body = { ...anOrder(at), terminalGroupId: null };
    await send(body);
    expect((await ended(body.order.id)).order).toMatchObject({
      terminalGroupId: at.terminalGroupId,
    });
  });
});

describe('an order at the restaurant', () => {
  it('follows the status of a control call, with time, higher timestamp and event', async () => {
    const body = anOrder(at);
    await send(body);
    const before = await ended(body.order.id);
    await emulator.control('delivery-status', { orderId: body.order.id, status: 'CookingStarted' });
    await emulator.control('delivery-status', { orderId: body.order.id, status: 'Cancelled' });
    const info = await read(body.order.id);

    expect(info.timestamp).toBeGreaterThan(before.timestamp);
    expect(info.order).toMatchObject({
      status: 'Cancelled',
      cookingStartTime: expect.any(String),
      cancelInfo: { cause: { name: 'Отказ' } },
    });
    expect((await events(3)).map(({ eventInfo }) => eventInfo?.order?.['status'])).toEqual([
      'Unconfirmed',
      'CookingStarted',
      'Cancelled',
    ]);
  });

  test.each<[string, object, readonly string[]]>([
    [
      'a courier',
      {},
      [
        'Unconfirmed',
        'WaitCooking',
        'CookingStarted',
        'CookingCompleted',
        'Waiting',
        'OnWay',
        'Delivered',
        'Closed',
      ],
    ],
    [
      'pickup',
      { fulfillment: 'PICKUP', address: null },
      ['Unconfirmed', 'WaitCooking', 'CookingStarted', 'CookingCompleted', 'Waiting', 'Closed'],
    ],
  ])('cooks automatically on demand: %s', async (_kind, fields, path) => {
    await emulator.control('delivery-settings', { cookMs: 2 });
    await send(anOrder(at, fields));

    expect(
      (await events(path.length)).map(({ eventInfo }) => eventInfo?.order?.['status']),
    ).toEqual(path);
  });

  it('receives a new id when it is moved, and the old order is canceled and refers to it', async () => {
    const body = anOrder(at);
    await send(body);
    await ended(body.order.id);
    const { orderInfo } = await emulator.control<{ orderInfo: Info }>('move-delivery', {
      orderId: body.order.id,
      terminalGroupId: at.otherTerminalGroupId,
    });

    expect(orderInfo.order).toMatchObject({
      movedFromDeliveryId: body.order.id,
      movedFromOrganizationId: at.organizationId,
      terminalGroupId: at.otherTerminalGroupId,
    });
    expect((await read(body.order.id)).order).toMatchObject({
      status: 'Cancelled',
      movedToDeliveryId: orderInfo.id,
      movedToOrganizationId: at.otherOrganizationId,
    });
  });

  test.each([
    ['settle-delivery', { orderId: 'none' }, 'orderId: no order none'],
    ['terminal', { terminalGroupId: 'none' }, 'terminalGroupId: no terminal group none'],
  ])('rejects unknown values of %s', async (action, body, sentence) => {
    await expect(emulator.control(action, body)).rejects.toThrow(sentence);
  });

  it('cannot be read with another organization', async () => {
    const body = anOrder(at);
    await send(body);
    await ended(body.order.id);
    const request = { organizationId: at.otherOrganizationId, orderIds: [body.order.id] };

    expect(
      (await post(emulator, '/api/1/deliveries/by_id', request, token)).body['orders'],
    ).toEqual([]);
  });
});
