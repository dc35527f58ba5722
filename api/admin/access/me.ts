import { changePassword } from '../../../modules/access/change-password.ts';
import { readProfile } from '../../../modules/access/profile.ts';
import { Problem } from '../../../kernel/problem.ts';
import { endOtherSessions, endSession, listSessions } from '../../../modules/access/sessions.ts';
import { PasswordChange, Profile, Session } from '../../../modules/access/schemas/access.ts';
import { Page, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const meRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/me',
  operationId: 'me',
  summary: 'Profile of the current user',
  description:
    'The answer shows the current roles and permissions, also when they changed after the sign-in.',
  tags: ['Access'],
  permission: 'authenticated',
  despite: ['OWN_PASSWORD', 'SECOND_FACTOR'],
  responses: { 200: Profile },
  handler: async ({ actor }, deps) => {
    const profile = await readProfile(deps, actor);
    if (profile === null) throw new Problem('unauthorized');
    const { userId, ...shown } = profile;
    return { status: 200, body: { id: userId, ...shown } };
  },
});

const changePasswordRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/me/password',
  operationId: 'changePassword',
  summary: 'Change your password',
  description:
    'The new password must differ from the present one. The other sessions of the user end. Wrong passwords are limited for each session.',
  tags: ['Access'],
  permission: 'authenticated',
  despite: ['OWN_PASSWORD'],
  body: PasswordChange,
  responses: { 204: null },
  handler: async ({ body, actor, clientAddress: address }, deps) => {
    await changePassword(deps, { ...actor, address }, body);
    return { status: 204 };
  },
});

const common = { api: 'admin', tags: ['Access'], permission: 'authenticated' } as const;

const sessionsRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/me/sessions',
  operationId: 'listSessions',
  summary: 'Your sessions',
  description: 'The active sessions of the user, the most recently used first.',
  query: Strict({ ...pageQuery, ...sortQuery(['createdAt', 'lastUsedAt', 'endsAt', 'method']) }),
  responses: { 200: Page(Session) },
  handler: async ({ actor, query }, { db }) => ({
    status: 200,
    body: await listSessions(db, actor, toPage(query)),
  }),
});

const endSessionRoute = defineRoute({
  ...common,
  method: 'DELETE',
  path: '/me/sessions/{session_id}',
  operationId: 'endSession',
  summary: 'End one of your sessions',
  description: 'Its tokens stop working at once. The session may be the one of this request.',
  params: Strict({ session_id: Uuid }),
  responses: { 204: null },
  problems: ['not-found'],
  handler: async ({ actor, params }, deps) => {
    await endSession(deps, actor, params.session_id);
    return { status: 204 };
  },
});

const endOtherSessionsRoute = defineRoute({
  ...common,
  method: 'DELETE',
  path: '/me/sessions',
  operationId: 'endOtherSessions',
  summary: 'End your other sessions',
  description: 'All sessions of the user end except the one of this request.',
  responses: { 204: null },
  handler: async ({ actor }, deps) => {
    await endOtherSessions(deps, actor);
    return { status: 204 };
  },
});

export const meRoutes = [
  meRoute,
  changePasswordRoute,
  sessionsRoute,
  endSessionRoute,
  endOtherSessionsRoute,
];
