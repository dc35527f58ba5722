import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { CANARY, canaryIn } from '../../support/erp-orders.ts';
import { addRow, countRows, deleteRows, selectRows } from '../../support/rows.ts';
import { repetitions } from '../../support/repetitions.ts';

const SECRET = `canary-${randomUUID()}`;
const NEXT_SECRET = `next-${randomUUID()}`;

let api: TestApi;
let deliveries = 0;
beforeAll(async () => {
  api = await startTestApi({
    routes,
    env: { WEBHOOK_SECRET: `${SECRET},${NEXT_SECRET}`, RATE_LIMIT_WEBHOOK: 'off' },
    onEventsCommitted: () => void (deliveries += 1),
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await deleteRows(api.deps.db, 'webhook_event');
  await deleteRows(api.deps.db, 'outbox');
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  api.deps.db.query<T>(sql, params);
const stored = () =>
  selectRows(
    api.deps.db,
    'webhook_event',
    ['eventKey as key', 'eventType as type', 'organizationErpId as organization', 'raw'],
    {},
    { orderBy: 'id' },
  );
const ONE = randomUUID();
const event = (more: object = {}) => ({
  eventType: 'StopListUpdate',
  eventTime: '2031-02-03 08:15:02.117',
  organizationId: randomUUID(),
  correlationId: randomUUID(),
  eventInfo: { terminalGroupsStopListsUpdates: [{ id: randomUUID(), isFull: true }] },
  ...more,
});
const send = (
  body: unknown,
  {
    headers = { authorization: SECRET },
    search = '',
  }: { headers?: Record<string, string>; search?: string } = {},
) =>
  fetch(`${api.url}/api/webhooks/erp${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the secret of webhooks', () => {
  test.each<[string, { headers?: Record<string, string>; search?: string }]>([
    ['bare in the header', { headers: { authorization: SECRET } }],
    ['as a bearer token', { headers: { authorization: `Bearer ${SECRET}` } }],
    ['as a bearer token in lower case', { headers: { authorization: `bearer ${SECRET}` } }],
    ['in the query', { headers: {}, search: `?token=${SECRET}` }],
    ['the second one of two', { headers: { authorization: `Bearer ${NEXT_SECRET}` } }],
    [
      'in the query beside another header',
      { headers: { authorization: 'Basic x' }, search: `?token=${SECRET}` },
    ],
  ])('[WHK-1] proves the sender by %s', async (_, how) => {
    const answer = await send([event()], how);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: 1, stored: 1 });
  });

  test.each<[string, { headers?: Record<string, string>; search?: string }]>([
    ['missing', { headers: {} }],
    ['empty', { headers: { authorization: '' }, search: '?token=' }],
    ['wrong', { headers: { authorization: `${SECRET}x` } }],
    ['a prefix', { headers: { authorization: SECRET.slice(0, -1) } }],
    ['both in one', { headers: { authorization: `${SECRET},${NEXT_SECRET}` } }],
    ['wrong in the query', { headers: {}, search: '?token=wrong' }],
    ['repeated in the query', { headers: {}, search: `?token=${SECRET}&token=${SECRET}` }],
  ])('causes 401 without storing anything: %s', async (_, how) => {
    const answer = await send([event()], how);

    expect(answer.status).toBe(401);
    const problem = (await answer.json()) as { title: string; detail: string };
    expect(problem).toMatchObject({
      type: '/problems/unauthorized',
      instance: '/api/webhooks/erp',
    });
    expect(problem.title).not.toMatch(/sign in/i);
    expect(problem.detail).toContain('The secret of the webhook is missing or wrong.');
    expect(await stored()).toEqual([]);
  });

  test('[WHK-1] causes rejections of all calls if none is configured', async () => {
    const open = await startTestApi({ routes });
    const call = (headers: Record<string, string>) =>
      fetch(`${open.url}/api/webhooks/erp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '[]',
      });
    const answers = await Promise.all([
      call({}),
      call({ authorization: '' }),
      call({ authorization: 'null' }),
    ]);
    await open.stop();

    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
  });
});

