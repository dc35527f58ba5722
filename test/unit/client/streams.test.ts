import { describe, expect, test } from '@jest/globals';
import {
  eventsOf,
  PublicApi,
  watchMenu,
  watchOrder,
  type EventStream,
  type Menu,
} from '../../../packages/client/src/storefront.ts';

const HOUR_MS = 3_600_000;
const bytes = (text: string) => new TextEncoder().encode(text);
const eventText = (type: string, id: string, data: unknown) =>
  `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
const createStream = (...chunks: Uint8Array[]): EventStream =>
  new ReadableStream({
    start(stream) {
      for (const chunk of chunks) stream.enqueue(chunk);
      stream.close();
    },
  });

describe('[HTTP-70] the events of a stream', () => {
  test('can be read wherever the network splits the bytes, without comments and pauses', async () => {
    const text = `retry: 2000\n\n${eventText('status', 'a', { message: 'Заказ готов' })}:\n\n${eventText('status', 'b', 1)}`;
    const whole = bytes(text);
    const seen = [];
    for await (const event of eventsOf(
      createStream(...Array.from(whole, (_, at) => whole.slice(at, at + 1))),
    ))
      seen.push(event);

    expect(seen).toEqual([
      { type: 'status', id: 'a', data: { message: 'Заказ готов' } },
      { type: 'status', id: 'b', data: 1 },
    ]);
  });

  test('end with a TimeoutError when the stream is silent, and the stream is canceled', async () => {
    let canceled = false;
    const silent: EventStream = new ReadableStream({ cancel: () => void (canceled = true) });

    await expect(eventsOf(silent, 5).next()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(canceled).toBe(true);
  });
});

function server() {
  const state = {
    revision: 1,
    stopped: [] as number[],
    menuRevision: null as number | null,
    orderStatus: 'ACCEPTED',
  };
  const asked: { path: string; lastEventId: string | undefined }[] = [];
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const lists = () => ({
    revision: state.revision,
    unavailableVariantIds: state.stopped,
    unavailableItemIds: [],
  });
  const answers: Record<string, (signal: AbortSignal) => Response> = {
    '/availability': () =>
      Response.json(lists(), { headers: { ETag: `"${JSON.stringify(lists())}"` } }),
    '/menu': () =>
      Response.json({
        revision: state.menuRevision ?? state.revision,
        products: [{ id: 1, variants: [{ id: 10, available: true }] }],
        modifierGroups: [],
      }),
    '/stream': (signal) => {
      const start = (stream: ReadableStreamDefaultController<Uint8Array>) => {
        streams.push(stream);
        signal.addEventListener('abort', () => stream.error(signal.reason));
      };
      return new Response(new ReadableStream({ start }), {
        headers: { 'Content-Type': 'text/event-stream' },
      });
    },
    '/orders/o': () => Response.json({ orderId: 'o', status: state.orderStatus }),
  };
  answers['/orders/o/stream'] = answers['/stream']!;
  const api = new PublicApi({
    baseUrl: 'http://shop.test',
    retries: 0,
    fetch: ((url: string, { headers, signal }: RequestInit) => {
      const path = new URL(url).pathname.replace('/api/v1', '');
      asked.push({ path, lastEventId: (headers as Record<string, string>)['Last-Event-ID'] });
      return Promise.resolve(answers[path]!(signal!));
    }) as typeof fetch,
  });
  const send = (type: string, id: string, data: unknown = lists()) =>
    streams.at(-1)!.enqueue(bytes(eventText(type, id, data)));
  const count = (path: string) => asked.filter((entry) => entry.path === path).length;
  return { api, state, asked, streams, send, count };
}
const isSold = (menu: Menu | void) => menu!.products[0]!.variants[0]!.available;

describe('[HTTP-71] a menu watched over a stream', () => {
  test('changes with the lists of an event, without another read', async () => {
    const { api, state, send, count } = server();
    const menus = watchMenu(api, 'r', { intervalMs: HOUR_MS });
    expect(isSold((await menus.next()).value)).toBe(true);
    state.stopped = [10];
    send('availability', '1-b');
    expect(isSold((await menus.next()).value)).toBe(false);
    state.revision = 2;
    send('menu', '2-b', { revision: 2 });
    send('availability', '2-b');
    expect(((await menus.next()).value as Menu).revision).toBe(2);
    await menus.return();

    expect([count('/availability'), count('/menu'), count('/stream')]).toEqual([1, 2, 1]);
  });

  test('reads again when the revision decreases, as after a restored backup', async () => {
    const { api, state, send } = server();
    state.revision = 7;
    const menus = watchMenu(api, 'r', { intervalMs: HOUR_MS });
    await menus.next();
    state.revision = 3;
    send('availability', '3-a');
    expect(((await menus.next()).value as Menu).revision).toBe(3);
    await menus.return();
  });

  test('reads again while a cache answers with the former menu, even without an event', async () => {
    const { api, state, send } = server();
    const menus = watchMenu(api, 'r', { intervalMs: 5 });
    await menus.next();
    Object.assign(state, { revision: 2, menuRevision: 1 });
    send('availability', '2-a');
    expect(((await menus.next()).value as Menu).revision).toBe(1);
    state.menuRevision = null;
    expect(((await menus.next()).value as Menu).revision).toBe(2);
    await menus.return();
  });

  test('continues after the loss of the stream with the last event', async () => {
    const { api, state, streams, asked, send, count } = server();
    const menus = watchMenu(api, 'r', { intervalMs: HOUR_MS });
    await menus.next();
    state.stopped = [10];
    send('availability', '1-b');
    await menus.next();
    streams[0]!.error(new TypeError('network'));
    const next = menus.next();
    while (count('/stream') < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    state.stopped = [];
    send('availability', '1-c');

    expect(isSold((await next).value)).toBe(true);
    expect(
      asked.filter(({ path }) => path === '/stream').map(({ lastEventId }) => lastEventId),
    ).toEqual([undefined, '1-b']);
    await menus.return();
  });

  test('[HTTP-90] continues after a loss in the middle of a change with the last complete one', async () => {
    const { api, state, streams, asked, send, count } = server();
    const menus = watchMenu(api, 'r', { intervalMs: HOUR_MS });
    await menus.next();
    state.stopped = [10];
    send('availability', '1-b');
    await menus.next();
    streams[0]!.enqueue(bytes(`event: menu\ndata: {"revision":2}\n\n`));
    streams[0]!.error(new TypeError('network'));
    const next = menus.next();
    while (count('/stream') < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    state.stopped = [];
    send('availability', '2-c');
    await next;

    expect(asked.findLast(({ path }) => path === '/stream')?.lastEventId).toBe('1-b');
    await menus.return();
  });

  test('reads at intervals without a stream when `streams` is false', async () => {
    const { api, state, count } = server();
    const menus = watchMenu(api, 'r', { intervalMs: 5, streams: false });
    await menus.next();
    state.stopped = [10];
    expect(isSold((await menus.next()).value)).toBe(false);
    await menus.return();

    expect(count('/stream')).toBe(0);
  });

  test('ignores an event that repeats the returned state', async () => {
    const { api, state, send, count } = server();
    const menus = watchMenu(api, 'r', { intervalMs: HOUR_MS });
    await menus.next();
    const next = menus.next();
    send('availability', '1-a');
    send('availability', '1-a');
    state.stopped = [10];
    send('availability', '1-b');

    expect(isSold((await next).value)).toBe(false);
    expect(count('/menu')).toBe(1);
    await menus.return();
  });
});

test('[HTTP-71] a watched order is read after each event until it ends', async () => {
  const { api, state, send, count } = server();
  const seen: string[] = [];
  for await (const order of watchOrder(api, 'o', { intervalMs: HOUR_MS })) {
    seen.push(order.status);
    const next = { ACCEPTED: 'SENT', SENT: 'CLOSED' }[order.status as string];
    if (next === undefined) continue;
    state.orderStatus = next;
    setTimeout(() => send('status', next, {}), 1);
  }

  expect(seen).toEqual(['ACCEPTED', 'SENT', 'CLOSED']);
  expect(count('/orders/o')).toBe(3);
});
