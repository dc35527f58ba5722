import type { QueueStatus } from '../../contracts/observability.ts';
import type { Sql } from '../database.ts';

/** Events of the webhook that are stored and not processed; `oldestAgeSeconds` null when there are none. */
export type WebhookQueue = QueueStatus;

/** Length and age of the webhook's queue. */
export async function readWebhookQueue(sql: Sql): Promise<WebhookQueue> {
  const [row] = await sql.query<WebhookQueue>(
    `select count(*) as pending, extract(epoch from now() - min(received_at))::double precision as "oldestAgeSeconds"
       from webhook_event where processed_at is null`,
  );
  return row ?? { pending: 0, oldestAgeSeconds: null };
}
