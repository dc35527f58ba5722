import { sql } from 'kysely';
import type { QueueStatus } from '../../contracts/observability.ts';
import type { Sql } from '../database.ts';

/**
 * Events of the webhook that are stored and not processed; `oldestAgeSeconds` null when there are none. Changes of stop-lists end when
 * they are stored and never wait here.
 */
export type WebhookQueue = QueueStatus;

/** Length and age of the webhook's queue. */
export function readWebhookQueue({ db }: Sql): Promise<WebhookQueue> {
  return db
    .selectFrom('webhook_event')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      sql<number | null>`extract(epoch from now() - min(received_at))::double precision`.as('oldestAgeSeconds'),
    ])
    .where('processedAt', 'is', null)
    .executeTakeFirstOrThrow();
}
