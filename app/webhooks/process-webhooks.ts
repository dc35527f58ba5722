import { sql } from 'kysely';
import type { HandledWebhook } from '../../contracts/webhooks.ts';
import { anyOf } from '../../db/database.ts';
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
  const pending: Pending[] = await tx.db
    .selectFrom('webhook_event')
    .select(['id', 'eventType as type', 'organizationErpId'])
    .where('processedAt', 'is', null)
    .where('eventType', '=', anyOf(Object.keys(HANDLERS) as HandledWebhook[], 'text'))
    .orderBy('id')
    .limit(EVENTS_PER_STEP)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const [type, events] of Map.groupBy(pending, (event) => event.type)) {
    const outcomes = await HANDLERS[type](tx, events);
    for (const [outcome, ended] of Map.groupBy(outcomes.keys(), (id) => outcomes.get(id)!))
      await tx.db
        .updateTable('webhook_event')
        .set({ processedAt: sql<Date>`now()`, outcome })
        .where('id', '=', anyOf(ended, 'bigint'))
        .execute();
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
