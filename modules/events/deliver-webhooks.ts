import { sql } from 'kysely';
import { anyOf, json, type Database, type Sql, type Tx } from '../../platform/db/database.ts';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { WebhookResult, WebhookSender } from '../../platform/webhook-sender.ts';
import { raiseNotification } from '../notifications/raise-notification.ts';
import { readEvents } from './list-events.ts';
import { pauseMs, type WebhookPace } from './rules/webhook-pace.ts';
import type { EventType, PublicEventView } from './schemas/events.ts';
import type { WebhookAttempt } from './schemas/webhooks.ts';
import { signedRequest, type SigningEndpoint } from './webhook-message.ts';

export type DeliverDeps = {
  db: Database;
  secrets: SecretBox;
  log: Log;
  metrics: Pick<Metrics, 'webhookAttempts'>;
  sendWebhook: WebhookSender;
  failpoint: Failpoint;
};

/** Deliveries of one endpoint that wait at most; later events stay in the list of events. */
const WINDOW = 500;
/** Requests to one endpoint at once, each about another subject. */
const AT_ONCE = 20;
/** Time after which a call returns to its workflow; milliseconds. */
const CALL_MS = 20_000;
/** A call ends within this time: its requests have a limit of 10 s. */
const LEASE = sql<Date>`now() + interval '45 seconds'`;
const GONE = 410;
/** Attempts that a delivery keeps. */
const KEPT_ATTEMPTS = 30;

type Due = { id: number; eventId: number; attempts: WebhookAttempt[]; failingSince: Date | null };

/**
 * Delivers what is due to one endpoint, in order for each subject (rule EVT-11). Returns the time
 * until the next attempt in milliseconds, 0 if more is due, or null if nothing waits or the
 * endpoint is disabled. A call after a crash repeats requests whose results were not recorded.
 */
export async function deliverWebhooks(
  deps: DeliverDeps,
  endpointId: number,
  pace: WebhookPace,
  signal: AbortSignal,
): Promise<{ waitMs: number | null }> {
  const began = performance.now();
  while (!signal.aborted && performance.now() - began < CALL_MS) {
    const endpoint = await deps.db.transaction((tx) => takeEvents(tx, endpointId));
    if (endpoint === null) return { waitMs: null };
    const due = await readDue(deps.db, endpointId);
    if (due.length === 0) return endCall(deps.db, endpointId);
    const events = await eventsOf(deps.db, due);
    await Promise.all(
      due.map(async (delivery) => {
        const event = events.get(delivery.eventId);
        // Events are kept as long as their deliveries.
        if (event === undefined) return drop(deps.db, delivery.id);
        const at = new Date();
        const message = signedRequest(deps.secrets, endpoint, { messageId: messageIdOf(event.id), payload: event, at });
        const result = await deps.sendWebhook(message, signal);
        deps.failpoint('webhook-sent');
        if (result.error !== 'CANCELLED') await record(deps, endpoint, delivery, { at, result, pace });
      }),
    );
  }
  return { waitMs: 0 };
}

/** The header `webhook-id` of an event. */
const messageIdOf = (eventId: number): string => `evt_${eventId}`;

/**
 * Adds deliveries of new events until the window is full, and returns the endpoint; null if it is
 * disabled or deleted.
 */
async function takeEvents(tx: Tx, endpointId: number): Promise<SigningEndpoint | null> {
  const endpoint = await tx.db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', endpointId)
    .where('isEnabled', '=', true)
    .forUpdate()
    .executeTakeFirst();
  if (endpoint === undefined) return null;
  const waiting = await countWaiting(tx, endpointId);
  const room = WINDOW - waiting;
  let { readTo } = endpoint;
  let isFull = room <= 0;
  if (!isFull) {
    const { last } = await tx.db
      .selectFrom('public_event')
      .select((eb) => eb.fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    const events =
      (last ?? 0) > readTo ? await readEvents(tx, { ...filterOf(endpoint), after: readTo, limit: room }) : [];
    await addDeliveries(tx, endpointId, events);
    isFull = events.length === room;
    readTo = isFull ? events.at(-1)!.id : Math.max(readTo, last ?? 0, events.at(-1)?.id ?? 0);
  }
  await tx.db
    .updateTable('webhook_endpoint')
    .set({ readTo, isFull, workedUntil: LEASE })
    .where('id', '=', endpointId)
    .execute();
  return endpoint;
}

/** The events that an endpoint gets. */
export function filterOf({ types, organizationIds }: { types: string[]; organizationIds: number[] }) {
  return {
    types: types.length === 0 ? undefined : (types as EventType[]),
    organizationIds: organizationIds.length === 0 ? undefined : organizationIds,
  };
}

/** Adds deliveries in the order of the events, in the caller's transaction. */
export async function addDeliveries(tx: Sql, endpointId: number, events: readonly PublicEventView[]): Promise<void> {
  if (events.length === 0) return;
  await tx.db
    .insertInto('webhook_delivery')
    .values(events.map(({ id, subject }) => ({ endpointId, eventId: id, subject })))
    .execute();
}

async function countWaiting({ db }: Sql, endpointId: number): Promise<number> {
  const { waiting } = await db
    .selectFrom('webhook_delivery')
    .select(sql<number>`count(*)`.as('waiting'))
    .where('endpointId', '=', endpointId)
    .where('isPending', '=', true)
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Waiting deliveries of an endpoint that no earlier one of the same subject precedes. */
export function firstOfSubjects({ db }: Sql) {
  return db
    .selectFrom('webhook_delivery as delivery')
    .where('delivery.isPending', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('webhook_delivery as earlier')
            .select('earlier.id')
            .whereRef('earlier.endpointId', '=', 'delivery.endpointId')
            .whereRef('earlier.subject', '=', 'delivery.subject')
            .whereRef('earlier.id', '<', 'delivery.id')
            .where('earlier.isPending', '=', true),
        ),
      ),
    );
}

