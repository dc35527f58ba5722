import { sql } from 'kysely';
import type { WebhookReceipt } from './schemas/webhooks.ts';
import { anyOf, type Database, type Sql, type Tx } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { appendOutbox, appendOutboxRows } from '../../kernel/outbox.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { markStopListsDirty } from '../mirror/mark-stop-lists-dirty.ts';
import type { WebhookSource } from '../connections/webhook-secrets.ts';
import { believedOrganizations } from './believed-organizations.ts';
import { readWebhookEvent, type WebhookEvent } from './webhook-event.ts';

/**
 * Stores new events of a call and their consequences in one transaction (WHK-2, WHK-3); event
 * delivery starts further work. Unhandled types, invalid elements, and events about restaurants of
 * another connection are only counted (WHK-4, WHK-9).
 */
export async function receiveWebhook(
  { db, metrics }: { db: Database; metrics: Pick<Metrics, 'webhookEvents'> },
  elements: readonly unknown[],
  source: WebhookSource,
): Promise<WebhookReceipt> {
  const read = elements.map(readWebhookEvent);
  const named = read.flatMap((event) => (event.kind === 'HANDLED' ? [event.event] : []));
  const handled = await believed(db, source, named);
  const newEvents = handled.length === 0 ? [] : await db.transaction((tx) => store(tx, handled));

  for (const event of read)
    if (event.kind !== 'HANDLED')
      metrics.webhookEvents.inc({ type: event.label, outcome: event.kind.toLowerCase() });
  for (const { type } of named.filter((event) => !handled.includes(event)))
    metrics.webhookEvents.inc({ type, outcome: 'foreign' });

  for (const type of new Set(handled.map((event) => event.type))) {
    const isOfType = (entry: { type: string }): boolean => entry.type === type;
    const fresh = newEvents.filter(isOfType).length;
    metrics.webhookEvents.inc({ type, outcome: 'stored' }, fresh);
    metrics.webhookEvents.inc(
      { type, outcome: 'duplicate' },
      handled.filter(isOfType).length - fresh,
    );
  }

  return { received: elements.length, stored: newEvents.length };
}

/** Also keeps events without a restaurant, which trigger nothing harmful. */
async function believed(
  db: Sql,
  source: WebhookSource,
  events: readonly WebhookEvent[],
): Promise<WebhookEvent[]> {
  const named = [...new Set(events.flatMap(({ organizationErpId }) => organizationErpId ?? []))];
  if (named.length === 0) return [...events];
  const { known, own } = await believedOrganizations(db, source, named);
  return events.filter(({ organizationErpId: id }) => id === null || own.has(id) || !known.has(id));
}

type StoredEvent = Row<
  'webhook_event',
  'id' | 'eventKey as key' | 'eventType as type' | 'organizationErpId'
>;

/** Stores events in key order to prevent deadlocks, and returns the new ones. */
async function store(tx: Tx, events: readonly WebhookEvent[]): Promise<StoredEvent[]> {
  const { rows: newEvents } = await sql<StoredEvent>`
    insert into webhook_event (event_key, event_type, organization_erp_id, raw)
    select key, type, "organizationErpId", raw::json
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (key text, type text, "organizationErpId" uuid, raw text)
     order by key, type
    on conflict on constraint webhook_event_key_unique do nothing
    returning id, event_key as key, event_type as type, organization_erp_id`.execute(tx.db);

  await markStopLists(
    tx,
    newEvents.filter((event) => event.type === 'StopListUpdate'),
  );

  const orders = new Map(events.map(({ type, key, erpOrderId }) => [`${type} ${key}`, erpOrderId]));
  await passOnOrders(
    tx,
    newEvents
      .filter((event) => event.type !== 'StopListUpdate')
      .map(({ id, type, key }) => ({ id, erpOrderId: orders.get(`${type} ${key}`) ?? null })),
  );

  return newEvents;
}

/**
 * Flags stop-lists and triggers their import, because events contain no products. Stores the result
 * in the event's row for operators.
 */
async function markStopLists(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const marked = await markStopListsDirty(tx, [
    ...new Set(events.flatMap((event) => event.organizationErpId ?? [])),
  ]);
  for (const connectionId of new Set(marked.map((list) => list.connectionId)))
    await appendOutbox(tx, 'ErpStopListsMarked', { connectionId });
  const known = marked.map((list) => list.erpId);
  await tx.db
    .updateTable('webhook_event')
    .set({
      processedAt: sql<Date>`now()`,
      outcome: sql`case when organization_erp_id = any (${known}::uuid[]) then 'MARKED' else 'UNKNOWN_ORGANIZATION' end`,
    })
    .where(
      'id',
      '=',
      anyOf(
        events.map((event) => event.id),
        'bigint',
      ),
    )
    .execute();
}

/** Forwards only the order's id, because the state is read from the ERP (WHK-8). */
async function passOnOrders(
  tx: Tx,
  events: readonly { id: number; erpOrderId: string | null }[],
): Promise<void> {
  const named = events.flatMap(({ id, erpOrderId }) =>
    erpOrderId === null ? [] : [{ webhookEventId: id, erpOrderId }],
  );
  await appendOutboxRows(tx, 'ErpOrderChanged', named);
  for (const { id, erpOrderId } of events)
    if (erpOrderId === null) await endOrderEvent(tx, id, 'NO_ORDER');
}

/** Records the outcome of an event about an order. `ASKED`: the ERP is polled. */
export async function endOrderEvent(
  { db }: Sql,
  webhookEventId: number,
  outcome: 'ASKED' | 'ENDED' | 'NOT_OURS' | 'NO_ORDER',
): Promise<void> {
  await db
    .updateTable('webhook_event')
    .set({ processedAt: sql<Date>`now()`, outcome })
    .where('id', '=', webhookEventId)
    .execute();
}
