import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemActor } from '../../../kernel/actor.ts';
import { deliverWebhooks } from '../../../modules/events/deliver-webhooks.ts';
import { createEndpoint } from '../../../modules/events/manage-endpoints.ts';
import { numberEvents } from '../../../modules/events/number-events.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { selectRows } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

const EVENTS = 40;
const CALLS = 4;
const HOUR_MS = 3_600_000;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('[EVT-12] several calls at once add one delivery for each event', async () => {
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
