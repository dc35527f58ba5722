import type { Database } from '../database.ts';
import type { Listeners } from '../events/listeners.ts';
import { processWebhooks } from './process-webhooks.ts';

/** What stored events of the ERP's webhook ask for. */
export const WEBHOOK_LISTENERS = {
  ErpWebhookReceived: (_, deps) => processWebhooks(deps),
} satisfies Listeners<{ db: Database }>;
