import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { WebhookResult } from '../../../platform/webhook-sender.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import {
  isAccepted,
  decideOutcome,
  type AttemptOutcome,
  type WebhookPace,
} from '../rules/webhook-pace.ts';
import type { DueQueue, ServedEndpoint, WaitingDelivery } from './webhook-queue.ts';

export type RecordDeps = { db: Database; log: Log; metrics: Pick<Metrics, 'webhookAttempts'> };

/** Attempts kept per delivery. */
const KEPT_ATTEMPTS = 30;

/** An attempt not yet recorded. */
export type Attempted = {
  delivery: WaitingDelivery;
  at: Date;
  endedAt: number;
  result: WebhookResult;
};

/**
 * Attempts of a queue in one round. `isEmpty`: nothing waits, unless a delivery was added
 * meanwhile.
 */
export type SentQueue = {
  queue: DueQueue;
  attempted: Attempted[];
  droppedIds: number[];
  isEmpty: boolean;
};

type Recorded = Attempted & { outcome: AttemptOutcome; failingSince: Date };

/**
 * Records attempts (rules EVT-10, EVT-37). Disables an endpoint that is gone or has accepted
 * nothing since an event first failed three days ago; if it accepted others, sets the event aside.
 * Notifies staff after an hour (rule EVT-39).
 */
export async function recordAttempts(
  deps: RecordDeps,
  endpoint: ServedEndpoint,
  sent: readonly SentQueue[],
  pace: WebhookPace,
): Promise<void> {
  if (sent.length === 0) return;
  const accepted = sent
    .flatMap(({ attempted }) => attempted.filter(({ result }) => isAccepted(result.status)))
    .map(({ endedAt }) => endedAt);
  const lastAcceptedAt = Math.max(endpoint.lastAcceptedAt?.getTime() ?? -Infinity, ...accepted);
  const recorded = sent.map((entry) => ({
    ...entry,
    attempts: entry.attempted.map((attempt) => decide(attempt, lastAcceptedAt, pace)),
  }));

  const attempts = recorded.flatMap((entry) => entry.attempts);

  for (const { outcome } of attempts)
    deps.metrics.webhookAttempts.inc({
      outcome: outcome.result === 'DELIVERED' ? 'delivered' : 'failed',
    });

  await store(
    deps.db,
    endpoint.id,
    recorded,
    accepted.length > 0 ? new Date(lastAcceptedAt) : null,
  );

  await notify(deps, endpoint.id, attempts, pace);
}

function decide(attempt: Attempted, lastAcceptedAt: number, pace: WebhookPace): Recorded {
  const { delivery, at, endedAt, result } = attempt;
  const failingSince = delivery.failingSince ?? at;
  const failures =
    delivery.attempts.filter((earlier) => new Date(earlier.at) >= failingSince).length + 1;
  const { status, retryAfterMs } = result;
  const outcome = decideOutcome(
    {
      status,
      retryAfterMs,
      failures,
      failingSince: failingSince.getTime(),
      lastAcceptedAt,
      now: endedAt,
    },
    pace,
  );

  return { ...attempt, outcome, failingSince };
}

type StoredQueue = Omit<SentQueue, 'attempted'> & { attempts: Recorded[] };

/**
 * Uses one statement. Keeps deliveries that were added meanwhile, and attempts that staff
 * requested.
 */
async function store(
  { db }: Database,
  endpointId: number,
  sent: readonly StoredQueue[],
  acceptedAt: Date | null,
): Promise<void> {
  const attempts = sent.flatMap((queue) => queue.attempts);
  const droppedIds = sent.flatMap((queue) => queue.droppedIds);
  await sql`
    with endpoint as materialized (select id from webhook_endpoint where id = ${endpointId} for update),
    attempted as (${updateDeliveries(attempts.map(deliveryRow))}),
    dropped as (
      delete from webhook_delivery using endpoint where webhook_delivery.id = any (${droppedIds}::bigint[])),
    accepted as (
      update webhook_endpoint set last_accepted_at = greatest(last_accepted_at, ${acceptedAt}::timestamptz)
        from endpoint where webhook_endpoint.id = endpoint.id and ${acceptedAt}::timestamptz is not null),
    sent as materialized (${selectQueues(sent.map(queueRow))}),
    ended as (
      delete from webhook_queue queue using sent
       where queue.endpoint_id = ${endpointId} and ${IS_SENT} and ${IS_ENDED})
    update webhook_queue queue
       set is_failing = sent.paused_until is not null, next_attempt_at = coalesce(sent.paused_until, now())
      from sent
     where queue.endpoint_id = ${endpointId} and ${IS_SENT}
       and not (${IS_ENDED}) and queue.next_attempt_at::text = sent.due_since`.execute(db);
}

const IS_SENT = sql`queue.is_replay = sent.is_replay and queue.subject = sent.subject`;
const IS_ENDED = sql`sent.is_empty and queue.revision = sent.revision`;

