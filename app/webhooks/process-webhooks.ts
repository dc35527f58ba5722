import type { HandledWebhook } from '../../contracts/webhooks.ts';
import { appendOutbox } from '../../db/outbox.ts';
import type { Database, Tx } from '../database.ts';
import { markStopListsDirty } from '../mirror/mark-stop-lists-dirty.ts';

type Pending = { id: number; type: HandledWebhook; organizationErpId: string | null };
/** How an event ended; kept in its row for operators. */
type Outcome = 'MARKED' | 'UNKNOWN_ORGANIZATION';
type Handler = (tx: Tx, events: readonly Pending[]) => Promise<Map<number, Outcome>>;

/** Who handles which event. A handler writes rows and events of ours in the transaction that ends the webhook. */
const HANDLERS: Readonly<Record<HandledWebhook, Handler>> = { StopListUpdate: markStopLists };

const EVENTS_PER_STEP = 500;

/**
 * Processes the stored events of the webhook and returns their number. Each step is one transaction: what an event asks for is
 * written together with its end, so a crash leaves it pending. Events that another process has in hand are skipped. A second call
 * finds nothing.
 */
export async function processWebhooks({ db }: { db: Database }): Promise<{ processed: number }> {
  let processed = 0;
  for (;;) {
    const step = await db.transaction(processSome);
    processed += step;
    if (step < EVENTS_PER_STEP) return { processed };
  }
}

async function processSome(tx: Tx): Promise<number> {
  const pending = await tx.query<Pending>(
    `select id, event_type as type, organization_erp_id as "organizationErpId" from webhook_event
      where processed_at is null and event_type = any ($1) order by id limit $2 for update skip locked`,
    [Object.keys(HANDLERS), EVENTS_PER_STEP],
  );
  for (const [type, events] of Map.groupBy(pending, (event) => event.type)) {
    const outcomes = [...(await HANDLERS[type](tx, events))];
    await tx.query(
      `update webhook_event set processed_at = now(), outcome = ended.outcome
         from unnest($1::bigint[], $2::text[]) as ended (id, outcome) where webhook_event.id = ended.id`,
      [outcomes.map(([id]) => id), outcomes.map(([, outcome]) => outcome)],
    );
  }
  return pending.length;
}

/** The event names an organization and no products: its stop-list is marked, and an import of its connection is asked for. */
async function markStopLists(tx: Tx, events: readonly Pending[]): Promise<Map<number, Outcome>> {
  const erpIds = [...new Set(events.flatMap((event) => event.organizationErpId ?? []))];
  const marked = await markStopListsDirty(tx, erpIds);
  for (const connectionId of new Set(marked.map((each) => each.connectionId)))
    await appendOutbox(tx, 'ErpStopListsMarked', { connectionId });
  const known = new Set<string | null>(marked.map((each) => each.erpId));
  return new Map(
    events.map((event) => [event.id, known.has(event.organizationErpId) ? 'MARKED' : 'UNKNOWN_ORGANIZATION']),
  );
}
