import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createEventStreams, type EventStreams } from '../../../api/http/live/event-streams.ts';
import { eventually } from '../../support/processes.ts';
import { createMetrics } from '../../../platform/metrics.ts';

let streams: EventStreams;
const metrics = createMetrics('api');
/** The length of a heartbeat second in this test. */
const SECOND_MS = 3;
const env = { STREAM_LISTENERS: 5, STREAMS_PER_ADDRESS: 3 };

beforeEach(() => {
  streams = createEventStreams({ env, metrics }, SECOND_MS);
});
afterEach(async () => {
  streams.stop();
  await nextTurn();
});

function reader(address: string) {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  streams.add('menu', stream, address);
  return { stream, text: () => text };
}
async function openStreams(): Promise<number> {
  const { values } = await metrics.openStreams.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

test('[HTTP-57] silent streams send a comment every 15 seconds, each at another second', async () => {
  const clients = [reader('a'), reader('a'), reader('b')];
  const counts = () => clients.map(({ text }) => text().length / ':\n\n'.length);
  await eventually('every stream has two comments', async () =>
    Math.min(...counts()) >= 2 ? true : undefined,
  );

  expect(Math.max(...counts()) - Math.min(...counts())).toBeLessThanOrEqual(1);
  expect(clients[0]!.text()).toMatch(/^(:\n\n)+$/);
});

describe('[HTTP-58] the registry of streams', () => {
  test('rejects the fourth stream of an address and the sixth of the process', async () => {
    const first = reader('a');
    [reader('a'), reader('a')].forEach(({ stream }) => expect(stream.writable).toBe(true));
    expect(() => reader('a')).toThrow(expect.objectContaining({ kind: 'rate-limited' }));
    reader('b');
    reader('c');
    expect(() => reader('d')).toThrow(expect.objectContaining({ kind: 'unavailable' }));
    expect(await openStreams()).toBe(5);

    first.stream.destroy();
    await nextTurn();
    expect(await openStreams()).toBe(4);
    expect(reader('a').stream.writable).toBe(true);
  });

  test('disconnects a client with more than 64 KB unread, and no other', async () => {
    const slow = new PassThrough();
    streams.add('order', slow, 'a');
    const quick = reader('b');
    for (let count = 0; count < 8; count += 1) {
      streams.broadcast([slow, quick.stream], 'x'.repeat(40_000));
      await nextTurn();
    }

    expect([slow.destroyed, quick.stream.destroyed]).toEqual([true, false]);
    expect(quick.text().replaceAll(':\n\n', '')).toHaveLength(320_000);
    expect((await metrics.slowStreams.get()).values[0]!.value).toBe(1);
  });

  test('sends to 1,000 streams in the order of the broadcasts', async () => {
    const many = createEventStreams({
      env: { STREAM_LISTENERS: 1_000, STREAMS_PER_ADDRESS: 1_000 },
      metrics,
    });
    const texts = new Map<PassThrough, string>();
    for (let count = 0; count < 1_000; count += 1) {
      const stream = new PassThrough();
      texts.set(stream, '');
      stream.on('data', (bytes: Buffer) =>
        texts.set(stream, texts.get(stream)! + bytes.toString()),
      );
      many.add('menu', stream, 'a');
    }
    many.broadcast(texts.keys(), '1');
    many.broadcast(texts.keys(), '2');
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();

    expect(new Set(texts.values())).toEqual(new Set(['12']));
    many.stop();
  });

  test('ends every stream when the process stops, and opens no other', async () => {
    const client = reader('a');
    const ended = new Promise((resolve) => client.stream.once('end', resolve));
    streams.stop();
    await ended;

    expect(() => reader('b')).toThrow(expect.objectContaining({ kind: 'unavailable' }));
  });
});
