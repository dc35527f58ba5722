import { Type } from 'typebox';
import { readProfile } from '../../../app/access/profile.ts';
import { PERMISSIONS } from '../../../contracts/permissions.ts';
import { Problem } from '../../../contracts/problem.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, Words } from '../../http/schemas.ts';

export const meRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/me',
  operationId: 'me',
  summary: 'Profile of the current user',
  description: 'Roles and permissions as they are now.',
  tags: ['Access'],
  permission: 'authenticated',
  responses: {
    200: Type.Object({
      id: Id,
      email: Type.String(),
      fullName: Type.String(),
      roles: Type.Array(Type.String(), { description: 'Role codes' }),
      permissions: Type.Array(Words(PERMISSIONS)),
    }),
  },
  handler: async ({ actor }, { db }) => {
    const profile = await readProfile(db, actor);
    if (profile === null) throw new Problem('unauthorized');
    const { userId, email, fullName, roles, permissions } = profile;
    return { status: 200, body: { id: userId, email, fullName, roles, permissions } };
  },
});
