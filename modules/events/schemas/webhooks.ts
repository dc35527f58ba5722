import { Type, type Static } from 'typebox';
import {
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  OrganizationId,
  Strict,
  Timestamp,
  Version,
} from '../../../kernel/pure/schemas.ts';
import { EventTypeName } from './events.ts';

const MOST_ORGANIZATIONS = 1_000;

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'HTTPS URL of the receiver, without user name, password and fragment.',
});

const types = Type.Array(EventTypeName, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Types of events; empty for all.',
});

const organizations = {
  maxItems: MOST_ORGANIZATIONS,
  description: 'Organizations; empty for all, and for events without an organization.',
};

const description = Type.String({ maxLength: 500 });

export const WebhookEndpoint = Named(
  'WebhookEndpoint',
  Type.Object({
    id: Id,
    url: Type.String(),
    types: Type.Array(Type.String()),
    organizationIds: Type.Array(Id, organizations),
    description: NullableText,
    isEnabled: Type.Boolean(),
    disabledReason: Nullable(
      Type.String({
        description:
          '`GONE`: the receiver answered 410. `FAILING`: it accepted nothing for three days. Null otherwise.',
      }),
    ),
    waiting: Type.Integer({
      minimum: 0,
      description:
        'Number of events that are to be delivered, at most 10,000. For a disabled endpoint: those that enabling it delivers.',
    }),
    failed: Type.Integer({
      minimum: 0,
      description: 'Number of deliveries that were set aside after three days of failures.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const secret = Type.String({ description: 'Secret of signatures, shown only in this answer.' });

/** Shows the secret once. */
export const WebhookEndpointWithSecret = Named(
  'WebhookEndpointWithSecret',
  Type.Object({ ...WebhookEndpoint.properties, secret }),
);

export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

export const NewWebhookEndpoint = Named(
  'NewWebhookEndpoint',
  Strict({
    url,
    types: Type.Optional(types),
    organizationIds: Type.Optional(Type.Array(OrganizationId, organizations)),
    description: Type.Optional(Nullable(description)),
    isEnabled: Type.Optional(Type.Boolean()),
  }),
);

export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>;

export const WebhookEndpointEdit = Named(
  'WebhookEndpointEdit',
  Strict({
    version: Version,
    url: Type.Optional(url),
    types: Type.Optional(types),
    organizationIds: Type.Optional(Type.Array(OrganizationId, organizations)),
    description: Type.Optional(Nullable(description)),
    isEnabled: Type.Optional(Type.Boolean()),
  }),
);

export type WebhookEndpointEdit = Static<typeof WebhookEndpointEdit>;

export const WebhookAttempt = Named(
  'WebhookAttempt',
  Type.Object({
    at: Timestamp,
    status: Nullable(Type.Integer({ description: 'Status of the answer; null without one.' })),
    error: Nullable(
      Type.String({ description: 'Reason without an answer, for example `TIMEOUT`.' }),
    ),
    durationMs: Count,
  }),
);

export type WebhookAttempt = Static<typeof WebhookAttempt>;

const DELIVERY_STATUSES = ['WAITING', 'DELIVERED', 'FAILED'] as const;
export type WebhookDeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const WebhookDeliveryStatus = Type.Unsafe<WebhookDeliveryStatus>({
  type: 'string',
  enum: [...DELIVERY_STATUSES],
  description:
    'Status of the delivery. `WAITING` until the receiver answers 2xx. `FAILED`: the event was rejected for three days while others were accepted.',
});

export const WebhookDelivery = Named(
  'WebhookDelivery',
  Type.Object({
    id: Id,
    endpointId: Id,
    eventId: Id,
    subject: Type.String(),
    status: WebhookDeliveryStatus,
    isReplay: Type.Boolean({ description: 'True for a repetition by a retry or a replay.' }),
    attempts: Type.Array(WebhookAttempt),
    nextAttemptAt: Nullable(Timestamp),
    deliveredAt: Nullable(Timestamp),
    failedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
);

export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookReplay = Named('WebhookReplay', Strict({ from: Timestamp, to: Timestamp }));

export const WebhookReplayed = Named(
  'WebhookReplayed',
  Type.Object({
    events: Type.Integer({
      description: 'Number of events that are delivered again, without those that wait.',
    }),
  }),
);
