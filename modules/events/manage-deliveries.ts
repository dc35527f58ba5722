import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { WebhookSender } from '../../platform/webhook-sender.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { filterOf } from './deliver-webhooks.ts';
import type { WebhookAttempt, WebhookDelivery } from './schemas/webhooks.ts';
import { signedRequest, type SigningEndpoint } from './webhook-message.ts';

/** More events of a replay would keep one statement too long. */
const MOST_REPLAYED = 50_000;

function readDeliveries({ db }: Sql) {
  return db
    .selectFrom('webhook_delivery')
    .select(['id', 'endpointId', 'eventId', 'subject', 'attempts', 'deliveredAt', 'createdAt'])
    .select((eb) => [
      sql<'WAITING' | 'DELIVERED'>`case when is_pending then 'WAITING' else 'DELIVERED' end`.as('status'),
      eb.case().when('isPending', '=', true).then(eb.ref('nextAttemptAt')).else(null).end().as('nextAttemptAt'),
    ]);
}

/** One page of the deliveries of an endpoint, newest first. Problem: not-found. */
export async function listDeliveries(
  from: Sql,
  endpointId: number,
  { status, ...paging }: Paging & { status?: 'WAITING' | 'DELIVERED' | undefined },
): Promise<Page<WebhookDelivery>> {
  await requireEndpoint(from, endpointId);
  const all = readDeliveries(from).where('endpointId', '=', endpointId).orderBy('id', 'desc');
  return readPage(status === undefined ? all : all.where('isPending', '=', status === 'WAITING'), paging);
}

/**
 * Delivers an event again, or a waiting one now (rule EVT-14). Problems: not-found;
 * invalid-transition if the endpoint is disabled.
 */
export function retryDelivery({ db }: { db: Database }, actor: Actor, id: number): Promise<WebhookDelivery> {
  return db.transaction(async (tx) => {
    const { endpointId } = await tx.db
      .updateTable('webhook_delivery')
      .set({ isPending: true, nextAttemptAt: sql<Date>`now()`, failingSince: null, deliveredAt: null })
      .where('id', '=', id)
      .returning('endpointId')
      .executeTakeFirstOrThrow(() => new Problem('not-found'));
    await requireEnabled(tx, endpointId);
    await recordAudit(tx, actor, { entityType: 'webhook-delivery', entityId: id, action: 'retry' });
    return readDeliveries(tx).where('id', '=', id).executeTakeFirstOrThrow();
  });
}

/**
 * Delivers the events of a time range again, in order (rule EVT-14). Returns their number.
 * Problems: not-found; validation; invalid-transition if the endpoint is disabled or the range has
 * more than 50,000 events.
 */
export async function replayEvents(
  { db }: { db: Database },
  actor: Actor,
  { id, ...range }: { id: number; from: Date | string; to: Date | string },
): Promise<{ events: number }> {
  const [from, to] = [new Date(range.from), new Date(range.to)];
  if (!(from < to)) throw invalidField('to', 'min', 'Must be after `from`');
  return db.transaction(async (tx) => {
    const { readTo, ...endpoint } = await requireEnabled(tx, id);
    const { types, organizationIds } = filterOf(endpoint);
    const replayed = await tx.db
      .insertInto('webhook_delivery')
      .columns(['endpointId', 'eventId', 'subject'])
      .expression((eb) =>
        eb
          .selectFrom('public_event')
          .select([sql<number>`${id}::bigint`.as('endpointId'), eb.ref('id').$notNull().as('eventId'), 'subject'])
          // Later ones are delivered anyway.
          .where('id', '<=', readTo)
          .where('occurredAt', '>=', from)
          .where('occurredAt', '<', to)
          .$if(types !== undefined, (query) => query.where('type', 'in', types!))
          .$if(organizationIds !== undefined, (query) => query.where('organizationId', 'in', organizationIds!))
          .orderBy('id')
          .limit(MOST_REPLAYED + 1),
      )
      .executeTakeFirstOrThrow();
    const events = Number(replayed.numInsertedOrUpdatedRows ?? 0n);
    if (events > MOST_REPLAYED)
      throw new Problem('invalid-transition', { detail: `The range has more than ${MOST_REPLAYED} events.` });
    const after = { from: from.toISOString(), to: to.toISOString(), events };
    await recordAudit(tx, actor, { entityType: 'webhook-endpoint', entityId: id, action: 'replay', after });
    return { events };
  });
}

/**
 * Sends a message of the type `test` to the receiver at once and returns the result (rule EVT-15).
 * It is not repeated and not kept. Problem: not-found.
 */
export async function testEndpoint(
  { db, secrets, sendWebhook }: { db: Database; secrets: SecretBox; sendWebhook: WebhookSender },
  actor: Actor,
  id: number,
): Promise<WebhookAttempt> {
  const endpoint = await requireEndpoint(db, id);
  const at = new Date();
  const payload = {
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
    recordAudit(tx, actor, { entityType: 'webhook-endpoint', entityId: id, action: 'test', after: result }),
  );
  return { at, ...result };
}

type Endpoint = SigningEndpoint & { types: string[]; organizationIds: number[]; readTo: number; isEnabled: boolean };

function requireEndpoint({ db }: Sql, id: number): Promise<Endpoint> {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

async function requireEnabled(from: Sql, id: number): Promise<Endpoint> {
  const endpoint = await requireEndpoint(from, id);
  if (!endpoint.isEnabled) throw new Problem('invalid-transition', { detail: 'The endpoint is disabled.' });
  return endpoint;
}
