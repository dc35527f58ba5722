import { Type } from 'typebox';
import { CursorPage, Strict } from '../../../kernel/pure/schemas.ts';
import {
  listDeliveries,
  replayEvents,
  retryDelivery,
  testEndpoint,
} from '../../../modules/events/deliveries/manage-deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  getEndpoint,
  listEndpoints,
  rotateEndpointSecret,
} from '../../../modules/events/deliveries/manage-endpoints.ts';
import {
  NewWebhookEndpoint,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookEndpoint,
  WebhookEndpointEdit,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayed,
} from '../../../modules/events/schemas/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { cursorQuery, IdParams, sortQuery, toCursorPage } from '../../http/schemas.ts';

const common = { api: 'admin', tags: ['Events'], permission: 'webhooks.manage' } as const;
const one = { ...common, path: '/webhook-endpoints/{id}', params: IdParams } as const;

const withSettings = (deps: Deps) => ({
  ...deps,
  allowsPrivateReceivers: deps.env.WEBHOOK_PRIVATE_RECEIVERS,
});

const endpointRoutes = defineResource({
  path: '/webhook-endpoints',
  tags: common.tags,
  permission: common.permission,
  item: WebhookEndpoint,
  list: {
    operationId: 'listWebhookEndpoints',
    summary: 'Webhook endpoints',
    description: 'Lists the receivers of events. Their secrets cannot be read.',
    sort: ['id', 'url', 'createdAt', 'waiting'],
    run: ({ db }, page) => listEndpoints(db, page),
  },
  create: {
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'The endpoint gets the events from now on, signed as in Standard Webhooks. The answer shows the secret once; a ' +
      'repetition with the same `Idempotency-Key` shows it for a day. Receivers must be on the public internet unless ' +
      'the installation allows others.',
    problems: ['invalid-transition'],
    body: NewWebhookEndpoint,
    item: WebhookEndpointWithSecret,
    run: (deps, actor, body, idempotency) =>
      createEndpoint(withSettings(deps), actor, body, idempotency),
  },
  get: {
    operationId: 'getWebhookEndpoint',
    summary: 'One webhook endpoint',
    description: '`disabledReason` names why the product has disabled it.',
    run: ({ db }, id) => getEndpoint(db, id),
  },
  edit: {
    operationId: 'editWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'An endpoint that is enabled again or has a new URL gets the events that have waited at once, at most those of ' +
      '28 days.',
    body: WebhookEndpointEdit,
    run: (deps, actor, id, body) => editEndpoint(withSettings(deps), actor, { ...body, id }),
  },
  remove: {
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries are deleted too.',
    run: deleteEndpoint,
  },
});

export const webhookEndpointRoutes = [
  ...endpointRoutes,
  defineRoute({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    operationId: 'rotateWebhookEndpointSecret',
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'Messages have a signature of each secret for 24 hours. A further rotation ends the oldest secret.',
    idempotent: true,
    responses: { 200: WebhookEndpointWithSecret },
    problems: ['not-found'],
    handler: async ({ params, actor, idempotency }, deps) => ({
      status: 200,
      body: await rotateEndpointSecret(deps, actor, params.id, idempotency),
    }),
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/test',
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test message',
    description:
      'Sends a signed message of the type `test` at once and returns the result. It is not repeated.',
    responses: { 200: WebhookAttempt },
    problems: ['not-found'],
    handler: async ({ params, actor }, deps) => ({
      status: 200,
      body: await testEndpoint(deps, actor, params.id),
    }),
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/replay',
    operationId: 'replayWebhookEvents',
    summary: 'Deliver the events of a time range again',
    description:
      'Events keep their `webhook-id`. At most 50,000 events of the last 28 days. New events do not wait for them, and ' +
      'events that wait for their first delivery are left out.',
    body: WebhookReplay,
    responses: { 200: WebhookReplayed },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await replayEvents(deps, actor, { ...body, id: params.id }),
    }),
  }),
  defineRoute({
    ...one,
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'Deliveries of a webhook endpoint',
    description:
      'The newest deliveries of the last 28 days come first, with their attempts. With `after`, a page continues ' +
      'after the previous one, whatever was delivered meanwhile.',
    query: Strict({
      ...cursorQuery,
      ...sortQuery(['id', 'createdAt', 'nextAttemptAt']),
      status: Type.Optional(WebhookDeliveryStatus),
    }),
    responses: { 200: CursorPage(WebhookDelivery) },
    problems: ['not-found'],
    handler: async ({ params, query }, { db }) => ({
      status: 200,
      body: await listDeliveries(db, params.id, {
        ...toCursorPage(query, {}, { ...query, ...params }),
        status: query.status,
      }),
    }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/webhook-deliveries/{id}/retry',
    operationId: 'retryWebhookDelivery',
    summary: 'Deliver an event again',
    description:
      'A waiting delivery is attempted at once. One that was delivered or set aside is repeated beside new events.',
    params: IdParams,
    responses: { 200: WebhookDelivery },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, actor }, deps) => ({
      status: 200,
      body: await retryDelivery(deps, actor, params.id),
    }),
  }),
];
