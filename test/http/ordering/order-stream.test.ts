import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PublicApi, watchOrder } from '../../../packages/client/src/storefront.ts';
import {
  FINAL_STATES,
  type OrderProblem,
  type OrderState,
} from '../../../modules/ordering/rules/order-states.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { openStream, type OpenStream } from '../../support/event-stream.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { eventually } from '../../support/processes.ts';
import { updateRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, db, place, tokenOf, ask, makeCart, question } = fixture;

beforeAll(() => openForOrders(db, place.organizationId));
afterAll(fixture.stop);
const opened: OpenStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

async function placedOrder(token?: string): Promise<string> {
  const cart = await makeCart({}, { token });
  const customer = { name: 'Anna', phone: '+79990001122' };
  const { body } = await ask<PlacedOrder>('POST', '/orders', question(cart, { customer }), {
    key: randomUUID(),
    token,
  });
  if (body.orderId === undefined) throw new Error(JSON.stringify(body));
  return body.orderId;
}
async function open(orderId: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const stream = await openStream(`${api.url}/api/v1/orders/${orderId}/stream`, headers);
  opened.push(stream);
  return stream;
}
const move = (id: string, state: OrderState, problem: OrderProblem | null = null) =>
  updateRows(
    db,
    'customer_order',
    { state, problem, endedAt: FINAL_STATES.has(state) ? new Date() : null },
    { id },
  );

describe('[ORD-140] the stream of an order', () => {
  test('begins with its status, continues with each change, and ends after the last one', async () => {
    const id = await placedOrder();
    const stream = await open(id);
    const [first] = await stream.until(1);
    expect(first).toMatchObject({
      event: 'status',
      data: { orderId: id, status: 'ACCEPTED', isFinal: false },
    });
    expect(Object.keys(first!.data as object).toSorted()).toEqual([
      'isFinal',
      'message',
      'orderId',
      'problem',
      'status',
    ]);

    await move(id, 'SENT');
    expect((await stream.until(2))[1]).toMatchObject({ data: { status: 'SENT' } });
    await move(id, 'SENT', 'ERP_UNAVAILABLE');
    expect((await stream.until(3))[2]).toMatchObject({
      data: { status: 'SENT', problem: 'ERP_UNAVAILABLE' },
    });
    await move(id, 'CANCELLED', 'CANCELLED_BY_RESTAURANT');
    await stream.ended;

    expect(stream.events.at(-1)).toMatchObject({
      id: 'CANCELLED-CANCELLED_BY_RESTAURANT',
      data: { status: 'CANCELLED', isFinal: true },
    });
  });

  test('contains after a reconnection only what was missed, and 204 after the last status', async () => {
    const id = await placedOrder();
    const existing = await open(id, { 'Last-Event-ID': 'ACCEPTED-NONE' });
    await move(id, 'SENT');
    expect((await existing.until(1))[0]).toMatchObject({ data: { status: 'SENT' } });
    const late = await open(id, { 'Last-Event-ID': 'ACCEPTED-NONE' });
    expect((await late.until(1))[0]).toMatchObject({ data: { status: 'SENT' } });

    await move(id, 'CLOSED');
    await existing.ended;
    const again = await open(id);
    await again.ended;
    expect(again.events).toMatchObject([{ data: { status: 'CLOSED', isFinal: true } }]);
    expect((await open(id, { 'Last-Event-ID': 'CLOSED-NONE' })).status).toBe(204);
  });

  test('shows each change once to many listeners', async () => {
    const ids = [await placedOrder(), await placedOrder()];
    const streams = await Promise.all([...ids, ...ids, ...ids].map((id) => open(id)));
    await Promise.all(streams.map((stream) => stream.until(1)));
    for (const id of ids) await move(id, 'SENT');
    await Promise.all(streams.map((stream) => stream.until(2)));
    for (const id of ids) await move(id, 'CLOSED');
    await Promise.all(streams.map(({ ended }) => ended));

    const statuses = streams.map(({ events }) =>
      events.map(({ data }) => (data as { status: string }).status),
    );
    expect(new Set(statuses.map(String))).toEqual(new Set(['ACCEPTED,SENT,CLOSED']));
  });

  test('fails except for the customer of the order, and for an unknown order', async () => {
    const token = await tokenOf('owner');
    const id = await placedOrder(token);

    expect((await open(id)).status).toBe(404);
    expect((await open(id, { Authorization: `Bearer ${await tokenOf('stranger')}` })).status).toBe(
      404,
    );
    expect((await open(randomUUID())).status).toBe(404);
    expect((await open(id, { Authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test('[ORD-153] ends with the token that opened it, and continues with the next one', async () => {
    const id = await placedOrder(await tokenOf('owner'));
    const headers = async (lifetime: string) => ({
      Authorization: `Bearer ${await tokenOf('owner', undefined, undefined, lifetime)}`,
    });
    const [brief, lasting] = [
      await open(id, await headers('2s')),
      await open(id, await headers('60d')),
    ];
    await Promise.all([brief.until(1), lasting.until(1)]);
    await brief.ended;
    await move(id, 'SENT');
    const next = await open(id, { ...(await headers('5m')), 'Last-Event-ID': brief.events[0]!.id });

    expect((await next.until(1))[0]).toMatchObject({ data: { status: 'SENT' } });
    expect((await lasting.until(2))[1]).toMatchObject({ data: { status: 'SENT' } });
    expect(brief.events).toHaveLength(1);
  });

  test('remains uncompressed and uncached, and ends with the connection of its client', async () => {
    const stream = await open(await placedOrder(), { 'Accept-Encoding': 'gzip, br' });
    await stream.until(1);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream') as unknown,
      'cache-control': 'private, no-store',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers.has('content-encoding')).toBe(false);
    stream.close();

    await eventually('no stream is open', async () => {
      const { values } = await api.deps.metrics.openStreams.get();
      return values.every(({ value }) => value === 0) ? true : undefined;
    });
  });
});

test('[HTTP-71] the client returns each status of an order without polling, and ends with the order', async () => {
  const id = await placedOrder();
  const client = new PublicApi({ baseUrl: api.url });
  const after = { ACCEPTED: 'SENT', SENT: 'CLOSED' } as const;
  const seen: string[] = [];
  for await (const { status } of watchOrder(client, id, { intervalMs: 3_600_000 })) {
    seen.push(status);
    if (status in after) await move(id, after[status as keyof typeof after]);
  }

  expect(seen).toEqual(['ACCEPTED', 'SENT', 'CLOSED']);
});
