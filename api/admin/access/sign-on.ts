import { Type } from 'typebox';
import { finishSignOn } from '../../../modules/access/sign-on/finish-sign-on.ts';
import { SIGN_ON_SECONDS, startSignOn } from '../../../modules/access/sign-on/start-sign-on.ts';
import { defineRoute } from '../../http/route.ts';
import { Strict } from '../../../kernel/pure/schemas.ts';
import { refreshCookie } from './auth.ts';

const BROWSER_COOKIE = 'carte_sign_on';

const common = { api: 'admin', method: 'GET', permission: 'public', tags: ['Access'] } as const;

const startRoute = defineRoute({
  ...common,
  path: '/auth/oidc/start',
  operationId: 'startSignOn',
  rateLimit: 'sign-in',
  summary: 'Sign in through the identity provider',
  description:
    'The admin UI opens this URL in the browser (as a page, not from a script). The browser comes back to ' +
    '`return_to` with the refresh cookie, and the UI gets an access token from `/auth/refresh`. The answer is 404 ' +
    'when no provider is configured.',
  query: Strict({
    return_to: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'Page to return to. Its origin must be in ADMIN_ORIGINS; the first of them is the default.',
      }),
    ),
  }),
  responses: { 303: null },
  problems: ['not-found'],
  handler: async ({ query, cookies, requestId }, deps) => {
    const request = {
      returnTo: query.return_to,
      browserSecret: cookies(BROWSER_COOKIE),
      requestId,
    };

    const { location, browserSecret } = await startSignOn(deps, request);

    return {
      status: 303,
      headers: { Location: location },
      // Lax, because the provider's page redirects the browser to the callback.
      cookies: [
        { name: BROWSER_COOKIE, value: browserSecret, maxAge: SIGN_ON_SECONDS, sameSite: 'Lax' },
      ],
    };
  },
});

const callbackRoute = defineRoute({
  ...common,
  path: '/auth/oidc/callback',
  operationId: 'finishSignOn',
  rateLimit: 'sign-in',
  summary: 'Receive the answer of the identity provider',
  description:
    'The provider sends the browser to this URL, which is registered there. The request opens a session, sets the ' +
    'refresh cookie and redirects to the page of the admin UI. Further parameters of the provider are accepted and ' +
    'ignored.',
  query: Type.Object({
    state: Type.Optional(Type.String({ maxLength: 200 })),
    code: Type.Optional(Type.String({ maxLength: 4000 })),
    iss: Type.Optional(Type.String({ maxLength: 2000 })),
    error: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  responses: { 303: null },
  problems: ['not-found', 'sign-on-refused'],
  handler: async ({ query, cookies, requestId, headers, clientAddress: address }, deps) => {
    const answer = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const browser = { browserSecret: cookies(BROWSER_COOKIE), userAgent: headers['user-agent'] };
    const request = { query: answer, ...browser, requestId, address };
    const { tokens, returnTo } = await finishSignOn(deps, request);

    return {
      status: 303,
      headers: { Location: returnTo },
      cookies: [refreshCookie(tokens.refreshToken)],
    };
  },
});

export const signOnRoutes = [startRoute, callbackRoute];
