import { Type, type Static, type TProperties } from 'typebox';
import type { Permission } from '../../../kernel/pure/permissions.ts';
import {
  Codes,
  Id,
  Named,
  Nullable,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

const Status = Codes('OrderStatus');

const gift = {
  compensationId: Uuid,
  rewardId: Id,
  orderId: Nullable(
    Type.String({ format: 'uuid', description: 'The order that caused the change.' }),
  ),
};

const incident = { incidentId: Id, type: Type.String(), productId: Id, variantId: Id };
const product = { productId: Id };
const menu = { revision: Type.Integer({ description: 'Revision of the menu.' }) };

/**
 * Public event types (rule EVT-1). `version` grows when a field of `data` is removed or changes its
 * meaning, not when one is added. `data` contains ids, codes and numbers, never personal data.
 * `needs`: permission to read the type on the staff stream (rule EVT-43).
 */
export const EVENTS = {
  'menu.published': {
    version: 1,
    needs: 'snapshot.read',
    title: 'A menu was published',
    subject: 'organization',
    data: menu,
  },
  'availability.changed': {
    version: 1,
    needs: 'snapshot.read',
    title: 'Dishes of a menu became available or unavailable',
    subject: 'organization',
    data: menu,
  },
  'order.accepted': {
    version: 1,
    needs: 'orders.read',
    title: 'An order was accepted',
    subject: 'order',
    data: { orderId: Uuid, number: Type.String() },
  },
  'order.status_changed': {
    version: 1,
    needs: 'orders.read',
    title: 'The status of an order changed',
    subject: 'order',
    data: { orderId: Uuid, previousStatus: Status, status: Status },
  },
  'gift.granted': {
    version: 1,
    needs: 'compensations.read',
    title: 'A gift was granted',
    subject: 'gift',
    data: gift,
  },
  'gift.reserved': {
    version: 1,
    needs: 'compensations.read',
    title: 'An order reserved a gift',
    subject: 'gift',
    data: gift,
  },
  'gift.redeemed': {
    version: 1,
    needs: 'compensations.read',
    title: 'A gift was redeemed',
    subject: 'gift',
    data: gift,
  },
  'gift.returned': {
    version: 1,
    needs: 'compensations.read',
    title: 'An order returned a reserved gift',
    subject: 'gift',
    data: gift,
  },
  'gift.expired': {
    version: 1,
    needs: 'compensations.read',
    title: 'A gift expired',
    subject: 'gift',
    data: gift,
  },
  'incident.opened': {
    version: 1,
    needs: 'incidents.read',
    isShared: true,
    title: 'An incident was opened',
    subject: 'incident',
    data: incident,
  },
  'incident.closed': {
    version: 1,
    needs: 'incidents.read',
    isShared: true,
    title: 'An incident was closed',
    subject: 'incident',
    data: { ...incident, resolution: Nullable(Type.String()) },
  },
  'import.failed': {
    version: 1,
    needs: 'sync.read',
    title: 'An import failed',
    subject: 'import',
    data: { runId: Id, job: Type.String(), connectionId: Id, reason: Nullable(Type.String()) },
  },
  'product.published': {
    version: 1,
    needs: 'catalog.read',
    isShared: true,
    title: 'A product was published',
    subject: 'product',
    data: product,
  },
  'product.unpublished': {
    version: 1,
    needs: 'catalog.read',
    isShared: true,
    title: 'A product was unpublished or archived',
    subject: 'product',
    data: { ...product, reason: Nullable(Type.String()) },
  },
} as const satisfies Record<
  string,
  {
    version: number;
    needs: Permission;
    /**
     * All restaurants share the subject, so callers limited to some restaurants also receive the
     * event.
     */
    isShared?: true;
    title: string;
    subject: string;
    data: TProperties;
  }
>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export type EventData<T extends EventType> = Static<
  ReturnType<typeof Type.Object<(typeof EVENTS)[T]['data']>>
>;

/** Converts `menu.published` to `MenuPublishedEvent`. */
const toSchemaName = (type: EventType): string =>
  `${type
    .split(/[._]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')}Event`;

const buildSchema = <T extends EventType>(type: T) =>
  Named(
    toSchemaName(type),
    Type.Object(
      {
        id: Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Ascending in commit order. Unique over all events.',
        }),
        type: Type.Literal(type),
        version: Type.Integer({ description: 'Version of the schema of `data`.' }),
        occurredAt: Timestamp,
        organizationId: Nullable(Id),
        subject: Type.String({
          description: `The changed object: \`${EVENTS[type].subject}/{id}\`. Events of one subject are in order.`,
        }),
        data: Type.Object(EVENTS[type].data as TProperties),
      },
      { description: `${EVENTS[type].title}.` },
    ),
  );

/** Event schemas for the list, webhooks and clients. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, buildSchema(type)]),
) as Readonly<Record<EventType, ReturnType<typeof buildSchema>>>;

/** A test message (rule EVT-15), which the event list does not contain. */
export const TestEvent = Named(
  'TestEvent',
  Type.Object(
    {
      id: Type.Literal(0, { description: 'Always 0, which no event has.' }),
      type: Type.Literal('test'),
      version: Type.Integer(),
      occurredAt: Timestamp,
      organizationId: Type.Null(),
      subject: Type.String({ description: 'The tested endpoint: `webhook-endpoint/{id}`.' }),
      data: Type.Object({}),
    },
    { description: 'A test message.' },
  ),
);

export type TestEvent = Static<typeof TestEvent>;

export const EventTypeName = Words(EVENT_TYPES);

export type PublicEventView = {
  id: number;
  type: EventType;
  version: number;
  occurredAt: Date | string;
  organizationId: number | null;
  subject: string;
  data: Record<string, unknown>;
};

const PublicEvent = Named(
  'PublicEvent',
  Type.Unsafe<PublicEventView>(Type.Union(EVENT_TYPES.map((type) => EVENT_SCHEMAS[type]))),
);

export const EventList = Named(
  'EventList',
  Type.Object({
    items: Type.Array(PublicEvent),
    after: Type.Integer({ description: 'The value of `after` for the next request.' }),
    oldestId: Nullable(
      Type.Integer({
        description:
          'The oldest event that is still kept. Events between `after` and it were deleted.',
      }),
    ),
  }),
);

export type EventList = Static<typeof EventList>;
