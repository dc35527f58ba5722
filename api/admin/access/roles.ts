import { createRole, getRole, listRoles, updateRole } from '../../../modules/access/roles.ts';
import { NewRole, Role, RoleEdit } from '../../../modules/access/schemas/access.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const common = { api: 'admin', tags: ['Access'], permission: 'users.manage' } as const;

const listRolesRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/roles',
  operationId: 'listRoles',
  summary: 'Roles',
  description: 'Roles are sorted by code and listed with their permissions.',
  query: Strict({ ...pageQuery, ...sortQuery(['code', 'name', 'users', 'createdAt', 'updatedAt']) }),
  responses: { 200: Page(Role) },
  handler: async ({ query }, { db }) => ({ status: 200, body: await listRoles(db, pageOf(query)) }),
});

const getRoleRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/roles/{id}',
  operationId: 'getRole',
  summary: 'One role',
  description: 'The answer shows the role with its permissions.',
  params: IdParams,
  responses: { 200: Role },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getRole(db, params.id) }),
});

const createRoleRoute = defineRoute({
  ...common,
  method: 'POST',
  path: '/roles',
  operationId: 'createRole',
  summary: 'Create a role',
  description: 'A role is a named list of permissions. Its code must be unique.',
  idempotent: true,
  body: NewRole,
  responses: { 201: Role },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createRole(deps, actor, body, idempotency),
  }),
});

const updateRoleRoute = defineRoute({
  ...common,
  method: 'PATCH',
  path: '/roles/{id}',
  operationId: 'updateRole',
  summary: 'Change a role',
  description:
    'The change applies from the next request of every user who has the role. The permissions of ADMIN cannot be changed.',
  params: IdParams,
  body: RoleEdit,
  responses: { 200: Role },
  problems: ['not-found', 'version-conflict', 'last-administrator'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateRole(deps, actor, params.id, body),
  }),
});

export const roleRoutes = [listRolesRoute, getRoleRoute, createRoleRoute, updateRoleRoute];
