import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import type { ErpClientOptions } from '../../../erp/call.ts';
import type { ExchangeEntry } from '../../../erp/ports.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { createLog } from '../../../platform/log.ts';
import { login } from '../../emulator/client.ts';
import { openPorts } from '../../support/erp-ports.ts';
import { anOrder, aPlaceToOrder, CANARY, canaryIn } from '../../support/erp-orders.ts';
import { eventually } from '../../support/processes.ts';

const CREATE = '/api/1/deliveries/create';

let emulator: Emulator;
let place: Awaited<ReturnType<typeof aPlaceToOrder>>;
let erp: ReturnType<typeof createErpClient>;
const logged: string[] = [];
const exchanges: ExchangeEntry[] = [];
const thrown: unknown[] = [];

beforeAll(async () => {
  emulator = await startEmulator({ size: 'small' });
  place = await aPlaceToOrder(emulator);
  erp = await createClient();
});
afterEach(async () => {
  await emulator.control('clear-faults');
  await emulator.control('terminal', {
    terminalGroupId: place.terminalGroupId,
    alive: true,
    slowMs: 0,
  });
  await emulator.control('delivery-settings', {
    settleMs: 5,
    duplicates: 'error',
    frontTimeoutMs: null,
  });
});
afterAll(async () => {
  await erp.close();
  await emulator.stop();
});

async function createClient(options: Partial<ErpClientOptions> = {}) {
  await emulator.control('delivery-settings', { settleMs: 5 });
  return createErpClient({
    baseUrl: emulator.url,
    ...openPorts(await login(emulator)),
    log: createLog({
      service: 'test',
      level: 'trace',
      destination: { write: (line) => void logged.push(line) },
    }),
    exchangeLog: {
      write: async (entry) => void exchanges.push(entry),
      close: async () => undefined,
    },
    timeouts: { readMs: 300 },
    ...options,
  });
}

const create = (body = anOrder(place)) => erp.createDelivery(1, body);
const plan = (kind: string, more: object = {}) =>
  emulator.control('fault', { kind, endpoint: CREATE, ...more });
const read = async (id: string): Promise<ErpDelivery | undefined> =>
  (await erp.deliveriesById(1, place.organizationId, [id])).orders[0];
const settled = (id: string) =>
  eventually('the creation ends', async () => {
    const order = await read(id);
    return order === undefined || order.creation === 'IN_PROGRESS' ? undefined : order;
  });
const held = async (id: string) => {
  const { deliveries } = await emulator.control<{ deliveries: { id: string }[] }>('deliveries');
  return deliveries.filter((delivery) => delivery.id === id).length;
};

