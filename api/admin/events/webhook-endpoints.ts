import { Type } from 'typebox';
import { CursorPage, Page, Strict } from '../../../kernel/pure/schemas.ts';
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
import { defineRoute } from '../../http/route.ts';
import { cursorPageOf, cursorQuery, IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const common = { api: 'admin', tags: ['Events'], permission: 'webhooks.manage' } as const;
const one = { ...common, path: '/webhook-endpoints/{id}', params: IdParams } as const;

const withSettings = (deps: Deps) => ({ ...deps, allowsPrivateReceivers: deps.env.WEBHOOK_PRIVATE_RECEIVERS });

/** Endpoints that events are posted to, and their deliveries. */
export const webhookEndpointRoutes = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/webhook-endpoints',
    operationId: 'listWebhookEndpoints',
    summary: 'Webhook endpoints',
    description: 'Lists the receivers of events. Their secrets cannot be read.',
    query: Strict({ ...pageQuery, ...sortQuery(['id', 'url', 'createdAt', 'waiting']) }),
    responses: { 200: Page(WebhookEndpoint) },
    handler: async ({ query }, { db }) => ({ status: 200, body: await listEndpoints(db, pageOf(query)) }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/webhook-endpoints',
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'The endpoint gets the events from now on, signed as in Standard Webhooks. The answer shows the secret once; a ' +
      'repetition with the same `Idempotency-Key` shows it for a day. Receivers must be on the public internet unless ' +
      'the installation allows others.',
    idempotent: true,
    body: NewWebhookEndpoint,
    responses: { 201: WebhookEndpointWithSecret },
    problems: ['invalid-transition'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createEndpoint(withSettings(deps), actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...one,
    method: 'GET',
    operationId: 'getWebhookEndpoint',
    summary: 'One webhook endpoint',
    description: '`disabledReason` names why the product has disabled it.',
    responses: { 200: WebhookEndpoint },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getEndpoint(db, params.id) }),
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    operationId: 'editWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'An endpoint that is enabled again or has a new URL gets the events that have waited at once, at most those of ' +
      '28 days.',
    body: WebhookEndpointEdit,
    responses: { 200: WebhookEndpoint },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editEndpoint(withSettings(deps), actor, { ...body, id: params.id }),
    }),
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries are deleted too.',
    responses: { 204: null },
    problems: ['not-found'],
    handler: async ({ params, actor }, deps) => {
      await deleteEndpoint(deps, actor, params.id);
      return { status: 204 };
    },
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    operationId: 'rotateWebhookEndpointSecret',
    summary: 'Replace the secret of a webhook endpoint',
    description: 'Messages have a signature of each secret for 24 hours. A further rotation ends the oldest secret.',
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
    description: 'Sends a signed message of the type `test` at once and returns the result. It is not repeated.',
    responses: { 200: WebhookAttempt },
    problems: ['not-found'],
    handler: async ({ params, actor }, deps) => ({ status: 200, body: await testEndpoint(deps, actor, params.id) }),
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
        ...cursorPageOf(query, {}, { ...query, ...params }),
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
    handler: async ({ params, actor }, deps) => ({ status: 200, body: await retryDelivery(deps, actor, params.id) }),
  }),
];