describe('a stored event', () => {
  test('[WHK-2] contains organization and body, and causes one row that requests the import', async () => {
    const { id: connectionId } = await addRow(api.deps.db, 'connection');
    const { erpId } = await addRow(api.deps.db, 'mirror_organization', { connectionId });
    const sent = event({ organizationId: erpId });
    const before = deliveries;

    await send([sent]);

    expect(await stored()).toEqual([
      {
        key: `${sent.correlationId}@${sent.organizationId}`,
        type: 'StopListUpdate',
        organization: sent.organizationId,
        raw: sent,
      },
    ]);
    expect(await selectRows(api.deps.db, 'outbox', ['event', 'payload'])).toEqual([
      { event: 'ErpStopListsMarked', payload: { connectionId } },
    ]);
    expect(deliveries).toBe(before + 1);
  });

  test('cannot come from an empty array, which is valid', async () => {
    expect(await (await send([])).json()).toEqual({ received: 0, stored: 0 });
    expect(await countRows(api.deps.db, 'outbox')).toBe(0);
  });

  test('[WHK-4, WIRE-22] cannot have an unsupported type, which is counted, next to other events', async () => {
    const answer = await send([
      event({ eventType: 'ReserveUpdate', eventInfo: { order: { phone: '+70000000000' } } }),
      event({ eventInfo: null }),
      event({ eventType: 'SomethingNew' }),
    ]);
    const metrics = await api.deps.metrics.registry.metrics();

    expect(await answer.json()).toEqual({ received: 3, stored: 1 });
    expect((await stored()).map((row) => row.type)).toEqual(['StopListUpdate']);
    expect(metrics).toMatch(
      /carte_webhook_events_total\{type="ReserveUpdate",outcome="ignored",.*\} 1/,
    );
    expect(metrics).toMatch(/carte_webhook_events_total\{type="other",outcome="ignored",.*\} 1/);
    expect(metrics).not.toContain('SomethingNew');
  });

  test('[WHK-8] contains ids, words and times of an order, nothing of the guest, and passes the id on', async () => {
    const info = { id: randomUUID(), organizationId: randomUUID(), timestamp: 1_927_000_000_123 };
    const told = event({
      eventType: 'DeliveryOrderUpdate',
      eventInfo: {
        ...info,
        creationStatus: 'Success',
        errorInfo: { message: `Guest ${CANARY.name}` },
        order: {
          status: 'OnWay',
          phone: CANARY.phone,
          comment: CANARY.comment,
          customer: { name: CANARY.name },
        },
      },
    });
    const later = { ...told, eventInfo: { ...told.eventInfo, timestamp: info.timestamp + 1 } };
    const answers = [await send([told, later, told]), await send([later])];
    const rows = await stored();

    // One command may cause several events, which differ in the order's counter.
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { received: 3, stored: 2 },
      { received: 1, stored: 0 },
    ]);
    expect(rows[0]!.raw).toMatchObject({
      correlationId: told.correlationId,
      eventInfo: { id: info.id, creationStatus: 'Success', order: { status: 'OnWay' } },
    });
    expect(canaryIn(JSON.stringify(rows))).toEqual([]);
    expect(await query(`select event, payload ->> 'erpOrderId' as id from outbox`)).toEqual([
      { event: 'ErpOrderChanged', id: info.id },
      { event: 'ErpOrderChanged', id: info.id },
    ]);
  });

  test('triggers nothing if it names no order', async () => {
    await send([event({ eventType: 'DeliveryOrderError', eventInfo: null })]);

    expect(await selectRows(api.deps.db, 'webhook_event', ['outcome'])).toEqual([
      { outcome: 'NO_ORDER' },
    ]);
    expect(await countRows(api.deps.db, 'outbox')).toBe(0);
  });

  test.each([
    ['numbers, texts, null and lists', [1, 'x', null, [], true]],
    ['objects without a type', [{}, { eventType: null }, { eventType: 5 }]],
  ])('can be next to invalid ones, which are counted: %s', async (_, bad) => {
    const answer = await send([...bad, event()]);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: bad.length + 1, stored: 1 });
  });

  test('contains no organization if the id is no uuid', async () => {
    await send([
      event({ organizationId: 'nobody' }),
      event({ organizationId: null }),
      event({ organizationId: 7 }),
    ]);

    expect((await stored()).map((row) => row.organization)).toEqual([null, null, null]);
  });

  test('[WHK-2] requires no Temporal, which this test does not start', async () => {
    expect((await send([event()])).status).toBe(200);
  });
});

