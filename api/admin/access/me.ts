import { changePassword } from '../../../app/access/change-password.ts';
import { readProfile } from '../../../app/access/profile.ts';
import { Problem } from '../../../contracts/problem.ts';
import { PasswordChange, Profile } from '../../../contracts/access.ts';
import { defineRoute } from '../../http/route.ts';

const meRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/me',
  operationId: 'me',
  summary: 'Profile of the current user',
  description: 'The answer shows the current roles and permissions, also when they changed after the sign-in.',
  tags: ['Access'],
  permission: 'authenticated',
  responses: { 200: Profile },
  handler: async ({ actor }, { db }) => {
    const profile = await readProfile(db, actor);
    if (profile === null) throw new Problem('unauthorized');
    const { userId, email, fullName, roles, permissions } = profile;
    return { status: 200, body: { id: userId, email, fullName, roles, permissions } };
  },
});

const changePasswordRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/me/password',
  operationId: 'changePassword',
  summary: 'Change your password',
  description: 'The other sessions of the user end. Attempts are limited like sign-ins.',
  tags: ['Access'],
  permission: 'authenticated',
  body: PasswordChange,
  responses: { 204: null },
  handler: async ({ body, actor, clientAddress }, deps) => {
    await changePassword(deps, { ...actor, address: clientAddress }, body);
    return { status: 204 };
  },
});

export const meRoutes = [meRoute, changePasswordRoute];