function readDue(from: Sql, endpointId: number): Promise<Due[]> {
  return firstOfSubjects(from)
    .select(['delivery.id', 'delivery.eventId', 'delivery.attempts', 'delivery.failingSince'])
    .where('delivery.endpointId', '=', endpointId)
    .where('delivery.nextAttemptAt', '<=', sql<Date>`now()`)
    .orderBy('delivery.id')
    .limit(AT_ONCE)
    .execute();
}

async function eventsOf({ db }: Sql, due: readonly Due[]): Promise<Map<number, PublicEventView>> {
  const rows = await db
    .selectFrom('public_event')
    .select(['id', 'type', 'version', 'occurredAt', 'organizationId', 'subject', 'data'])
    .where('id', '=', anyOf(due.map(({ eventId }) => eventId)))
    .execute();
  return new Map(rows.map((row) => [row.id!, { ...row, id: row.id! }]));
}

async function drop({ db }: Sql, id: number): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('id', '=', id).execute();
}

type Attempted = { at: Date; result: WebhookResult; pace: WebhookPace };

/**
 * Records an attempt. A receiver that is gone or has failed for too long disables its endpoint
 * (rule EVT-10).
 */
async function record(
  deps: DeliverDeps,
  endpoint: SigningEndpoint,
  delivery: Due,
  { at, result, pace }: Attempted,
): Promise<void> {
  const { status, error, durationMs } = result;
  const isDelivered = status !== null && status >= 200 && status < 300;
  deps.metrics.webhookAttempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' });
  const attempt = { at: at.toISOString(), status, error, durationMs };
  const attempts = json([...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS));
  const update = deps.db.db.updateTable('webhook_delivery').where('id', '=', delivery.id);
  if (isDelivered) {
    await update.set({ attempts, isPending: false, failingSince: null, deliveredAt: sql<Date>`now()` }).execute();
    return;
  }
  const failingSince = delivery.failingSince ?? at;
  const failures = delivery.attempts.filter((earlier) => new Date(earlier.at) >= failingSince).length + 1;
  await update.set({ attempts, failingSince, nextAttemptAt: new Date(Date.now() + pauseMs(pace, failures)) }).execute();
  const reason = status === GONE ? 'GONE' : Date.now() - failingSince.getTime() >= pace.giveUpMs ? 'FAILING' : null;
  if (reason !== null) await disableEndpoint(deps, endpoint.id, reason);
}

async function disableEndpoint({ db, log }: DeliverDeps, id: number, reason: 'GONE' | 'FAILING'): Promise<void> {
  await db.transaction(async (tx) => {
    const disabled = await tx.db
      .updateTable('webhook_endpoint')
      .set((eb) => ({ isEnabled: false, disabledReason: reason, workedUntil: null, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('isEnabled', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (disabled === undefined) return;
    await raiseNotification(tx, {
      kind: 'WEBHOOK_ENDPOINT_DISABLED',
      subjectType: 'webhook-endpoint',
      subjectId: id,
      details: { endpointId: id, reason },
    });
    log.warn({ endpointId: id, reason }, 'a webhook endpoint was disabled');
  });
}

/** Returns the lease and the time until the next attempt. */
async function endCall({ db }: Database, endpointId: number): Promise<{ waitMs: number | null }> {
  await db.updateTable('webhook_endpoint').set({ workedUntil: null }).where('id', '=', endpointId).execute();
  const { waitMs } = await firstOfSubjects({ db })
    .select(
      sql<number | null>`ceil(extract(epoch from min(delivery.next_attempt_at) - now()) * 1000)::double precision`.as(
        'waitMs',
      ),
    )
    .where('delivery.endpointId', '=', endpointId)
    .executeTakeFirstOrThrow();
  return { waitMs: waitMs === null ? null : Math.max(0, waitMs) };
}
