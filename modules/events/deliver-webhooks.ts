import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { WebhookResult, WebhookSender } from '../../platform/webhook-sender.ts';
import { raiseNotification } from '../notifications/raise-notification.ts';
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
/** Deliveries of one subject that are sent before their results are recorded. */
const IN_A_ROW = 20;
/** Time after which a round sends no further delivery of a subject; milliseconds. */
const ROUND_MS = 1_000;
/** Time for which a call waits for further events, and between two looks; milliseconds. */
const [LINGER_MS, LOOK_MS] = [3_000, 500];
/** Time after which a call returns to its workflow; milliseconds. */
const CALL_MS = 20_000;
/** A call ends within this time: its requests have a limit of 10 s. */
const LEASE = sql<Date>`now() + interval '45 seconds'`;
const GONE = 410;
/** Attempts that a delivery keeps. */
const KEPT_ATTEMPTS = 30;

/** A waiting delivery with its event, or null if the event was deleted. */
type Due = {
  id: number;
  subject: string;
  /** False while it waits for its next attempt. */
  isDue: boolean;
  attempts: WebhookAttempt[];
  failingSince: Date | null;
  event: PublicEventView | null;
};
/** An endpoint whose new events have deliveries. `isFull`: others wait in the list of events. */
type TakenEndpoint = Row<
  'webhook_endpoint',
  'id' | 'url' | 'secretEncrypted' | 'formerSecretEncrypted' | 'formerSecretUntil' | 'isFull'
>;
/** An attempt that is not recorded yet. */
type Attempted = { delivery: Due; at: Date; result: WebhookResult };

/**
 * Delivers due events to one endpoint, in order for each subject (rule EVT-11). Returns the time
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
  let idleSince = began;
  while (!signal.aborted && performance.now() - began < CALL_MS) {
    const endpoint = await takeEvents(deps.db, endpointId);
    if (endpoint === null) return { waitMs: null };
    const due = await readDue(deps.db, endpointId);
    if (due.length > 0) {
      const until = performance.now() + ROUND_MS;
      const chains = Map.groupBy(due, ({ subject }) => subject).values();
      const attempted = await Promise.all(
        [...chains].map((chain) => sendInOrder(deps, endpoint, chain, { signal, until })),
      );
      await record(deps, endpoint, attempted.flat(), pace);
      idleSince = performance.now();
      const isAll = !endpoint.isFull && due.length < IN_A_ROW && attempted.flat().length === due.length;
      if (isAll) await pauseBetweenLooks(signal);
    } else if (performance.now() - idleSince < LINGER_MS) await pauseBetweenLooks(signal);
    else return endCall(deps.db, endpointId);
  }
  return { waitMs: 0 };
}

const pauseBetweenLooks = (signal: AbortSignal): Promise<void> => delay(LOOK_MS, undefined, { signal }).catch(() => {});

/**
 * Sends the deliveries of one subject one after the other, until one fails. After `until` only the
 * first one is sent, so that other subjects do not wait for a slow receiver.
 */
async function sendInOrder(
  deps: DeliverDeps,
  endpoint: SigningEndpoint,
  chain: readonly Due[],
  { signal, until }: { signal: AbortSignal; until: number },
): Promise<Attempted[]> {
  const attempted: Attempted[] = [];
  for (const delivery of chain) {
    if (signal.aborted || !delivery.isDue || (attempted.length > 0 && performance.now() > until)) break;
    const { event } = delivery;
    // Events are kept as long as their deliveries.
    if (event === null) {
      await drop(deps.db, delivery.id);
      continue;
    }
    const at = new Date();
    const message = signedRequest(deps.secrets, endpoint, { messageId: messageIdOf(event.id), payload: event, at });
    const result = await deps.sendWebhook(message, signal);
    deps.failpoint('webhook-sent');
    if (result.error === 'CANCELLED') break;
    attempted.push({ delivery, at, result });
    if (!isDelivered(result)) break;
  }
  return attempted;
}

const isDelivered = ({ status }: WebhookResult): boolean => status !== null && status >= 200 && status < 300;

/** The header `webhook-id` of an event. */
const messageIdOf = (eventId: number): string => `evt_${eventId}`;

/**
 * Adds deliveries of new events until the window is full, and returns the endpoint; null if it is
 * disabled or deleted. One statement: each endpoint needs it several times a second.
 */
async function takeEvents({ db }: Sql, endpointId: number): Promise<TakenEndpoint | null> {
  const { rows } = await sql<TakenEndpoint>`
    with endpoint as materialized (
      select endpoint.*, ${WINDOW} - (select count(*) from webhook_delivery
                                       where endpoint_id = ${endpointId} and is_pending) as room
        from webhook_endpoint endpoint where id = ${endpointId} and is_enabled for update),
    taken as materialized (
      select event.id, event.subject from endpoint, lateral (
        select id, subject from public_event
         where id > endpoint.read_to and (endpoint.types = '{}' or type = any (endpoint.types))
           and (endpoint.organization_ids = '{}' or organization_id = any (endpoint.organization_ids))
         order by id limit greatest(endpoint.room, 0)) as event),
    added as (
      insert into webhook_delivery (endpoint_id, event_id, subject)
      select ${endpointId}, id, subject from taken order by id),
    last as materialized (
      select (select count(*) from taken) >= endpoint.room as is_full, (select max(id) from taken) as taken,
             (select max(id) from public_event) as id
        from endpoint),
    moved as (
      update webhook_endpoint
         set is_full = last.is_full, worked_until = ${LEASE},
             read_to = case when last.is_full then coalesce(last.taken, read_to) else greatest(read_to, last.id) end
        from last where webhook_endpoint.id = ${endpointId})
    select endpoint.id, url, secret_encrypted, former_secret_encrypted, former_secret_until, last.is_full
      from endpoint, last`.execute(db);
  return rows[0] ?? null;
}

