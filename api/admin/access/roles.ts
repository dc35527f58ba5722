import { createRole, getRole, listRoles, updateRole } from '../../../modules/access/roles.ts';
import { NewRole, Role, RoleEdit } from '../../../modules/access/schemas/access.ts';
import { defineResource } from '../../http/resource.ts';

export const roleRoutes = defineResource({
  path: '/roles',
  tags: ['Access'],
  permission: 'users.manage',
  item: Role,
  list: {
    operationId: 'listRoles',
    summary: 'Roles',
    description: 'Roles are sorted by code and listed with their permissions.',
    sort: ['code', 'name', 'users', 'createdAt', 'updatedAt'],
    run: ({ db }, page) => listRoles(db, page),
  },
  create: {
    operationId: 'createRole',
    summary: 'Create a role',
    description: 'A role is a named list of permissions. Its code must be unique.',
    problems: ['duplicate'],
    body: NewRole,
    run: createRole,
  },
  get: {
    operationId: 'getRole',
    summary: 'One role',
    description: 'The answer shows the role with its permissions.',
    run: ({ db }, id) => getRole(db, id),
  },
  edit: {
    operationId: 'updateRole',
    summary: 'Change a role',
    description:
      'The change applies from the next request of every user who has the role. It requires the permissions of the role, and new ones. The permissions of ADMIN cannot be changed.',
    problems: ['last-administrator'],
    body: RoleEdit,
    run: updateRole,
  },
});
