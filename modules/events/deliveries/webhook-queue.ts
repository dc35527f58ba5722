import { sql, type Nullable } from 'kysely';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { resolveNotification } from '../../notifications/raise-notification.ts';
import type { PublicEventView } from '../schemas/events.ts';
import type { WebhookAttempt } from '../schemas/webhooks.ts';

/**
 * Concurrent requests to one endpoint, each about another subject. Lanes have separate slots, so
 * rejected subjects and replays do not delay new events (rule EVT-36).
 */
const SLOTS = { NEW: 16, RETRY: 4, REPLAY: 4 } as const;
export type Lane = keyof typeof SLOTS;
export const LANES = Object.keys(SLOTS) as Lane[];

/** Deliveries of one subject that are sent before results are recorded. */
const IN_A_ROW = 20;
/** Events that one statement adds to the queues of an endpoint. */
const EVENTS_AT_ONCE = 500;
/** Longer than a call, whose requests have a limit of 10 s. */
const LEASE = sql<Date>`now() + interval '45 seconds'`;

/** `event` is null if the event was deleted. */
export type WaitingDelivery = {
  id: number;
  attempts: WebhookAttempt[];
  failingSince: Date | null;
  event: PublicEventView | null;
};

/** A due subject with its first deliveries in order. */
export type DueQueue = {
  lane: Lane;
  isReplay: boolean;
  subject: string;
  revision: number;
  /** `next_attempt_at` as text, which changes when staff request another attempt. */
  dueSince: string;
  /** True if `deliveries` contains all deliveries of the subject. */
  isWhole: boolean;
  deliveries: WaitingDelivery[];
};

/** `hasMore`: more events match than were read. */
export type ServedEndpoint = Row<
  'webhook_endpoint',
  | 'id'
  | 'url'
  | 'secretEncrypted'
  | 'formerSecretEncrypted'
  | 'formerSecretUntil'
  | 'lastAcceptedAt',
  { hasMore: boolean }
>;

export const queueKey = ({ isReplay, subject }: Pick<DueQueue, 'isReplay' | 'subject'>): string =>
  `${isReplay ? 'replay' : 'new'} ${subject}`;

/** Returns the free slots of each lane; only for new events if `isLate`. */
export function freeSlots(
  busy: readonly DueQueue[],
  { isLate }: { isLate: boolean },
): Record<Lane, number> {
  const free = (lane: Lane) =>
    isLate && lane !== 'NEW' ? 0 : SLOTS[lane] - busy.filter((queue) => queue.lane === lane).length;
  return { NEW: free('NEW'), RETRY: free('RETRY'), REPLAY: free('REPLAY') };
}

/**
 * Adds new events to queues if `readsOn`, and renews the lease; null if the endpoint is disabled or
 * deleted. Uses one statement, because it runs several times a second. All writers of queues and
 * attempts lock the endpoint first.
 */
export async function takeEvents(
  { db }: Sql,
  endpointId: number,
  { readsOn }: { readsOn: boolean },
): Promise<ServedEndpoint | null> {
  const room = readsOn ? EVENTS_AT_ONCE : 0;
  const { rows } = await sql<ServedEndpoint>`
    with endpoint as materialized (
      select * from webhook_endpoint where id = ${endpointId} and is_enabled for update),
    taken as materialized (
      select event.id, event.subject from endpoint, lateral (${selectEvents(room)}) as event),
    added as (
      insert into webhook_delivery (endpoint_id, event_id, subject)
      select ${endpointId}, id, subject from taken order by id),
    queued as (
      insert into webhook_queue (endpoint_id, is_replay, subject)
      select distinct ${endpointId}::bigint, false, subject from taken
          on conflict (endpoint_id, is_replay, subject) do update set revision = webhook_queue.revision + 1),
    last as materialized (
      select (select count(*) from taken) >= ${room} as is_full, (select max(id) from taken) as taken,
             (select max(id) from public_event) as id
        from endpoint),
    moved as (
      update webhook_endpoint
         set worked_until = ${LEASE},
             read_to = case when last.is_full then coalesce(last.taken, read_to) else greatest(read_to, last.id) end
        from last where webhook_endpoint.id = ${endpointId})
    select endpoint.id, url, secret_encrypted, former_secret_encrypted, former_secret_until, last_accepted_at,
           last.is_full and ${readsOn} as has_more
      from endpoint, last`.execute(db);

  return rows[0] ?? null;
}

/** Events after the position of `endpoint` that match its filters. */
const selectEvents = (room: number) => sql`
  select id, subject from public_event
   where id > endpoint.read_to and (endpoint.types = '{}' or type = any (endpoint.types))
     and (endpoint.organization_ids = '{}' or organization_id = any (endpoint.organization_ids))
   order by id limit ${room}`;

type DueRow = Row<
  'webhook_queue',
  'isReplay' | 'subject' | 'revision',
  { lane: Lane; dueSince: string }
> &
  Nullable<Row<'webhook_delivery', 'id' | 'attempts' | 'failingSince'>> &
  Nullable<
    Row<
      'public_event',
      'id as eventId' | 'type' | 'version' | 'occurredAt' | 'organizationId' | 'data'
    >
  >;