describe('a new order', () => {
  test('can be read by its own id until the restaurant has it', async () => {
    const body = anOrder(place);
    const creation = await create(body);
    const order = await settled(body.order.id);

    expect(creation).toMatchObject({
      outcome: 'TAKEN',
      order: { id: body.order.id, organizationId: place.organizationId, creation: 'IN_PROGRESS' },
    });
    expect(order).toEqual({
      id: body.order.id,
      organizationId: place.organizationId,
      timestamp: expect.any(Number),
      creation: 'SUCCESS',
      status: 'Unconfirmed',
      isCooked: false,
      number: expect.any(Number),
      externalNumber: body.order.externalNumber,
      sum: body.order.payments[0]!.sum,
      terminalGroupId: place.terminalGroupId,
      movedTo: null,
      movedFrom: null,
      content: {
        items: [
          {
            itemId: place.sold[0]!.productId,
            sizeId: place.sold[0]!.sizeId,
            name: expect.any(String),
            sizeName: null,
            quantity: 2,
            price: place.sold[0]!.price,
            total: 2 * place.sold[0]!.price!,
            modifiers: [],
          },
        ],
        isPickup: false,
        isAsap: true,
        completeBefore: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
        persons: null,
        paymentKind: 'Cash',
        lines: [
          {
            itemId: place.sold[0]!.productId,
            sizeId: place.sold[0]!.sizeId,
            name: expect.any(String),
            quantity: 2,
            isPaid: true,
          },
        ],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
        customerId: null,
        phone: CANARY.phone,
      },
    });
    const { correlationId } = creation as { correlationId: string };
    expect(await erp.commandStatus(1, place.organizationId, correlationId)).toEqual({
      state: 'Success',
    });
  });

  test.each([
    ['as an error of the order', 'error'],
    ['as a refusal', '400'],
  ])(
    '[ERP-16] exists once if it is sent twice: the second answer is a duplicate, written %s',
    async (_how, duplicates) => {
      await emulator.control('delivery-settings', { duplicates });
      const body = anOrder(place);

      expect((await create(body)).outcome).toBe('TAKEN');
      expect(await create(body)).toEqual({ outcome: 'DUPLICATE' });
      expect(await settled(body.order.id)).toMatchObject({ creation: 'SUCCESS' });
      expect(await held(body.order.id)).toBe(1);
    },
  );

  test('[ERP-16, WIRE-24] pitfall 24: remains unknown without an answer, and is resolved by id, not resent', async () => {
    const body = anOrder(place);
    await plan('no-answer');
    const lost = await create(body);
    const calls = (await emulator.control<{ calls: object[] }>(`calls?endpoint=${CREATE}`)).calls
      .length;

    expect(lost).toEqual({ outcome: 'UNKNOWN', kind: 'TIMEOUT', status: null });
    expect(await create(body)).toEqual({ outcome: 'DUPLICATE' });
    expect(
      (await emulator.control<{ calls: object[] }>(`calls?endpoint=${CREATE}`)).calls,
    ).toHaveLength(calls + 1);
    expect(await settled(body.order.id)).toMatchObject({ creation: 'SUCCESS' });
  });

  test.each([
    ['no-answer', { delayMs: 20 }, { outcome: 'UNKNOWN', kind: 'CONNECT', status: null }],
    ['truncated-json', {}, { outcome: 'UNKNOWN', kind: 'NOT_JSON', status: 200 }],
    ['408', {}, { outcome: 'UNKNOWN', kind: 'TIMEOUT', status: 408 }],
    ['500', {}, { outcome: 'UNKNOWN', kind: 'SERVER', status: 500 }],
    ['502-html', {}, { outcome: 'UNKNOWN', kind: 'SERVER', status: 502 }],
    [
      '429',
      { retryAfter: 7 },
      { outcome: 'NOT_SENT', kind: 'RATE_LIMITED', retryable: true, retryAfterMs: 7000 },
    ],
    ['403', {}, { outcome: 'NOT_SENT', kind: 'FORBIDDEN', retryable: false, retryAfterMs: null }],
    [
      '401-once',
      { times: 2 },
      { outcome: 'NOT_SENT', kind: 'CREDENTIALS_REFUSED', retryable: false, retryAfterMs: null },
    ],
    ['order-error', { code: 'UnknownError' }, { outcome: 'UNKNOWN', kind: 'CLIENT', status: 200 }],
    [
      'order-error',
      { code: 'TerminalGroupDisabled' },
      {
        outcome: 'REFUSED',
        code: 'TerminalGroupDisabled',
        status: 200,
        correlationId: expect.any(String),
      },
    ],
  ])('[ERP-16] receives %s %j, which is classified', async (kind, more, expected) => {
    await plan(kind, more);
    expect(await create()).toEqual(expected);
  });

  test('survives one 401 with a new token, and exists once', async () => {
    const body = anOrder(place);
    await plan('401-once');

    expect((await create(body)).outcome).toBe('TAKEN');
    expect(await held(body.order.id)).toBe(1);
  });

  test.each([
    ['a phone that is none', { customer: { name: CANARY.name, phone: '12' } }, 'InvalidPhone'],
    [
      'a payment that is not known',
      {
        payment: {
          typeErpId: '00000000-0000-4000-8000-000000000000',
          kind: 'Cash' as const,
          amount: 100,
        },
      },
      'PaymentTypeNotFound',
    ],
    [
      'pitfall 16: no name',
      { customer: { name: ' ', phone: CANARY.phone } },
      'AnonymousCustomerDisabled',
    ],
    [
      'a moment that has passed',
      { completeBefore: Temporal.PlainDateTime.from('2020-01-01T12:00') },
      'TooSmallDeliveryDate',
    ],
  ])('[WIRE-16] fails for %s with the code of the ERP', async (_what, fields, code) => {
    expect(await create(anOrder(place, fields))).toMatchObject({ outcome: 'REFUSED', code });
  });

  test('[ERP-16] stays unsent without a connection, without a token, and while the circuit breaker is open', async () => {
    const nowhere = await createClient({ baseUrl: 'http://127.0.0.1:9' });
    const open = await createClient({
      circuits: {
        ...openPorts('').circuits,
        enter: async () => ({ state: 'OPEN', leftMs: 2_000 }),
      },
    });
    const unsent = (client: typeof erp) => client.createDelivery(1, anOrder(place));

    expect(await unsent(nowhere)).toEqual({
      outcome: 'NOT_SENT',
      kind: 'CONNECT',
      retryable: true,
      retryAfterMs: null,
    });
    expect(await unsent(open)).toEqual({
      outcome: 'NOT_SENT',
      kind: 'CIRCUIT_OPEN',
      retryable: true,
      retryAfterMs: 2_000,
    });
    await Promise.all([nowhere.close(), open.close()]);
  });

  test.each([
    [
      'the restaurant refuses it',
      () => plan('order-error-later', { code: 'ProductNotFound' }),
      'ProductNotFound',
    ],
    [
      'pitfall 15: its terminal is not alive',
      async () => {
        await emulator.control('delivery-settings', { frontTimeoutMs: 30 });
        await emulator.control('terminal', {
          terminalGroupId: place.terminalGroupId,
          alive: false,
        });
      },
      'Common',
    ],
    [
      'its terminal is slower than the ERP waits',
      async () => {
        await emulator.control('delivery-settings', { frontTimeoutMs: 30 });
        await emulator.control('terminal', { terminalGroupId: place.terminalGroupId, slowMs: 60 });
      },
      'Common',
    ],
  ])('[WIRE-15] succeeds first and fails later when %s', async (_why, prepare, errorCode) => {
    await prepare();
    const body = anOrder(place);

    expect(await create(body)).toMatchObject({
      outcome: 'TAKEN',
      order: { creation: 'IN_PROGRESS' },
    });
    expect(await settled(body.order.id)).toMatchObject({ creation: 'ERROR', errorCode });
  });

  test('stays in progress while it is stuck', async () => {
    const body = anOrder(place);
    await plan('order-stuck');
    await create(body);
    const before = await read(body.order.id);
    await emulator.control('settle-delivery', { orderId: body.order.id });

    expect(before).toMatchObject({ creation: 'IN_PROGRESS' });
    expect(await read(body.order.id)).toMatchObject({ creation: 'SUCCESS' });
  });

  test.each([301, 400, 404, 413])(
    'remains unknown if a gateway answers with %i',
    async (status) => {
      const gateway = createServer((request, response) => {
        request.resume();
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>');
      });
      await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
      const behind = await createClient({
        baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      });
      const creation = await behind.createDelivery(1, anOrder(place));
      await behind.close();
      gateway.close();

      expect(creation).toEqual({ outcome: 'UNKNOWN', kind: 'CLIENT', status });
    },
  );

  test('remains unknown after an answer about another order', async () => {
    const body = {
      correlationId: 'c',
      orderInfo: {
        id: place.organizationId,
        organizationId: place.organizationId,
        timestamp: 1,
        creationStatus: 'InProgress',
      },
    };
    await emulator.control('answer', { endpoint: CREATE, body });
    const creation = await create();
    await emulator.control('answer', { endpoint: CREATE });

    expect(creation).toEqual({ outcome: 'UNKNOWN', kind: 'INVALID_ANSWER', status: 200 });
  });
});