/** The events that an endpoint gets. */
export function filterOf({ types, organizationIds }: { types: string[]; organizationIds: number[] }) {
  return {
    types: types.length === 0 ? undefined : (types as EventType[]),
    organizationIds: organizationIds.length === 0 ? undefined : organizationIds,
  };
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

/** The next deliveries of each subject whose first one is due, in order. */
async function readDue(from: Sql, endpointId: number): Promise<Due[]> {
  const rows = await from.db
    .with('first', () =>
      firstOfSubjects(from)
        .select(['delivery.id', 'delivery.subject'])
        .where('delivery.endpointId', '=', endpointId)
        .where('delivery.nextAttemptAt', '<=', sql<Date>`now()`)
        .orderBy('delivery.id')
        .limit(AT_ONCE),
    )
    .selectFrom('first')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('webhook_delivery as delivery')
          .select(['delivery.id', 'delivery.eventId', 'delivery.attempts', 'delivery.failingSince'])
          .where('delivery.endpointId', '=', endpointId)
          .whereRef('delivery.subject', '=', 'first.subject')
          .select(sql<boolean>`delivery.next_attempt_at <= now()`.as('isDue'))
          .where('delivery.isPending', '=', true)
          .orderBy('delivery.id')
          .limit(IN_A_ROW)
          .as('due'),
      (join) => join.onTrue(),
    )
    .leftJoin('public_event as event', 'event.id', 'due.eventId')
    .select(['due.id', 'due.isDue', 'first.subject', 'due.attempts', 'due.failingSince', 'event.id as eventId'])
    .select(['event.type', 'event.version', 'event.occurredAt', 'event.organizationId', 'event.data'])
    .orderBy('due.id')
    .execute();
  return rows.map(({ id, subject, isDue, attempts, failingSince, eventId, ...event }) => ({
    id,
    subject,
    isDue,
    attempts,
    failingSince,
    // The other columns are null with the id only.
    event: eventId === null ? null : ({ id: eventId, subject, ...event } as PublicEventView),
  }));
}

async function drop({ db }: Sql, id: number): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('id', '=', id).execute();
}

/**
 * Records attempts. A receiver that answered 410 or has failed for too long disables its endpoint
 * (rule EVT-10).
 */
async function record(
  deps: DeliverDeps,
  endpoint: SigningEndpoint,
  attempted: readonly Attempted[],
  pace: WebhookPace,
): Promise<void> {
  if (attempted.length === 0) return;
  const rows = attempted.map((entry) => outcomeOf(entry, pace));
  for (const { isPending } of rows) deps.metrics.webhookAttempts.inc({ outcome: isPending ? 'failed' : 'delivered' });
  await sql`
    update webhook_delivery delivery
       set attempts = row.attempts, is_pending = row.is_pending, failing_since = row.failing_since,
           next_attempt_at = coalesce(row.next_attempt_at, delivery.next_attempt_at),
           delivered_at = case when row.is_pending then delivery.delivered_at else now() end
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ attempts }) => attempts)}::jsonb[],
             ${rows.map(({ isPending }) => isPending)}::boolean[], ${rows.map(({ failingSince }) => failingSince)}::timestamptz[],
             ${rows.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[])
        as row (id, attempts, is_pending, failing_since, next_attempt_at)
     where delivery.id = row.id`.execute(deps.db.db);
  const reason = rows.find((row) => row.reason !== null)?.reason;
  if (reason !== undefined && reason !== null) await disableEndpoint(deps, endpoint.id, reason);
}

/** The changes of an attempt: `reason` is null unless the endpoint is to be disabled. */
function outcomeOf({ delivery, at, result }: Attempted, pace: WebhookPace) {
  const { status, error, durationMs } = result;
  const attempt = { at: at.toISOString(), status, error, durationMs };
  const attempts = JSON.stringify([...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS));
  if (isDelivered(result))
    return { id: delivery.id, attempts, isPending: false, failingSince: null, nextAttemptAt: null, reason: null };
  const failingSince = delivery.failingSince ?? at;
  const failures = delivery.attempts.filter((earlier) => new Date(earlier.at) >= failingSince).length + 1;
  const hasGivenUp = Date.now() - failingSince.getTime() >= pace.giveUpMs;
  return {
    id: delivery.id,
    attempts,
    isPending: true,
    failingSince,
    nextAttemptAt: new Date(Date.now() + pauseMs(pace, failures)),
    reason: status === GONE ? ('GONE' as const) : hasGivenUp ? ('FAILING' as const) : null,
  };
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
