import { Type } from 'typebox';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  takeOverApiKey,
  updateApiKey,
} from '../../../modules/access/api-keys/api-keys.ts';
import {
  ApiKey,
  ApiKeyEdit,
  ApiKeyRotation,
  ApiKeyWithToken,
  NewApiKey,
} from '../../../modules/access/schemas/api-keys.ts';
import { Id } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const common = { tags: ['Access'], permission: 'keys.manage' } as const;

const resourceRoutes = defineResource({
  ...common,
  path: '/api-keys',
  item: ApiKey,
  list: {
    operationId: 'listApiKeys',
    summary: 'API keys',
    description: 'The newest key comes first. Revoked keys are listed. No token can be read again.',
    sort: ['name', 'use', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'],
    filters: {
      created_by: Type.Optional(Id),
      owner_id: Type.Optional(Id),
      revoked: Type.Optional(Type.Boolean()),
    },
    run: ({ db }, page, { created_by: createdBy, owner_id: ownerId, revoked: isRevoked }) =>
      listApiKeys(db, { ...page, createdBy, ownerId, isRevoked }),
  },
  create: {
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The response shows the token once; a repetition with the same `Idempotency-Key` shows it for a day. An ADMIN key needs at least one permission, ' +
      'and you must have all of them. A permission applies while its owner has it: you, until another user takes the key over. No key may manage ' +
      'users or keys. A STOREFRONT key has no permissions. The audit names the key as the author of its changes.',
    problems: ['invalid-transition'],
    body: NewApiKey,
    item: ApiKeyWithToken,
    run: createApiKey,
  },
  get: {
    operationId: 'getApiKey',
    summary: 'One API key',
    description: 'The response contains the version that an edit must send.',
    run: ({ db }, id) => getApiKey(db, id),
  },
  edit: {
    operationId: 'updateApiKey',
    summary: 'Change an API key',
    description:
      'The change takes effect within a second. You must have every permission of the key. `expiresAt: null` removes the expiry. A revoked key cannot be changed.',
    problems: ['invalid-transition'],
    body: ApiKeyEdit,
    run: updateApiKey,
  },
  remove: {
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'All its tokens stop working within a second. The key stays in the list. A revocation cannot be undone.',
    run: revokeApiKey,
  },
});

/** No API key may call these operations. */
export const apiKeyRoutes = [
  ...resourceRoutes,
  defineRoute({
    ...common,
    api: 'admin',
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    operationId: 'rotateApiKey',
    summary: 'Replace the token of an API key',
    description:
      'The response shows the new token once. The replaced token stays valid for `overlapHours`, 24 by default; 0 revokes it within a second. You must have ' +
      'every permission of the key. A revoked key cannot be rotated.',
    idempotent: true,
    params: IdParams,
    body: ApiKeyRotation,
    responses: { 200: ApiKeyWithToken },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, body, actor, idempotency }, deps) => ({
      status: 200,
      body: await rotateApiKey(deps, actor, { ...body, id: params.id }, idempotency),
    }),
  }),
  defineRoute({
    ...common,
    api: 'admin',
    method: 'POST',
    path: '/api-keys/{id}/take-over',
    operationId: 'takeOverApiKey',
    summary: 'Take over an API key',
    description:
      'You become the owner of the key, and its permissions apply while you have them. You must have all of them. The former owner may know the ' +
      'token: rotate it. The audit records the change.',
    params: IdParams,
    responses: { 200: ApiKey },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, actor }, deps) => ({
      status: 200,
      body: await takeOverApiKey(deps, actor, params.id),
    }),
  }),
];
