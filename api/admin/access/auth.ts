import { ACCESS_TOKEN_SECONDS } from '../../../modules/access/access-token.ts';
import { login } from '../../../modules/access/login.ts';
import { logout } from '../../../modules/access/logout.ts';
import { refresh } from '../../../modules/access/refresh.ts';
import { SESSION_DAYS } from '../../../modules/access/sessions.ts';
import type { Tokens } from '../../../modules/access/session.ts';
import { Problem } from '../../../kernel/problem.ts';
import { bearerToken } from '../../http/access/guard.ts';
import { AccessToken, Credentials } from '../../../modules/access/schemas/access.ts';
import { defineRoute, type Cookie } from '../../http/route.ts';

export const REFRESH_COOKIE = 'carte_refresh';

/** Null deletes the cookie. */
export const refreshCookie = (token: string | null): Cookie => ({
  name: REFRESH_COOKIE,
  value: token ?? '',
  maxAge: token === null ? 0 : SESSION_DAYS * 86_400,
});

const BROWSER_COOKIE = 'carte_browser';
/** Browsers limit the life of cookies to this. */
const BROWSER_DAYS = 400;

const browserCookie = (value: string): Cookie => ({
  name: BROWSER_COOKIE,
  value,
  maxAge: BROWSER_DAYS * 86_400,
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
  rateLimit: 'sign-in',
  summary: 'Sign in',
  description:
    'Opens a session. The response sets the refresh token as an httpOnly cookie, and another cookie that identifies the browser. Attempts are ' +
    'limited for each account and each client address; a browser in which the account has signed in before has attempts of its own. A user with a ' +
    'second factor without `code` gets the problem `second-factor-required`; each code works once.',
  bodyLimit: 4_096,
  body: Credentials,
  responses: { 200: AccessToken },
  problems: ['unauthorized', 'second-factor-required'],
  handler: async ({ body, clientAddress: address, requestId, headers, cookies }, deps) => {
    const browser = { userAgent: headers['user-agent'], knownBrowser: cookies(BROWSER_COOKIE) };
    const { knownBrowser, ...tokens } = await login(deps, {
      ...body,
      address,
      requestId,
      ...browser,
    });

    const answer = signedIn(tokens);

    return { ...answer, cookies: [...answer.cookies, browserCookie(knownBrowser)] };
  },
});

const refreshRoute = defineRoute({
  ...common,
  path: '/auth/refresh',
  operationId: 'refresh',
  rateLimit: 'sign-in',
  summary: 'Get a new access token',
  description:
    'Exchanges the refresh cookie for a new access token and the next refresh cookie. When a cookie that was ' +
    'already exchanged comes back after more than 10 seconds, the session ends.',
  responses: { 200: AccessToken },
  problems: ['unauthorized'],
  handler: async ({ cookies }, deps) => {
    const token = cookies(REFRESH_COOKIE);
    if (token === undefined)
      throw new Problem('unauthorized', { detail: 'The refresh cookie is missing' });
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
    const tokens = {
      refreshToken: cookies(REFRESH_COOKIE),
      accessToken: bearerToken([authorization].flat()[0]),
    };
    await logout(deps, tokens, requestId);

    return { status: 204, cookies: [refreshCookie(null)] };
  },
});

export const authRoutes = [loginRoute, refreshRoute, logoutRoute];
