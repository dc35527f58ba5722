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
 * Stores the events of one webhook call together with their consequences, in one transaction, and
 * returns when that is durable (rule WHK-2); the delivery of events starts the rest. An event that
 * is already stored, by any call, is dropped: the unique rule (event id, type) decides (rule
 * WHK-3). Unhandled types, elements that are not events, and events about restaurants of another
 * connection than the source are counted only (rules WHK-4 and WHK-9).
 */
export async function receiveWebhook(
  { db, metrics }: { db: Database; metrics: Pick<Metrics, 'webhookEvents'> },
  elements: readonly unknown[],
  source: WebhookSource,
): Promise<WebhookReceipt> {
  const read = elements.map(readWebhookEvent);
  const named = read.flatMap((event) => (event.kind === 'HANDLED' ? [event.event] : []));
  const handled = await believed(db, source, named);
  const stored = handled.length === 0 ? [] : await db.transaction((tx) => store(tx, handled));

  for (const event of read)
    if (event.kind !== 'HANDLED')
      metrics.webhookEvents.inc({ type: event.label, outcome: event.kind.toLowerCase() });
  for (const { type } of named.filter((event) => !handled.includes(event)))
    metrics.webhookEvents.inc({ type, outcome: 'foreign' });
  for (const type of new Set(handled.map((event) => event.type))) {
    const isOfType = (entry: { type: string }): boolean => entry.type === type;
    const fresh = stored.filter(isOfType).length;
    metrics.webhookEvents.inc({ type, outcome: 'stored' }, fresh);
    metrics.webhookEvents.inc(
      { type, outcome: 'duplicate' },
      handled.filter(isOfType).length - fresh,
    );
  }
  return { received: elements.length, stored: stored.length };
}

/**
 * Those about restaurants of the source; an event without a restaurant triggers nothing harmful.
 */
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

/**
 * Returns the events that were new. In key order, because two receivers of one array must not wait
 * for each other in a circle.
 */
async function store(tx: Tx, events: readonly WebhookEvent[]): Promise<StoredEvent[]> {
  const { rows: stored } = await sql<StoredEvent>`
    insert into webhook_event (event_key, event_type, organization_erp_id, raw)
    select key, type, "organizationErpId", raw::json
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (key text, type text, "organizationErpId" uuid, raw text)
     order by key, type
    on conflict on constraint webhook_event_key_unique do nothing
    returning id, event_key as key, event_type as type, organization_erp_id`.execute(tx.db);
  await markStopLists(
    tx,
    stored.filter((event) => event.type === 'StopListUpdate'),
  );
  const orders = new Map(events.map(({ type, key, erpOrderId }) => [`${type} ${key}`, erpOrderId]));
  await passOnOrders(
    tx,
    stored
      .filter((event) => event.type !== 'StopListUpdate')
      .map(({ id, type, key }) => ({ id, erpOrderId: orders.get(`${type} ${key}`) ?? null })),
  );
  return stored;
}

/**
 * An event contains an organization and no products: its stop-list is marked, and an import of its
 * connection is triggered. The result of the event is stored in its row for operators.
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

/**
 * An event about an order is forwarded with its id only: the state is read from the ERP (rule
 * WHK-8).
 */
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

/**
 * Records how an event about an order ended: the ERP is polled, the order had ended, is none of
 * ours, or is not named.
 */
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