describe('the reading of orders', () => {
  test('omits unknown ids and links a moved order to its new id', async () => {
    const body = anOrder(place);
    await create(body);
    await settled(body.order.id);
    const { orderInfo } = await emulator.control<{ orderInfo: { id: string } }>('move-delivery', {
      orderId: body.order.id,
      terminalGroupId: place.otherTerminalGroupId,
    });
    const { orders } = await erp.deliveriesById(1, place.organizationId, [
      body.order.id,
      place.organizationId,
    ]);

    expect(orders).toMatchObject([
      {
        status: 'Cancelled',
        movedTo: {
          deliveryId: orderInfo.id,
          organizationId: place.otherOrganizationId,
          terminalGroupId: place.otherTerminalGroupId,
        },
      },
    ]);
    expect(
      (await erp.deliveriesById(1, place.otherOrganizationId, [orderInfo.id])).orders,
    ).toMatchObject([{ creation: 'SUCCESS', movedTo: null }]);
  });

  test('splits more than 200 ids into several requests', async () => {
    const ids = Array.from({ length: 201 }, () => place.organizationId);
    expect(await erp.deliveriesById(1, place.organizationId, ids)).toEqual({
      orders: [],
      unreadable: 0,
    });
  });

  test('[ERP-17] returns all changes since a revision, and only our own orders on request', async () => {
    const organizationIds = [place.organizationId];
    const start = await erp.deliveriesByPhone(1, { organizationIds, phone: CANARY.phone });
    const body = anOrder(place);
    await create(body);
    await settled(body.order.id);
    const ask = (startRevision: number, more = {}) =>
      erp.deliveriesByRevision(1, { organizationIds, startRevision, ...more });
    const changed = await ask(start.maxRevision, { sourceKeys: ['carte'] });
    if (changed.kind !== 'ORDERS') throw new Error('orders are expected');

    expect(changed.orders.map(({ id }) => id)).toEqual([body.order.id]);
    expect(await ask(changed.maxRevision)).toMatchObject({ kind: 'ORDERS', orders: [] });
    expect(await ask(start.maxRevision, { sourceKeys: ['other'] })).toMatchObject({ orders: [] });
  });

  test('[ERP-17, WIRE-19] pitfall 19: distinguishes an outdated revision from failures', async () => {
    const request = {
      organizationIds: [place.organizationId],
      startRevision: Date.now() - 4 * 3_600_000,
    };
    const fresh = { ...request, startRevision: Date.now() };
    await emulator.control('fault', { kind: 'revision-too-old' });

    expect(await erp.deliveriesByRevision(1, fresh)).toEqual({ kind: 'REVISION_TOO_OLD' });
    expect(await erp.deliveriesByRevision(1, request)).toEqual({ kind: 'REVISION_TOO_OLD' });
    await emulator.control('fault', { kind: '500', endpoint: '/api/1/deliveries/by_revision' });
    await expect(erp.deliveriesByRevision(1, fresh)).rejects.toMatchObject({ kind: 'SERVER' });
  });

  test('[WIRE-18] pitfall 18: searches by the local time of the restaurant, without a phone at most a day', async () => {
    const body = anOrder(place, {
      completeBefore: Temporal.PlainDateTime.from('2040-05-01T19:30'),
    });
    await create(body);
    const from = Temporal.PlainDateTime.from('2040-05-01T19:00');
    const search = { organizationIds: [place.organizationId], phone: null, from };
    const ids = async (to: string, phone: string | null = null) =>
      (
        await erp.deliveriesByPhone(1, { ...search, phone, to: Temporal.PlainDateTime.from(to) })
      ).orders.map(({ id }) => id);

    expect(await ids('2040-05-01T20:00')).toEqual([body.order.id]);
    expect(await ids('2040-05-01T19:15')).toEqual([]);
    expect(await ids('2040-06-01T00:00', '+79990000000')).toEqual([]);
    expect(await ids('2040-06-01T00:00', CANARY.phone)).toEqual([body.order.id]);
    const tooMuch = await ids('2040-06-01T00:00').catch((error: unknown) => error);
    thrown.push(tooMuch);
    expect(tooMuch).toMatchObject({ kind: 'CLIENT', status: 422, code: 'TOO_MANY_DATA_REQUESTED' });
  });

  test('[ERP-17] returns the other orders if one row cannot be read', async () => {
    const body = anOrder(place);
    await create(body);
    const { deliveries } = await emulator.control<{ deliveries: object[] }>('deliveries');
    const orders = [{ id: 'broken' }, deliveries.at(-1)];
    await emulator.control('answer', {
      endpoint: '/api/1/deliveries/by_id',
      body: { correlationId: 'c', orders },
    });
    const found = await erp.deliveriesById(1, place.organizationId, [body.order.id]);
    await emulator.control('answer', { endpoint: '/api/1/deliveries/by_id' });

    expect(found).toMatchObject({ orders: [{ id: body.order.id }], unreadable: 1 });
  });
});

