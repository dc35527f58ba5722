import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startEmulator } from '../../packages/erp-emulator/server.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';
import { organizationIds } from './client.ts';

type Event = {
  eventType: string;
  organizationId: string;
  correlationId: string;
  eventInfo: object | null;
};

let emulator: Emulator;
let receiver: Server;
let ids: string[];
let received: { authorization: string | undefined; events: Event[] }[];
let answers: number[];
let waiting: (() => void)[];

beforeEach(async () => {
  received = [];
  answers = [];
  waiting = [];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const events = JSON.parse(Buffer.concat(chunks).toString()) as Event[];
      received.push({ authorization: request.headers.authorization, events });
      response.writeHead(answers.shift() ?? 200).end();
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  emulator = await startEmulator({ size: 'small' });
  ids = await organizationIds(emulator);
  const { port } = receiver.address() as AddressInfo;
  await emulator.control('webhook', {
    mode: 'normal',
    url: `http://127.0.0.1:${port}/hook?key=1`,
    token: 'secret-1',
  });
});

afterEach(async () => {
  await emulator.stop();
  await new Promise((resolve) => {
    receiver.close(resolve);
    receiver.closeAllConnections();
  });
});

async function arrivals(count: number): Promise<void> {
  while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
}

const stop = (organizationId: string | undefined): Promise<unknown> =>
  emulator.control('stop', { organizationId, itemIds: ['dish'] });

describe('the webhooks of the emulator', () => {
  it('send an array with one stop-list event and the token', async () => {
    await stop(ids[0]);
    await arrivals(1);

    expect(received[0]?.authorization).toBe('secret-1');
    expect(received[0]?.events).toEqual([
      {
        eventType: 'StopListUpdate',
        eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
        organizationId: ids[0],
        correlationId: expect.any(String),
        eventInfo: {
          terminalGroupsStopListsUpdates: [
            { id: expect.any(String), isFull: true },
            expect.anything(),
          ],
        },
      },
    ]);
  });

  it('try three times', async () => {
    answers = [500, 503, 200];

    await stop(ids[0]);
    await arrivals(3);

    const bodies = new Set(received.map(({ events }) => JSON.stringify(events)));
    expect(bodies.size).toBe(1);
  });

  it('send one event twice with duplicate', async () => {
    await emulator.control('webhook', { mode: 'duplicate' });

    await stop(ids[0]);
    await arrivals(2);

    expect(received[0]?.events).toEqual(received[1]?.events);
  });

  it('send nothing with lose, and report it', async () => {
    await emulator.control('webhook', { mode: 'lose' });
    await stop(ids[0]);
    await emulator.control('webhook', { mode: 'normal' });
    await stop(ids[1]);
    await arrivals(1);

    const { deliveries } = await emulator.control<{ deliveries: object[] }>('webhooks');

    expect(received[0]?.events[0]?.organizationId).toBe(ids[1]);
    expect(deliveries[0]).toMatchObject({
      outcome: 'lost',
      attempts: 0,
      events: [{ organizationId: ids[0] }],
    });
  });

  it('send the later event first with reorder', async () => {
    await emulator.control('webhook', { mode: 'reorder' });

    await stop(ids[0]);
    await stop(ids[1]);
    await arrivals(2);

    expect(received.map(({ events }) => events[0]?.organizationId)).toEqual([ids[1], ids[0]]);
  });

  it('omit the details with null-info', async () => {
    await emulator.control('webhook', { mode: 'null-info' });

    await stop(ids[0]);
    await arrivals(1);

    expect(received[0]?.events[0]?.eventInfo).toBeNull();
  });
});
