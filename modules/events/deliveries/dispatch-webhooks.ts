import { sql } from 'kysely';
import { webhookQueues } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import { startOrSignal, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Database } from '../../../platform/db/database.ts';
import { webhookDeliveryWorkflow, webhooksDue } from '../messages/webhooks.ts';
import { numberEvents } from '../number-events.ts';
import type { WebhookPace } from '../rules/webhook-pace.ts';

/** PostgreSQL channel on which a trigger announces committed events. */
export const EVENTS_CHANNEL = 'carte_events';

/** The next call continues. */
const ENDPOINTS_PER_CALL = 500;
const STARTS_AT_ONCE = 20;

/**
 * Numbers new events, and starts or signals the workflow of each endpoint that has due deliveries
 * and no running call (rule EVT-12). Returns the number of endpoints. Lost or repeated signals are
 * harmless, because the rows decide.
 */
export async function dispatchWebhooks(
  deps: TemporalDeps & { db: Database },
  pace?: WebhookPace,
): Promise<number> {
  await numberEvents(deps.db);
  const endpoints = await readDueEndpoints(deps.db);

  for (let at = 0; at < endpoints.length; at += STARTS_AT_ONCE)
    await Promise.all(
      endpoints.slice(at, at + STARTS_AT_ONCE).map(({ id }) =>
        startOrSignal(
          deps,
          webhookDeliveryWorkflow,
          {
            input: {
              endpointId: id,
              queues: webhookQueues(deps.queues),
              ...(pace === undefined ? {} : { pace }),
            },
            attributes: searchAttributes({ CarteCapability: 'events', CarteTrigger: 'EVENT' }),
          },
          webhooksDue,
        ),
      ),
    );

  return endpoints.length;
}

function readDueEndpoints(from: Database): Promise<{ id: number }[]> {
  const last = from.db.selectFrom('public_event').select((eb) => eb.fn.max('id').as('last'));
  return from.db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('isEnabled', '=', true)
    .where(sql<boolean>`coalesce(worked_until, '-infinity') < now()`)
    .where((eb) =>
      eb.or([
        eb('readTo', '<', last),
        eb.exists(
          eb
            .selectFrom('webhook_queue')
            .select('subject')
            .whereRef('webhook_queue.endpointId', '=', 'webhook_endpoint.id')
            .where('nextAttemptAt', '<=', sql<Date>`now()`),
        ),
      ]),
    )
    .orderBy('id')
    .limit(ENDPOINTS_PER_CALL)
    .execute();
}