/** Returns due queues, at most `free` of each lane, without `busy` ones. */
export async function readDue(
  { db }: Sql,
  endpointId: number,
  free: Record<Lane, number>,
  busy: readonly DueQueue[],
): Promise<DueQueue[]> {
  const keys = busy.map(queueKey);
  const { rows } = await sql<DueRow>`
    with lane (name, is_replay, is_failing, free) as (values
      ('NEW', false, false, ${free.NEW}::int), ('RETRY', false, true, ${free.RETRY}::int),
      ('REPLAY', true, null, ${free.REPLAY}::int)),
    due as (select lane.name, queue.* from lane, lateral (${selectDue(endpointId, keys)}) queue)
    select due.name as lane, due.is_replay, due.subject, due.revision, due.next_attempt_at::text as due_since,
           delivery.id, delivery.attempts, delivery.failing_since,
           event.id as event_id, event.type, event.version, event.occurred_at, event.organization_id, event.data
      from due
      left join lateral (
        select * from webhook_delivery delivery
         where delivery.endpoint_id = ${endpointId} and delivery.is_replay = due.is_replay
           and delivery.subject = due.subject and delivery.is_pending
         order by delivery.id limit ${IN_A_ROW}) delivery on true
      left join public_event event on event.id = delivery.event_id
     order by due.next_attempt_at, due.subject, delivery.id`.execute(db);

  return [...Map.groupBy(rows, queueKey).values()].map((ofQueue) => {
    const { lane, isReplay, subject, revision, dueSince } = ofQueue[0]!;
    const deliveries = ofQueue.flatMap((row) => toDeliveries(row));

    return {
      lane,
      isReplay,
      subject,
      revision,
      dueSince,
      isWhole: deliveries.length < IN_A_ROW,
      deliveries,
    };
  });
}

/** The next free slots of `lane`. Prefixes correspond to {@link queueKey}. */
const selectDue = (endpointId: number, busyKeys: readonly string[]) => sql`
  select * from webhook_queue queue
   where queue.endpoint_id = ${endpointId} and queue.is_replay = lane.is_replay
     and queue.is_failing = coalesce(lane.is_failing, queue.is_failing) and queue.next_attempt_at <= now()
     and case when queue.is_replay then 'replay ' else 'new ' end || queue.subject <> all (${busyKeys}::text[])
   order by queue.next_attempt_at, queue.subject limit lane.free`;

function toDeliveries({ id, attempts, failingSince, eventId, ...row }: DueRow): WaitingDelivery[] {
  if (id === null || attempts === null) return [];
  const { subject, type, version, occurredAt, organizationId, data } = row;
  // The other required columns are null only together with `eventId`.
  const event = {
    id: eventId,
    type,
    version,
    occurredAt,
    organizationId,
    subject,
    data,
  } as PublicEventView;

  return [{ id, attempts, failingSince, event: eventId === null ? null : event }];
}

/** Returns ms until the next attempt; null if nothing waits. */
export async function nextAttemptMs({ db }: Sql, endpointId: number): Promise<number | null> {
  const { waitMs } = await db
    .selectFrom('webhook_queue')
    .select(
      sql<
        number | null
      >`ceil(extract(epoch from min(next_attempt_at) - now()) * 1000)::double precision`.as(
        'waitMs',
      ),
    )
    .where('endpointId', '=', endpointId)
    .executeTakeFirstOrThrow();

  return waitMs === null ? null : Math.max(0, waitMs);
}

/** Ends the lease, so that the next call can begin at once. */
export async function returnLease({ db }: Sql, endpointId: number): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ workedUntil: null })
    .where('id', '=', endpointId)
    .execute();
}

/** Makes a subject due; creates its queue if nothing waits. */
export async function attemptSubjectNow(
  tx: Tx,
  { endpointId, isReplay, subject }: { endpointId: number; isReplay: boolean; subject: string },
): Promise<void> {
  await tx.db
    .insertInto('webhook_queue')
    .values({ endpointId, isReplay, subject })
    .onConflict((conflict) =>
      conflict.columns(['endpointId', 'isReplay', 'subject']).doUpdateSet((eb) => ({
        isFailing: false,
        nextAttemptAt: sql<Date>`clock_timestamp()`,
        revision: eb('webhook_queue.revision', '+', 1),
      })),
    )
    .execute();
}

/** Makes all waiting deliveries due, as if nothing had failed (rule EVT-38). */
export async function attemptEndpointNow(tx: Tx, endpointId: number): Promise<void> {
  await tx.db
    .updateTable('webhook_endpoint')
    .set({ workedUntil: null })
    .where('id', '=', endpointId)
    .execute();

  await tx.db
    .updateTable('webhook_queue')
    .set({ isFailing: false, nextAttemptAt: sql<Date>`clock_timestamp()` })
    .where('endpointId', '=', endpointId)
    .execute();

  await tx.db
    .updateTable('webhook_delivery')
    .set({ failingSince: null })
    .where('endpointId', '=', endpointId)
    .where('isPending', '=', true)
    .where('failingSince', 'is not', null)
    .execute();

  await resolveNotification(tx, 'WEBHOOK_EVENTS_REFUSED', 'webhook-endpoint', endpointId);
}
