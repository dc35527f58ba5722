import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor } from '../../../kernel/actor.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../../kernel/cursor-pages.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { touchedBy, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { WebhookSender } from '../../../platform/webhook-sender.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { TestEvent } from '../schemas/events.ts';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryStatus,
} from '../schemas/webhooks.ts';
import { signedRequest, type SigningEndpoint } from './webhook-message.ts';
import { attemptSubjectNow } from './webhook-queue.ts';

/** A larger replay would take one statement too long. */
const MOST_REPLAYED = 50_000;

/** Next attempt of the subject's first delivery, for which the others wait. */
const NEXT_ATTEMPT_AT = sql.ref<Date | null>('queue.next_attempt_at');

function readDeliveries({ db }: Sql) {
  return db
    .selectFrom('webhook_delivery as delivery')
    .leftJoin('webhook_queue as queue', (join) =>
      join
        .on('delivery.isPending', '=', true)
        .onRef('queue.endpointId', '=', 'delivery.endpointId')
        .onRef('queue.isReplay', '=', 'delivery.isReplay')
        .onRef('queue.subject', '=', 'delivery.subject'),
    )
    .select([
      'delivery.id',
      'delivery.endpointId',
      'delivery.eventId',
      'delivery.subject',
      'delivery.attempts',
    ])
    .select([
      'delivery.isReplay',
      'delivery.deliveredAt',
      'delivery.failedAt',
      'delivery.createdAt',
    ])
    .select([
      NEXT_ATTEMPT_AT.as('nextAttemptAt'),
      sql<WebhookDeliveryStatus>`case when is_pending then 'WAITING' when failed_at is null then 'DELIVERED' else 'FAILED' end`.as(
        'status',
      ),
    ]);
}

const ORDER: ListOrder = {
  own: [{ field: 'id', direction: 'desc' }],
  columns: { id: 'delivery.id', createdAt: 'delivery.createdAt', nextAttemptAt: NEXT_ATTEMPT_AT },
  nullable: ['nextAttemptAt'],
};

export async function listDeliveries(
  from: Sql,
  endpointId: number,
  { status, ...paging }: CursorPaging & { status?: WebhookDeliveryStatus | undefined },
): Promise<CursorPage<WebhookDelivery>> {
  await requireEndpoint(from, endpointId);
  let query = readDeliveries(from).where('delivery.endpointId', '=', endpointId);
  if (status !== undefined) query = query.where('delivery.isPending', '=', status === 'WAITING');
  if (status !== undefined && status !== 'WAITING')
    query = query.where('delivery.failedAt', status === 'FAILED' ? 'is not' : 'is', null);

  return readCursorPage(from, query, paging, ORDER);
}

/**
 * Repeats a delivery in the replay lane, or makes a waiting one due now (rule EVT-14). Problems:
 * not-found, invalid-transition if the endpoint is disabled.
 */
export function retryDelivery(
  { db }: { db: Database },
  actor: Actor,
  id: number,
): Promise<WebhookDelivery> {
  return db.transaction(async (tx) => {
    const { endpointId } = await tx.db
      .selectFrom('webhook_delivery')
      .select('endpointId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => new Problem('not-found'));

    await lockEnabled(tx, endpointId);
    const queued = await tx.db
      .updateTable('webhook_delivery')
      .set({
        // A waiting delivery keeps its lane.
        isReplay: sql<boolean>`is_replay or not is_pending`,
        isPending: true,
        failingSince: null,
        deliveredAt: null,
        failedAt: null,
      })
      .where('id', '=', id)
      .returning(['endpointId', 'isReplay', 'subject'])
      .executeTakeFirstOrThrow(() => new Problem('not-found'));

    await attemptSubjectNow(tx, queued);
    await recordAudit(tx, actor, { entityType: 'webhook-delivery', entityId: id, action: 'retry' });

    return readDeliveries(tx).where('delivery.id', '=', id).executeTakeFirstOrThrow();
  });
}

/**
 * Repeats events of a time range in order, in the replay lane (rule EVT-14). Returns their number,
 * excluding waiting deliveries. Problems: not-found, validation, invalid-transition if the endpoint
 * is disabled or the range has more than 50,000 events.
 */
export async function replayEvents(
  { db }: { db: Database },
  actor: Actor,
  { id, ...range }: { id: number; from: Date | string; to: Date | string },
): Promise<{ events: number }> {
  const [from, to] = [new Date(range.from), new Date(range.to)];
  if (!(from < to)) throw invalidField('to', 'min', 'Must be after `from`');

  return db.transaction(async (tx) => {
    await lockEnabled(tx, id);
    const replayed = await sql`
      with replayed as materialized (
        select event.id, event.subject from webhook_endpoint endpoint, public_event event
         where endpoint.id = ${id} and event.id <= endpoint.read_to
           and event.occurred_at >= ${from} and event.occurred_at < ${to}
           and (endpoint.types = '{}' or event.type = any (endpoint.types))
           and (endpoint.organization_ids = '{}' or event.organization_id = any (endpoint.organization_ids))
           and event.id not in (select event_id from webhook_delivery where endpoint_id = ${id} and is_pending)
         order by event.id limit ${MOST_REPLAYED + 1}),
      queued as (
        insert into webhook_queue (endpoint_id, is_replay, subject)
        select distinct ${id}::bigint, true, subject from replayed
            on conflict (endpoint_id, is_replay, subject) do update set revision = webhook_queue.revision + 1)
      insert into webhook_delivery (endpoint_id, event_id, subject, is_replay)
      select ${id}, id, subject, true from replayed order by id`.execute(tx.db);

    const events = touchedBy(replayed);
    if (events > MOST_REPLAYED)
      throw new Problem('invalid-transition', {
        detail: `The range has more than ${MOST_REPLAYED} events.`,
      });

    const after = { from: from.toISOString(), to: to.toISOString(), events };
    await recordAudit(tx, actor, {
      entityType: 'webhook-endpoint',
      entityId: id,
      action: 'replay',
      after,
    });

    return { events };
  });
}

/** Sends one `test` message and returns the result (rule EVT-15). Problem `not-found`. */
export async function testEndpoint(
  { db, secrets, sendWebhook }: { db: Database; secrets: SecretBox; sendWebhook: WebhookSender },
  actor: Actor,
  id: number,
): Promise<WebhookAttempt> {
  const endpoint = await requireEndpoint(db, id);
  const at = new Date();
  const payload: TestEvent = {
    id: 0,
    type: 'test',
    version: 1,
    occurredAt: at.toISOString(),
    organizationId: null,
    subject: `webhook-endpoint/${id}`,
    data: {},
  };

  const result = await sendWebhook(
    signedRequest(secrets, endpoint, { messageId: `evt_test_${randomUUID()}`, payload, at }),
  );
  await db.transaction((tx) =>
    recordAudit(tx, actor, {
      entityType: 'webhook-endpoint',
      entityId: id,
      action: 'test',
      after: result,
    }),
  );

  return { at, ...result };
}

function requireEndpoint({ db }: Sql, id: number): Promise<SigningEndpoint> {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/** Locks the endpoint, like all functions that add to queues. */
async function lockEnabled({ db }: Tx, id: number): Promise<void> {
  const { isEnabled } = await db
    .selectFrom('webhook_endpoint')
    .select('isEnabled')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
  if (!isEnabled) throw new Problem('invalid-transition', { detail: 'The endpoint is disabled.' });
}
