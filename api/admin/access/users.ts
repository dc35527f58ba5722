import { Type } from 'typebox';
import { createUser } from '../../../app/access/create-user.ts';
import { deleteUser } from '../../../app/access/delete-user.ts';
import { updateUser } from '../../../app/access/update-user.ts';
import { PASSWORD_LENGTH } from '../../../app/access/user-fields.ts';
import { getUser, listUsers } from '../../../app/access/user-views.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Nullable, Page, pageOf, pageQuery, Strict, Timestamp, Version } from '../../http/schemas.ts';

const User = Type.Object({
  id: Id,
  email: Type.String(),
  fullName: Type.String(),
  isActive: Type.Boolean(),
  roles: Type.Array(Type.String(), { description: 'Role codes' }),
  hasPassword: Type.Boolean({ description: 'False for somebody who signs in through the identity provider only' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer(),
});

export const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
const Email = Type.String({ minLength: 3, maxLength: 254 });
const FullName = Type.String({ minLength: 1, maxLength: 200 });
const RoleCodes = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 50, uniqueItems: true });

const common = { contour: 'admin', tags: ['Access'], permission: 'users.manage' } as const;

const listUsersRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/users',
  operationId: 'listUsers',
  summary: 'Users',
  description: 'By name; deleted users are gone.',
  query: Strict({
    ...pageQuery,
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Part of the name or e-mail' })),
    role: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'Code of a role' })),
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
  description: 'With the codes of the roles.',
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
  description: 'Active from the start. Without a password the user signs in through the identity provider.',
  idempotent: true,
  body: Strict({
    email: Email,
    fullName: FullName,
    roles: RoleCodes,
    password: Type.Optional(Nullable(NewPassword)),
  }),
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
    'Fields that are left out stay. Roles act with the next request; a new password and `isActive: false` end the sessions of the user. `password: null` takes the password away.',
  params: IdParams,
  body: Strict({
    version: Version,
    email: Type.Optional(Email),
    fullName: Type.Optional(FullName),
    isActive: Type.Optional(Type.Boolean()),
    roles: Type.Optional(RoleCodes),
    password: Type.Optional(Nullable(NewPassword)),
  }),
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
  description: 'Ends the sessions and erases the personal data; the audit keeps the id. The e-mail is free again.',
  params: IdParams,
  responses: { 204: null },
  problems: ['not-found', 'last-administrator'],
  handler: async ({ params, actor }, deps) => {
    await deleteUser(deps, actor, params.id);
    return { status: 204 };
  },
});

export const userRoutes = [listUsersRoute, getUserRoute, createUserRoute, updateUserRoute, deleteUserRoute];
