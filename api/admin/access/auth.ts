import { ACCESS_TOKEN_SECONDS } from '../../../app/access/access-token.ts';
import { login } from '../../../app/access/login.ts';
import { logout } from '../../../app/access/logout.ts';
import { refresh } from '../../../app/access/refresh.ts';
import { SESSION_DAYS } from '../../../app/access/session-life.ts';
import type { Tokens } from '../../../app/access/session.ts';
import { Problem } from '../../../contracts/problem.ts';
import { bearerToken } from '../../http/guard.ts';
import { AccessToken, Credentials } from '../../../contracts/access.ts';
import { defineRoute, type Cookie } from '../../http/route.ts';

export const REFRESH_COOKIE = 'carte_refresh';

/** The cookie of a refresh token; without one it is taken away. */
export const refreshCookie = (token: string | null): Cookie => ({
  name: REFRESH_COOKIE,
  value: token ?? '',
  maxAge: token === null ? 0 : SESSION_DAYS * 86_400,
});

const signedIn = ({ accessToken, refreshToken }: Tokens) => ({
  status: 200 as const,
  body: { accessToken, expiresIn: ACCESS_TOKEN_SECONDS },
  cookies: [refreshCookie(refreshToken)],
});

const common = { api: 'admin', method: 'POST', permission: 'public', tags: ['Access'] } as const;

const loginRoute = defineRoute({
  ...common,
  path: '/auth/login',
  operationId: 'login',
  summary: 'Sign in',
  description:
    'Opens a session. The answer sets the refresh token as an httpOnly cookie. Attempts are limited for each ' +
    'account and each client address.',
  bodyLimit: 4_096,
  body: Credentials,
  responses: { 200: AccessToken },
  problems: ['unauthorized'],
  handler: async ({ body, clientAddress, requestId, headers }, deps) =>
    signedIn(await login(deps, { ...body, address: clientAddress, requestId, userAgent: headers['user-agent'] })),
});

const refreshRoute = defineRoute({
  ...common,
  path: '/auth/refresh',
  operationId: 'refresh',
  summary: 'Get a new access token',
  description:
    'Exchanges the refresh cookie for a new access token and the next refresh cookie. When a cookie that was ' +
    'already exchanged comes back after more than 10 seconds, the session ends.',
  responses: { 200: AccessToken },
  problems: ['unauthorized'],
  handler: async ({ cookies }, deps) => {
    const token = cookies(REFRESH_COOKIE);
    if (token === undefined) throw new Problem('unauthorized', { detail: 'The refresh cookie is missing' });
    return signedIn(await refresh(deps, token));
  },
});

const logoutRoute = defineRoute({
  ...common,
  path: '/auth/logout',
  operationId: 'logout',
  summary: 'Sign out',
  description:
    'Ends the session of the refresh cookie or access token. Both stop working at once. The request always succeeds.',
  responses: { 204: null },
  handler: async ({ cookies, headers, requestId }, deps) => {
    const { authorization } = headers;
    const tokens = { refreshToken: cookies(REFRESH_COOKIE), accessToken: bearerToken([authorization].flat()[0]) };
    await logout(deps, tokens, requestId);
    return { status: 204, cookies: [refreshCookie(null)] };
  },
});

export const authRoutes = [loginRoute, refreshRoute, logoutRoute];