const updateDeliveries = (rows: readonly ReturnType<typeof deliveryRow>[]) => sql`
  update webhook_delivery delivery
     set attempts = row.attempts, is_pending = row.is_pending,
         delivered_at = case when row.is_pending or row.is_failed then delivery.delivered_at else now() end,
         failed_at = case when row.is_failed then now() end,
         failing_since = case when row.is_failing and delivery.failing_since is distinct from row.seen_failing_since
                              then delivery.failing_since when row.is_failing then row.failing_since end
    from endpoint,
         unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map((row) => row.attempts)}::jsonb[],
           ${rows.map((row) => row.isPending)}::boolean[], ${rows.map((row) => row.isFailed)}::boolean[],
           ${rows.map((row) => row.isFailing)}::boolean[], ${rows.map((row) => row.failingSince)}::timestamptz[],
           ${rows.map((row) => row.seenFailingSince)}::timestamptz[])
           as row (id, attempts, is_pending, is_failed, is_failing, failing_since, seen_failing_since)
   where delivery.id = row.id`;

const selectQueues = (rows: readonly ReturnType<typeof queueRow>[]) => sql`
  select row.* from endpoint,
         unnest(${rows.map((row) => row.isReplay)}::boolean[], ${rows.map((row) => row.subject)}::text[],
           ${rows.map((row) => row.revision)}::int[], ${rows.map((row) => row.dueSince)}::text[],
           ${rows.map((row) => row.isEmpty)}::boolean[], ${rows.map((row) => row.pausedUntil)}::timestamptz[])
           as row (is_replay, subject, revision, due_since, is_empty, paused_until)`;

function deliveryRow({ delivery, at, result, outcome, failingSince }: Recorded) {
  const { status, error, durationMs } = result;
  const attempt = { at: at.toISOString(), status, error, durationMs };
  const isPending = outcome.result !== 'DELIVERED' && outcome.result !== 'FAILED';

  return {
    id: delivery.id,
    attempts: JSON.stringify([...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS)),
    isPending,
    isFailed: outcome.result === 'FAILED',
    isFailing: outcome.result !== 'DELIVERED',
    failingSince,
    seenFailingSince: delivery.failingSince,
  };
}

function queueRow({ queue, attempts, isEmpty }: StoredQueue) {
  const { isReplay, subject, revision, dueSince } = queue;
  const last = attempts.at(-1);
  const pausedUntil =
    last !== undefined && 'pauseMs' in last.outcome
      ? new Date(last.endedAt + last.outcome.pauseMs)
      : null;

  return { isReplay, subject, revision, dueSince, isEmpty, pausedUntil };
}

async function notify(
  deps: RecordDeps,
  id: number,
  attempts: readonly Recorded[],
  { warnMs, giveUpMs }: WebhookPace,
): Promise<void> {
  const lasting = attempts.filter(
    ({ failingSince, endedAt }) => endedAt - failingSince.getTime() >= warnMs,
  );
  if (lasting.length > 0)
    await deps.db.transaction(async (tx) => {
      const oldest = await tx.db
        .selectFrom('webhook_delivery')
        .select('failingSince')
        .where('endpointId', '=', id)
        .where('isPending', '=', true)
        .where('failingSince', '<=', new Date(Date.now() - warnMs))
        .orderBy('failingSince')
        .limit(1)
        .executeTakeFirst();

      const since = oldest?.failingSince?.getTime();
      if (since === undefined)
        return resolveNotification(tx, 'WEBHOOK_EVENTS_REFUSED', 'webhook-endpoint', id);
      await raiseNotification(tx, {
        kind: 'WEBHOOK_EVENTS_REFUSED',
        subjectType: 'webhook-endpoint',
        subjectId: id,
        details: {
          endpointId: id,
          since: new Date(since).toISOString(),
          until: new Date(since + giveUpMs).toISOString(),
        },
      });
    });

  const failed = attempts.filter(({ outcome }) => outcome.result === 'FAILED');
  if (failed.length > 0)
    await deps.db.transaction(async (tx) => {
      await raiseNotification(tx, {
        kind: 'WEBHOOK_EVENT_FAILED',
        subjectType: 'webhook-endpoint',
        subjectId: id,
        details: { endpointId: id, deliveryId: failed.at(-1)!.delivery.id },
      });

      deps.log.warn(
        { endpointId: id, events: failed.length },
        'events were set aside after three days of failures',
      );
    });

  const results = attempts.map(({ outcome }) => outcome.result);
  const reason = (['GONE', 'FAILING'] as const).find((ending) => results.includes(ending));
  if (reason !== undefined) await disableEndpoint(deps, id, reason);
}

async function disableEndpoint(
  { db, log }: RecordDeps,
  id: number,
  reason: 'GONE' | 'FAILING',
): Promise<void> {
  await db.transaction(async (tx) => {
    const disabled = await tx.db
      .updateTable('webhook_endpoint')
      .set((eb) => ({
        isEnabled: false,
        disabledReason: reason,
        workedUntil: null,
        version: eb('version', '+', 1),
      }))
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

    await resolveNotification(tx, 'WEBHOOK_EVENTS_REFUSED', 'webhook-endpoint', id);
    log.warn({ endpointId: id, reason }, 'a webhook endpoint was disabled');
  });
}