describe('the dictionaries for orders', () => {
  test('contain order types, payment types and discounts without deleted and unusable rows', async () => {
    const organizationIds = [place.organizationId];
    const [orderTypes, paymentTypes, discounts] = await Promise.all([
      erp.orderTypes(1, organizationIds),
      erp.paymentTypes(1, organizationIds),
      erp.discounts(1, organizationIds),
    ]);

    expect(orderTypes.map(({ service, isDefault }) => [service, isDefault])).toEqual([
      ['DeliveryByCourier', true],
      ['DeliveryPickUp', true],
      ['Common', false],
    ]);
    expect(paymentTypes.map(({ code, kind }) => [code, kind])).toEqual([
      ['CASH', 'Cash'],
      ['CARD', 'Card'],
      ['SITE', 'External'],
    ]);
    expect(paymentTypes[0]?.terminalGroups).toContainEqual({
      id: place.terminalGroupId,
      organizationId: place.organizationId,
    });
    expect(discounts).toMatchObject([
      { mode: 'FlexibleSum', minOrderSum: null },
      { mode: 'Percent', percent: 10, minOrderSum: 500 },
    ]);
  });

  test('contain terminal groups that are alive', async () => {
    const alive = () =>
      erp.terminalGroupsAlive(
        1,
        [place.organizationId],
        [place.terminalGroupId, place.organizationId],
      );
    const before = await alive();
    await emulator.control('terminal', { terminalGroupId: place.terminalGroupId, alive: false });

    expect([...before]).toEqual([[place.terminalGroupId, true]]);
    expect([...(await alive())]).toEqual([[place.terminalGroupId, false]]);
  });
});

test('[ERP-15] guest data is in no log, exchange log or failure, but ids and states are', () => {
  const written = exchanges.map(({ request, answer }) => request + answer).join('\n');
  const everything = [
    written,
    ...logged,
    ...thrown.map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error as object))),
  ];

  expect(exchanges.filter(({ endpoint }) => endpoint === CREATE).length).toBeGreaterThan(25);
  expect(canaryIn(everything.join('\n'))).toEqual([]);
  expect(written).toContain('"creationStatus":"Success"');
  expect(written).toContain('"code":"DuplicatedOrderId"');
  expect(written).toContain(`"organizationId":"${place.organizationId}"`);
  expect(written).toMatch(/"phone":"\[masked\]"/);
  expect(canaryIn(JSON.stringify({ name: CANARY.name }))).not.toEqual([]);
});
