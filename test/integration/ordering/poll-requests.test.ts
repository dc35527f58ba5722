import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { endRequest, requestPoll } from '../../../modules/ordering/polling/order-poll.ts';
import { watchNow } from '../../../modules/ordering/polling/watch-now.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { orderDesk } from '../../support/orders.ts';
import { ago, deleteRows, updateRows } from '../../support/rows.ts';

let fixture: TestFixture;
let orderId: string;
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  orderId = await (await orderDesk(fixture)).accepted({ isAnnounced: false });
});
beforeEach(() => deleteRows(fixture.db, 'order_poll'));
afterAll(() => fixture?.close());

function webhook(signal: () => Promise<void>): Promise<string> {
  const workflow = { signalWithStart: signal };
  const temporal = { withDeadline: (_: number, work: () => Promise<void>) => work(), workflow };
  const deps = { db: fixture.db, queues: {}, temporal } as unknown as Parameters<
    typeof watchNow
  >[0];
  return watchNow(deps, { webhookEventId: 1, erpOrderId: orderId });
}

test('[ORD-98] concurrent webhooks request one poll, and each later poll can be requested again', async () => {
  const request = () => requestPoll(fixture.db, fixture.connectionId);
  const first = await Promise.all(Array.from({ length: 8 }, request));
  const waiting = await request();
  await endRequest(fixture.db, fixture.connectionId);
  const next = await request();

  expect(first.filter(Boolean)).toHaveLength(1);
  expect([waiting, next]).toEqual([false, true]);
});

test('[ORD-98] a webhook whose signal fails requests the poll again when it is delivered again', async () => {
  let signals = 0;
  const failing = () => webhook(() => Promise.reject(new Error('Temporal does not answer')));
  await expect(failing()).rejects.toThrow('Temporal does not answer');
  const outcome = await webhook(async () => void (signals += 1));

  expect({ outcome, signals }).toEqual({ outcome: 'ASKED', signals: 1 });
});

test('[ORD-98] a request whose signal was lost is repeated after 10 seconds', async () => {
  let signals = 0;
  const count = async () => void (signals += 1);
  await requestPoll(fixture.db, fixture.connectionId);
  await webhook(count);
  const before = signals;
  await updateRows(
    fixture.db,
    'order_poll',
    { hintedAt: ago('11 seconds') },
    { connectionId: fixture.connectionId },
  );
  await webhook(count);

  expect([before, signals]).toEqual([0, 1]);
});