describe('the detection of duplicates', () => {
  test('[WHK-3] stores the same event once, in one array and over several calls', async () => {
    const sent = event();

    const first = await send([sent, sent]);
    const second = await send([sent, event()]);

    expect([await first.json(), await second.json()]).toEqual([
      { received: 2, stored: 1 },
      { received: 2, stored: 1 },
    ]);
    expect(await stored()).toHaveLength(2);
  });

  test.each([
    ['two restaurants', [randomUUID(), randomUUID()], 2],
    [
      'one restaurant in both spellings',
      ['0A0B0C0D-0000-4000-8000-00000000000A', '0a0b0c0d-0000-4000-8000-00000000000a'],
      1,
    ],
    ['a restaurant and none', [randomUUID(), undefined], 2],
    ['three restaurants, one of them twice', [ONE, randomUUID(), randomUUID(), ONE], 3],
  ])('[WHK-3] stores one command about %s once for each', async (_, organizations, expected) => {
    const correlationId = randomUUID();
    const events = organizations.map((organizationId) => event({ correlationId, organizationId }));

    expect(await (await send(events)).json()).toEqual({
      received: events.length,
      stored: expected,
    });
    expect(await (await send(events.toReversed())).json()).toEqual({
      received: events.length,
      stored: 0,
    });
  });

  test('distinguishes events without a correlation id by their time', async () => {
    const sent = event({ correlationId: undefined });
    await send([sent, sent, { ...sent, eventTime: '2031-02-03 08:15:02.118' }]);
    await send([{ ...sent, eventInfo: null }]);

    expect(await stored()).toHaveLength(2);
  });

  test.each([
    ['a character the database cannot hold', 'a\u0000b'],
    ['half a character', '\ud800'],
    ['a very long text', 'x'.repeat(5_000)],
  ])(
    'uses a digest of a correlation id that is %s, and stores the other events',
    async (_, correlationId) => {
      const odd = event({ correlationId, note: correlationId });

      expect(await (await send([odd, event()])).json()).toEqual({ received: 2, stored: 2 });
      expect(await (await send([odd])).json()).toEqual({ received: 1, stored: 0 });
      expect((await stored()).filter((entry) => entry.key.startsWith('digest:'))).toHaveLength(1);
    },
  );

  test('never treats an event without identity as a duplicate', async () => {
    const sent = { eventType: 'StopListUpdate', organizationId: randomUUID() };
    await send([sent]);
    await send([sent]);

    expect(await stored()).toHaveLength(2);
  });

  test('[WHK-3, WIRE-22] stores each event of one array once in two parallel receivers, in any order', async () => {
    for (let round = 0; round < repetitions(10); round += 1) {
      const events = Array.from({ length: 20 }, () => event());
      const answers = await Promise.all(
        [events, events.toReversed(), events, events.toReversed()].map(async (array) => {
          const answer = await send(array);
          return { status: answer.status, ...((await answer.json()) as { stored: number }) };
        }),
      );

      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      expect(answers.reduce((sum, answer) => sum + answer.stored, 0)).toBe(20);
    }
    expect(await stored()).toHaveLength(20 * repetitions(10));
  });
});

describe('an invalid call', () => {
  test.each([
    ['no JSON', '[{', 400],
    ['a text', '"x"', 422],
    ['an object', '{}', 422],
    ['nothing', '', 422],
    ['more than a megabyte', JSON.stringify([event({ note: 'x'.repeat(1_100_000) })]), 413],
  ])('[WHK-5] stores nothing for %s', async (_, body, status) => {
    expect((await send(body)).status).toBe(status);
    expect(await stored()).toEqual([]);
  });

  test('[OPS-61] stores a long event without its content, and rejects 1,001 events', async () => {
    const long = event({ note: 'x'.repeat(70_000) });
    expect((await send([long])).status).toBe(200);
    const [row] = await stored();
    const refused = await send(Array.from({ length: 1_001 }, () => ({})));
    const taken = await send(Array.from({ length: 1_000 }, () => ({})));

    expect(row).toMatchObject({ type: 'StopListUpdate', organization: long.organizationId });
    expect(row!.raw).toEqual({
      eventType: 'StopListUpdate',
      organizationId: long.organizationId,
      correlationId: long.correlationId,
      leftOut: JSON.stringify(long).length,
    });
    expect([refused.status, taken.status]).toEqual([422, 200]);
    expect(await stored()).toHaveLength(1);
  });

  test('fails with 415 for a body of another type', async () => {
    const answer = await send('<xml/>', {
      headers: { authorization: SECRET, 'content-type': 'text/xml' },
    });

    expect(answer.status).toBe(415);
  });

  test('fails before the body is read if the sender is unknown', async () => {
    expect((await send('[{', { headers: {} })).status).toBe(401);
  });
});

test('[WHK-5] an address that calls too often receives Retry-After', async () => {
  const narrow = await startTestApi({
    routes,
    env: { WEBHOOK_SECRET: SECRET, RATE_LIMIT_WEBHOOK: '2' },
  });
  const call = () =>
    fetch(`${narrow.url}/api/webhooks/erp?token=${SECRET}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
  const statuses = [(await call()).status, (await call()).status];
  const refused = await call();
  await narrow.stop();

  expect(statuses).toEqual([200, 200]);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
});

test('the log contains neither the secret nor a body', async () => {
  const canary = `guest-${randomUUID()}`;
  await send([event({ eventInfo: { canary } })]);
  await send([event({ eventInfo: { canary } })], { headers: {}, search: `?token=${SECRET}` });
  await send([event({ eventInfo: { canary } })], { headers: {}, search: `?token=wrong-${canary}` });
  await send(`[{"canary":"${canary}"`, { headers: {}, search: `?token=${SECRET}` });
  await send({ canary }, { headers: {}, search: `?token=${SECRET}` });
  await send([canary], { headers: {}, search: `?token=${SECRET}&other=${canary}` });
  const log = JSON.stringify(api.logged);

  expect(api.logged.some((line) => line['route'] === 'POST /erp')).toBe(true);
  expect(log).not.toContain(SECRET);
  expect(log).not.toContain(canary);
});
