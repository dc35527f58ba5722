import { Type } from 'typebox';
import { createUser } from '../../../modules/access/create-user.ts';
import { deleteUser } from '../../../modules/access/delete-user.ts';
import { updateUser } from '../../../modules/access/update-user.ts';
import { getUser, listUsers } from '../../../modules/access/user-views.ts';
import { NewUser, User, UserEdit } from '../../../modules/access/schemas/access.ts';
import { KeysOfUser } from '../../../modules/access/schemas/api-keys.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const common = { api: 'admin', tags: ['Access'], permission: 'users.manage' } as const;

const listUsersRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/users',
  operationId: 'listUsers',
  summary: 'Users',
  description: 'Users are sorted by name. Deleted users are not listed.',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['fullName', 'email', 'isActive', 'createdAt', 'updatedAt']),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A part of the name or e-mail.' })),
    role: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'Code of a role.' })),
    is_active: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Page(User) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listUsers(db, { ...pageOf(query), q: query.q, role: query.role, isActive: query.is_active }),
  }),
});

const getUserRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/users/{id}',
  operationId: 'getUser',
  summary: 'One user',
  description: 'The answer shows the user with the codes of the roles.',
  params: IdParams,
  responses: { 200: User },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getUser(db, params.id) }),
});

const createUserRoute = defineRoute({
  ...common,
  method: 'POST',
  path: '/users',
  operationId: 'createUser',
  summary: 'Create a user',
  description:
    'The new user is active. A user without a password signs in through the identity provider. The roles may contain only permissions that you have yourself.',
  idempotent: true,
  body: NewUser,
  responses: { 201: User },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createUser(deps, actor, body, idempotency),
  }),
});

const updateUserRoute = defineRoute({
  ...common,
  method: 'PATCH',
  path: '/users/{id}',
  operationId: 'updateUser',
  summary: 'Change a user',
  description:
    'An absent field keeps its value. New roles apply from the next request of the user. A new password and `isActive: ' +
    'false` end the sessions of the user. `isActive: false` revokes the API keys of the user (`apiKeys` of the answer of ' +
    '`GET`), unless `apiKeys` is `TAKE_OVER`. `password: null` removes the password. You cannot change a user who has more ' +
    'permissions than you, or assign roles with more.',
  params: IdParams,
  body: UserEdit,
  responses: { 200: User },
  problems: ['not-found', 'version-conflict', 'duplicate', 'last-administrator'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateUser(deps, actor, params.id, body),
  }),
});

const deleteUserRoute = defineRoute({
  ...common,
  method: 'DELETE',
  path: '/users/{id}',
  operationId: 'deleteUser',
  summary: 'Delete a user',
  description:
    'The sessions of the user end and the personal data is erased. The audit keeps the id. The e-mail can be used ' +
    'again. The API keys of the user are revoked unless you take them over.',
  params: IdParams,
  query: Strict({ api_keys: Type.Optional(KeysOfUser) }),
  responses: { 204: null },
  problems: ['not-found', 'last-administrator'],
  handler: async ({ params, query, actor }, deps) => {
    await deleteUser(deps, actor, { id: params.id, apiKeys: query.api_keys });
    return { status: 204 };
  },
});

export const userRoutes = [listUsersRoute, getUserRoute, createUserRoute, updateUserRoute, deleteUserRoute];
