import { createHash, randomUUID } from 'node:crypto';
import {
  HANDLED_WEBHOOKS,
  KNOWN_WEBHOOKS,
  ORDER_WEBHOOKS,
  type HandledWebhook,
} from './schemas/webhooks.ts';
import { wordOnly } from '../../erp/personal.ts';
import { sql } from 'kysely';
import type { QueueStatus } from '../mirror/schemas/sync-status.ts';
import type { Sql } from '../../platform/db/database.ts';

/** Identified by `key` and `type`. */
export type WebhookEvent = {
  key: string;
  type: HandledWebhook;
  organizationErpId: string | null;
  /** Null if the event contains no order id. */
  erpOrderId: string | null;
  raw: string;
};

/** `label` is safe for metrics. */
export type ReadEvent =
  | { kind: 'HANDLED'; event: WebhookEvent; label: string }
  /** The body is not stored, because it may contain personal data. */
  | { kind: 'IGNORED'; label: string }
  /** One bad element must not reject the others. */
  | { kind: 'INVALID'; label: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOMENT = /^[\d:. TZ+-]{1,40}$/;
/** Other keys are digested: the database may be unable to store them. */
const PLAIN_KEY = /^[\x21-\x7e]{1,100}$/;

/** Reads one element of an incoming webhook. Never throws. */
export function readWebhookEvent(value: unknown): ReadEvent {
  if (!isObject(value) || typeof value['eventType'] !== 'string')
    return { kind: 'INVALID', label: 'invalid' };
  const type = value['eventType'];
  const label = KNOWN_WEBHOOKS.includes(type) ? type : 'other';
  const handled = HANDLED_WEBHOOKS.find((name) => name === type);
  if (handled === undefined) return { kind: 'IGNORED', label };
  const isOfOrder = (ORDER_WEBHOOKS as readonly string[]).includes(handled);
  const info = isObject(value['eventInfo']) ? value['eventInfo'] : {};

  return {
    kind: 'HANDLED',
    label,
    event: {
      key: isOfOrder ? hashEvent(value) : buildKey(value),
      type: handled,
      organizationErpId: parseUuid(value['organizationId']),
      erpOrderId: isOfOrder ? parseUuid(info['id']) : null,
      raw: toRaw(isOfOrder ? withoutGuest(value, info) : value),
    },
  };
}

/** Otherwise a client with the secret could fill the disk. */
const MOST_RAW = 65_536;

/** Reduces an event that is too long to its type and subject (OPS-61). */
function toRaw(event: object): string {
  const raw = JSON.stringify(event);
  if (raw.length <= MOST_RAW) return raw;
  const { eventType, organizationId, correlationId } = event as Record<string, unknown>;

  return JSON.stringify({
    eventType,
    organizationId: parseUuid(organizationId),
    correlationId: parseUuid(correlationId),
    leftOut: raw.length,
  });
}

const parseUuid = (value: unknown): string | null =>
  typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null;

/** Keeps ids, codes and times, but no data of the guest (WHK-8). */
function withoutGuest(event: Record<string, unknown>, info: Record<string, unknown>): object {
  const order = isObject(info['order']) ? info['order'] : {};
  const word = (value: unknown) => (typeof value === 'string' ? (wordOnly(value) ?? null) : null);
  const { eventTime } = event;

  return {
    eventType: event['eventType'],
    eventTime: typeof eventTime === 'string' && MOMENT.test(eventTime) ? eventTime : null,
    organizationId: parseUuid(event['organizationId']),
    correlationId: parseUuid(event['correlationId']),
    eventInfo: {
      id: parseUuid(info['id']),
      timestamp: typeof info['timestamp'] === 'number' ? info['timestamp'] : null,
      creationStatus: word(info['creationStatus']),
      order: { status: word(order['status']) },
    },
  };
}

/**
 * The ERP sends no event id. The key is the correlation id with the organization, because one
 * command may change several organizations (WHK-3), otherwise a digest. An event without the fields
 * of the digest is never treated as a duplicate.
 */
function buildKey(event: Record<string, unknown>): string {
  const { correlationId } = event;
  if (typeof correlationId !== 'string' || !PLAIN_KEY.test(correlationId)) return hashEvent(event);
  return [correlationId.toLowerCase(), parseUuid(event['organizationId']) ?? []].flat().join('@');
}

/** Includes times, because several changes of an order may share the id of one command. */
function hashEvent(event: Record<string, unknown>): string {
  const { correlationId, eventTime } = event;
  const info = isObject(event['eventInfo']) ? event['eventInfo'] : {};
  const moments = [correlationId, eventTime, info['id'], info['timestamp']].map(
    (entry) => entry ?? null,
  );
  if (moments.every((moment) => moment === null)) return `none:${randomUUID()}`;

  const identity = JSON.stringify([
    event['eventType'],
    event['organizationId'] ?? null,
    ...moments,
  ]);

  return `digest:${createHash('sha256').update(identity).digest('hex')}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts stored events that were not processed. Changes of stop-lists are processed at once. */
export function readWebhookQueue({ db }: Sql): Promise<QueueStatus> {
  return db
    .selectFrom('webhook_event')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      sql<number | null>`extract(epoch from now() - min(received_at))::double precision`.as(
        'oldestAgeSeconds',
      ),
    ])
    .where('processedAt', 'is', null)
    .executeTakeFirstOrThrow();
}
