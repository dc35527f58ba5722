import { sql } from 'kysely';
import type { QueueStatus } from '../mirror/schemas/sync-status.ts';
import type { Sql } from '../../platform/db/database.ts';

/**
 * Length and age of the webhook's queue: its events that are stored and not processed. Changes of stop-lists end when they are stored and
 * never wait here.
 */
export function readWebhookQueue({ db }: Sql): Promise<QueueStatus> {
  return db
    .selectFrom('webhook_event')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      sql<number | null>`extract(epoch from now() - min(received_at))::double precision`.as('oldestAgeSeconds'),
    ])
    .where('processedAt', 'is', null)
    .executeTakeFirstOrThrow();
}
