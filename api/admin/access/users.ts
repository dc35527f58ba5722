import { Type } from 'typebox';
import { createUser } from '../../../modules/access/create-user.ts';
import { deleteUser } from '../../../modules/access/delete-user.ts';
import { updateUser } from '../../../modules/access/update-user.ts';
import { getUser, listUsers } from '../../../modules/access/user-views.ts';
import { NewUser, User, UserEdit } from '../../../modules/access/schemas/access.ts';
import { KeysOfUser } from '../../../modules/access/schemas/api-keys.ts';
import { Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const common = { tags: ['Access'], permission: 'users.manage' } as const;

const resourceRoutes = defineResource({
  ...common,
  path: '/users',
  item: User,
  list: {
    operationId: 'listUsers',
    summary: 'Users',
    description: 'Users are sorted by name. Deleted users are not listed.',
    sort: ['fullName', 'email', 'isActive', 'createdAt', 'updatedAt'],
    filters: {
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'A part of the name or e-mail.' }),
      ),
      role: Type.Optional(
        Type.String({ minLength: 1, maxLength: 50, description: 'Code of a role.' }),
      ),
      is_active: Type.Optional(Type.Boolean()),
    },
    run: ({ db }, page, { q, role, is_active: isActive }) =>
      listUsers(db, { ...page, q, role, isActive }),
  },
  create: {
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'The new user is active. A user without a password signs in through the identity provider. The roles may contain only permissions that you have yourself.',
    problems: ['duplicate'],
    body: NewUser,
    run: createUser,
  },
  get: {
    operationId: 'getUser',
    summary: 'One user',
    description: 'The answer shows the user with the codes of the roles.',
    run: ({ db }, id) => getUser(db, id),
  },
  edit: {
    operationId: 'updateUser',
    summary: 'Change a user',
    description:
      'An absent field keeps its value. New roles apply from the next request of the user. A new password and `isActive: ' +
      'false` end the sessions of the user. `isActive: false` revokes the API keys of the user (`apiKeys` of the answer of ' +
      '`GET`), unless `apiKeys` is `TAKE_OVER`. `password: null` removes the password. You cannot change a user who has more ' +
      'permissions than you, or assign roles with more.',
    problems: ['duplicate', 'last-administrator'],
    body: UserEdit,
    run: updateUser,
  },
});

const deleteUserRoute = defineRoute({
  ...common,
  api: 'admin',
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

export const userRoutes = [...resourceRoutes, deleteUserRoute];
