import {
  createWebhookSecret,
  deleteWebhookSecret,
  listWebhookSecrets,
} from '../../../modules/connections/webhook-secrets.ts';
import {
  NewWebhookSecret,
  WebhookSecret,
} from '../../../modules/connections/schemas/connections.ts';
import { Id, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const common = {
  api: 'admin',
  tags: ['Connections'],
  path: '/connections/{id}/webhook-secrets',
} as const;

export const webhookSecretRoutes = [
  defineRoute({
    ...common,
    method: 'GET',
    operationId: 'listWebhookSecrets',
    summary: 'Secrets of the webhook of a connection',
    description: 'Lists the secrets that are valid, at most two. None of them can be read again.',
    permission: 'connections.read',
    params: IdParams,
    query: Strict({ ...pageQuery, ...sortQuery(['createdAt', 'id']) }),
    responses: { 200: Page(WebhookSecret) },
    problems: ['not-found'],
    handler: async ({ params, query }, { db }) => ({
      status: 200,
      body: await listWebhookSecrets(db, params.id, toPage(query)),
    }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    operationId: 'createWebhookSecret',
    summary: 'Make a secret for the webhook of a connection',
    description:
      'The response contains the secret only once; a repetition with the same `Idempotency-Key` shows it for a day. Set it at the external system. After the first secret is created, the webhook accepts events about the ' +
      'restaurants of this connection only with one of its own secrets. Two can be valid, so that one replaces the other without a gap; a third ' +
      'is `invalid-transition`.',
    permission: 'connections.manage',
    params: IdParams,
    idempotent: true,
    responses: { 201: NewWebhookSecret },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, actor, idempotency }, deps) => ({
      status: 201,
      body: await createWebhookSecret(deps, actor, params.id, idempotency),
    }),
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/connections/{id}/webhook-secrets/{secret_id}',
    operationId: 'deleteWebhookSecret',
    summary: 'End a secret of the webhook of a connection',
    description:
      'Calls with this secret are rejected immediately. After the last secret is deleted, the common secret of the webhook is valid again.',
    permission: 'connections.manage',
    params: Strict({ id: Id, secret_id: Id }),
    responses: { 204: null },
    problems: ['not-found'],
    handler: async ({ params, actor }, deps) => {
      await deleteWebhookSecret(deps, actor, { connectionId: params.id, id: params.secret_id });
      return { status: 204 };
    },
  }),
];
