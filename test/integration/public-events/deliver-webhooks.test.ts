import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemActor } from '../../../kernel/actor.ts';
import { deliverWebhooks } from '../../../modules/events/deliver-webhooks.ts';
import { retryDelivery } from '../../../modules/events/manage-deliveries.ts';
import { createEndpoint } from '../../../modules/events/manage-endpoints.ts';
import { numberEvents } from '../../../modules/events/number-events.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import { createLog } from '../../../platform/log.ts';
import type { WebhookRequest } from '../../../platform/webhook-sender.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { deleteRows, selectRows } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

const EVENTS = 40;
const CALLS = 4;
const HOUR_MS = 3_600_000;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('[EVT-12] concurrent calls add one delivery for each event', async () => {
  const { db } = database;
  const receiver = { url: 'https://receiver.example/' };
  const { id } = await createEndpoint(
    { db, secrets: testSecrets, allowsPrivateReceivers: false },
    systemActor('test'),
    receiver,
  );
  await recordEvents(
    db,
    'product.published',
    Array.from({ length: EVENTS }, (_, at) => ({ id: at + 1, organizationId: null, data: { productId: at + 1 } })),
  );
  await numberEvents(db);
  const deps = {
    db,
    secrets: testSecrets,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
    sendWebhook: async () => ({ status: 503, error: null, durationMs: 1 }),
    failpoint: () => undefined,
  };
  const pace = { pausesMs: [HOUR_MS], giveUpMs: 72 * HOUR_MS };
  const call = () => deliverWebhooks(deps, id, pace, new AbortController().signal);
  // Every call has begun before the first one may change the endpoint.
  let calls: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.db.selectFrom('webhook_endpoint').select('id').where('id', '=', id).forUpdate().execute();
    calls = Array.from({ length: CALLS }, call);
    await eventually('all calls wait', async () => ((await waitingSessions(db)) === CALLS ? true : undefined));
  });
  await Promise.all(calls);
  const deliveries = await selectRows(db, 'webhook_delivery', ['eventId'], { endpointId: id }, { orderBy: 'eventId' });
  const events = await selectRows(db, 'public_event', ['id as eventId'], {}, { orderBy: 'id' });

  expect(deliveries).toEqual(events);
  expect(events).toHaveLength(EVENTS);
});

describe('[EVT-11] the events of one subject', () => {
  /**
   * An endpoint with five events of one product, a receiver that answers `statuses` in turn, and
   * what it got.
   */
  async function fiveEvents(...statuses: number[]) {
    const { db } = database;
    await deleteRows(db, 'webhook_endpoint');
    const { id } = await createEndpoint(
      { db, secrets: testSecrets, allowsPrivateReceivers: false },
      systemActor('test'),
      { url: 'https://receiver.example/', types: ['product.unpublished'] },
    );
    const data = { productId: 7, reason: null };
    for (let at = 0; at < 5; at += 1)
      await recordEvents(db, 'product.unpublished', [{ id: 7, organizationId: null, data }]);
    await numberEvents(db);
    const sent: string[] = [];
    const deps = {
      db,
      secrets: testSecrets,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
      sendWebhook: async ({ headers }: WebhookRequest) => {
        sent.push(headers['webhook-id']!);
        return { status: statuses[sent.length - 1] ?? 204, error: null, durationMs: 1 };
      },
      failpoint: () => undefined,
    };
    const pace = { pausesMs: [HOUR_MS], giveUpMs: 72 * HOUR_MS };
    const deliver = () => deliverWebhooks(deps, id, pace, new AbortController().signal);
    const rows = () =>
      selectRows(db, 'webhook_delivery', ['id', 'eventId', 'isPending'], { endpointId: id }, { orderBy: 'id' });
    return { sent, deliver, rows };
  }

  test('are not sent after one that failed', async () => {
    const { sent, deliver, rows } = await fiveEvents(204, 503);
    const { waitMs } = await deliver();
    const deliveries = await rows();

    expect(sent).toEqual(deliveries.slice(0, 2).map(({ eventId }) => `evt_${eventId}`));
    expect(deliveries.map(({ isPending }) => isPending)).toEqual([false, true, true, true, true]);
    expect(waitMs).toBeGreaterThan(HOUR_MS / 2);
  });

  test('wait for one that pauses, also when an earlier one is sent again', async () => {
    const { sent, deliver, rows } = await fiveEvents(204, 503);
    await deliver();
    const [first] = await rows();
    await retryDelivery({ db: database.db }, systemActor('test'), first!.id);
    await deliver();

    expect(sent.slice(2)).toEqual([`evt_${first!.eventId}`]);
  });

  test('are sent in their order and recorded together', async () => {
    const { sent, deliver, rows } = await fiveEvents();
    await deliver();
    const deliveries = await rows();

    expect(sent).toEqual(deliveries.map(({ eventId }) => `evt_${eventId}`));
    expect(deliveries.every(({ isPending }) => !isPending)).toBe(true);
  });
});
