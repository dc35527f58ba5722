import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWebhookActivities } from '../../activities/webhooks.ts';
import { systemActor } from '../../kernel/actor.ts';
import { dispatchWebhooks } from '../../modules/events/deliveries/dispatch-webhooks.ts';
import {
  createEndpoint,
  rotateEndpointSecret,
} from '../../modules/events/deliveries/manage-endpoints.ts';
import { recordEvents } from '../../modules/events/record-events.ts';
import { WEBHOOK_PACE } from '../../modules/events/rules/webhook-pace.ts';
import { createWebhookSender } from '../../platform/webhook-sender.ts';
import { supervise, type Part } from '../support/chaos/supervise.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { repetitions } from '../support/repetitions.ts';
import { countRows, selectRows } from '../support/rows.ts';
import { receiptDifferences, separateReceiver } from '../support/separate-receiver.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

/** The product's schedule of pauses, a thousand times as short. */
const SHORTER = 1_000;
const PACE = {
  pausesMs: WEBHOOK_PACE.pausesMs.map((ms) => ms / SHORTER),
  warnMs: WEBHOOK_PACE.warnMs / SHORTER,
  giveUpMs: WEBHOOK_PACE.giveUpMs / SHORTER,
};
const HOUR_MS = 3_600_000 / SHORTER;
const SILENCE_MS = 300;
const [SUBJECTS, ROUNDS] = [8, repetitions(15)];
const actor = systemActor('test');

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let receiver: Awaited<ReturnType<typeof separateReceiver>>;
let receiving: Part | undefined;
let isOver = false;
let dispatching: Promise<void>;

const startWorkers = () => {
  const sendWebhook = createWebhookSender({ allowsPrivate: true, limitMs: SILENCE_MS });
  const deps = { ...sync.product, sendWebhook, failpoint: fixture.deps.failpoint };
  return sync.start({ webhooks: createWebhookActivities(deps) });
};

beforeAll(async () => {
  fixture = await mirrorFixture();
  receiver = await separateReceiver(17);
  sync = await syncWorker(fixture, undefined, { WEBHOOK_PRIVATE_RECEIVERS: true });
  workers = await startWorkers();
  dispatching = (async () => {
    while (!isOver) {
      await dispatchWebhooks(sync.product, PACE);
      await delay(50);
    }
  })();
});
afterAll(async () => {
  isOver = true;
  await dispatching;
  await workers.stop();
  await receiving?.stop();
  await receiver.remove();
  await sync.close();
  await fixture.close();
});

async function publish(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    for (let id = 1; id <= SUBJECTS; id += 1)
      await recordEvents(fixture.db, 'product.published', [
        { id, organizationId: null, data: { productId: id } },
      ]);
}
const pending = () =>
  selectRows(fixture.db, 'webhook_delivery', ['attempts', 'failingSince'], { isPending: true });
const failed = (outcome: number | string) =>
  eventually(`attempts end with ${outcome}`, async () =>
    (await pending()).some(({ attempts }) =>
      attempts.some(({ status, error }) => (status ?? error) === outcome),
    )
      ? true
      : undefined,
  );
const stored = (count: number) =>
  eventually(`${count} events are stored`, async () => {
    const receipts = await receiver.receipts();
    return new Set(receipts.map(({ id }) => id)).size >= count ? true : undefined;
  });

test('[EVT-17, EVT-18] every event arrives in order through an outage, random crashes and a new secret', async () => {
  const { id, secret } = await createEndpoint(
    { ...sync.product, allowsPrivateReceivers: true },
    actor,
    {
      url: receiver.url,
      types: ['product.published'],
    },
  );
  await receiver.behave({ secrets: [secret], silent: 1 });
  await publish(ROUNDS);
  await failed('CONNECTION_FAILED');
  receiving = supervise('receiver', receiver.start);
  await failed('TIMEOUT');
  const rotated = await rotateEndpointSecret(sync.product, actor, id);
  await receiver.behave({ silent: 0, fail: 1 });
  await failed(500);
  const waiting = await eventually('an hour of failures has passed', async () => {
    const rows = (await pending()).filter(({ failingSince }) => failingSince !== null);
    return rows.every((row) => Date.now() - row.failingSince!.getTime() >= HOUR_MS)
      ? rows
      : undefined;
  });
  const storedInOutage = await receiver.receipts();

  await receiver.behave({ silent: 0.02, fail: 0.1, die: 0.04 });
  await publish(ROUNDS);
  await stored((SUBJECTS * ROUNDS) / 2);
  await workers.stop();
  await receiving.kill(100);
  workers = await startWorkers();
  await stored(SUBJECTS * ROUNDS);
  await receiver.behave({ secrets: [rotated.secret] });
  await stored(2 * SUBJECTS * ROUNDS);
  await receiver.behave({ silent: 0, fail: 0, die: 0 });
  await eventually('every delivery is recorded', async () =>
    (await countRows(fixture.db, 'webhook_delivery', { isPending: true })) === 0 ? true : undefined,
  );

  const events = await selectRows(fixture.db, 'public_event', ['id', 'subject'], {
    type: 'product.published',
  });
  const receipts = await receiver.receipts();
  expect(storedInOutage).toEqual([]);
  expect(waiting.length).toBeGreaterThanOrEqual(SUBJECTS);
  for (const { attempts } of waiting) {
    const times = attempts.map(({ at }) => new Date(at).getTime());
    const tooEarly = times
      .slice(1)
      .filter((at, index) => at - times[index]! < Math.floor(PACE.pausesMs[index]!));
    expect(tooEarly).toEqual([]);
  }
  expect(events).toHaveLength(2 * SUBJECTS * ROUNDS);
  expect(
    receiptDifferences(
      receipts,
      events.map((event) => ({ ...event, id: event.id! })).toSorted((a, b) => a.id - b.id),
    ),
  ).toEqual([]);
  expect(receipts.length).toBeGreaterThan(events.length);
  expect(receiving.counts.kills).toBe(1);
  expect(receiving.counts.endsOfItsOwn).toBeGreaterThan(0);
}, 400_000);
