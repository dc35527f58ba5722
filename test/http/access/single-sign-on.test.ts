import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { routes } from '../../../api/routes.ts';
import { migratedDatabase } from '../../support/database.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { adminClient } from '../../support/admin-client.ts';
import { holdTable } from '../../support/races.ts';
import {
  CLIENT,
  signInAtProvider,
  startIdentityProvider,
} from '../../support/identity-provider.ts';
import { addRow, ago, databaseNow, selectRows, updateRows } from '../../support/rows.ts';

const UI = 'https://ui.carte.test';
const settings = (issuer: string, more: Record<string, string> = {}) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_REDIRECT_URL: CLIENT.redirectUrl,
  ADMIN_ORIGINS: `${UI},https://other.carte.test`,
  COOKIE_SECURE: 'on',
  ...more,
});

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let api: TestApi;
/** A second instance on the same database, which also creates users. */
let open: TestApi;
beforeAll(async () => {
  database = await migratedDatabase();
  provider = await startIdentityProvider();
  api = await startTestApi({ routes, database, env: settings(provider.issuer) });
  open = await startTestApi({
    routes,
    database,
    env: settings(provider.issuer, { OIDC_DEFAULT_ROLE: 'VIEWER' }),
  });
});
afterAll(async () => {
  await api?.stop();
  await open?.stop();
  await provider?.stop();
  await database?.close();
});

const get = (at: TestApi, path: string, cookie = '') =>
  fetch(`${at.url}/api/admin/v1${path}`, { redirect: 'manual', headers: { cookie } });
const findCookie = (response: Response, name: string): string | undefined =>
  response.headers
    .getSetCookie()
    .find((text) => text.startsWith(`${name}=`))
    ?.split(';')[0];

type Begun = { location: string; browser: string };
async function begin(at: TestApi, query = '', cookie = ''): Promise<Begun> {
  const response = await get(at, `/auth/oidc/start${query}`, cookie);
  expect(response.status).toBe(303);
  return {
    location: response.headers.get('location')!,
    browser: findCookie(response, '__Host-carte_sign_on')!,
  };
}
const callback = (at: TestApi, answer: URL, browser: string) =>
  get(at, `/auth/oidc/callback${answer.search}`, browser);

async function signOn(account: string, at: TestApi = api, back: TestApi = at): Promise<Response> {
  const { location, browser } = await begin(at);
  return callback(back, await signInAtProvider(location, account), browser);
}
async function refusal(response: Response): Promise<unknown[]> {
  const { type, reason } = (await response.json()) as { type: string; reason?: string };
  return [response.status, type, reason];
}
const refused = (reason: string) => [403, '/problems/sign-on-refused', reason];

async function readUser(
  response: Response,
): Promise<{ id: number; email: string; roles: string[] }> {
  const refreshed = await fetch(`${api.url}/api/admin/v1/auth/refresh`, {
    method: 'POST',
    headers: { cookie: findCookie(response, '__Host-carte_refresh') ?? '' },
  });
  const { accessToken } = (await refreshed.json()) as { accessToken: string };
  const me = await fetch(`${api.url}/api/admin/v1/me`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return (await me.json()) as { id: number; email: string; roles: string[] };
}

describe('the sign-on at an identity provider', () => {
  test('[ACC-9] opens a session for an existing user and redirects to the admin UI', async () => {
    const { id, email } = await api.user('OPERATOR');
    const { location, browser } = await begin(
      api,
      `?return_to=${encodeURIComponent(`${UI}/products?page=2`)}`,
    );
    const answer = await signInAtProvider(location, email);
    const response = await callback(api, answer, browser);

    expect(new URL(location).searchParams.get('code_challenge_method')).toBe('S256');
    expect(answer.href).toContain(CLIENT.redirectUrl);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${UI}/products?page=2`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-carte_refresh=.*Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect(await readUser(response)).toMatchObject({ id, email, roles: ['OPERATOR'] });
  });

  test('[ACC-3] creates a session that lasts 12 hours', async () => {
    const { id, email } = await api.user('OPERATOR');
    const response = await signOn(email);
    const aged = async (hours: number) => {
      await updateRows(
        api.deps.db,
        'access_session',
        { createdAt: ago(`${hours} hours`) },
        { userId: id },
      );
      const headers = { cookie: findCookie(response, '__Host-carte_refresh') ?? '' };
      return (await fetch(`${api.url}/api/admin/v1/auth/refresh`, { method: 'POST', headers }))
        .status;
    };

    expect(await aged(11)).toBe(200);
    expect(await aged(13)).toBe(401);
  });

  test('requires in the browser the cookie that it has set', async () => {
    const response = await get(api, '/auth/oidc/start');

    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-carte_sign_on=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test('may begin at one instance and end at another', async () => {
    const { email } = await api.user('VIEWER');

    expect((await signOn(email, api, open)).status).toBe(303);
  });

  test('works in two tabs of one browser', async () => {
    const { email } = await api.user('VIEWER');
    const first = await begin(api);
    const second = await begin(api, '', first.browser);
    const answers = await Promise.all(
      [first, second].map(({ location }) => signInAtProvider(location, email)),
    );
    const ended = await Promise.all(answers.map((answer) => callback(api, answer, first.browser)));

    expect(second.browser).toBe(first.browser);
    expect(ended.map((response) => response.status)).toEqual([303, 303]);
  });

  test('stores nothing that a reader of the database could sign on with', async () => {
    const { location, browser } = await begin(api);
    const rows = JSON.stringify(await selectRows(api.deps.db, 'access_sign_on', '*'));
    const { searchParams } = new URL(location);

    for (const secret of [
      browser.split('=')[1]!,
      searchParams.get('state')!,
      searchParams.get('nonce')!,
    ])
      expect(rows).not.toContain(secret);
  });

  test('appears in the audit like a sign-in with a password', async () => {
    const user = await api.user('VIEWER');
    await signOn(user.email);
    await adminClient(api.url, user.email, user.password);
    const rows = await api.deps.db.db
      .selectFrom('audit_entry')
      .where('entityType', '=', 'user')
      .where('entityId', '=', String(user.id))
      .select((row) => [
        'action',
        'actorId',
        'after',
        row('requestId', 'is not', null).as('hasRequest'),
      ])
      .orderBy('id')
      .execute();

    const signIn = { action: 'sign-in', actorId: user.id, hasRequest: true };
    expect(rows).toEqual([
      expect.objectContaining({ action: 'link-identity', after: { issuer: provider.issuer } }),
      { ...signIn, after: { method: 'SSO', issuer: provider.issuer } },
      { ...signIn, after: { method: 'PASSWORD' } },
    ]);
  });
});

describe('the callback of a sign-on', () => {
  test('fails a second time', async () => {
    const { email } = await api.user('VIEWER');
    const { location, browser } = await begin(api);
    const answer = await signInAtProvider(location, email);

    expect((await callback(api, answer, browser)).status).toBe(303);
    expect(await refusal(await callback(api, answer, browser))).toEqual(refused('STATE_UNKNOWN'));
  });

  test('succeeds for one of many concurrent calls with one state', async () => {
    const { email } = await api.user('VIEWER');
    const { location, browser } = await begin(api);
    const answer = await signInAtProvider(location, email);
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, at) => callback(at % 2 ? api : open, answer, browser)),
    );
    const reasons = await Promise.all(
      all.filter((response) => response.status !== 303).map(refusal),
    );

    expect(reasons).toEqual(Array.from({ length: 5 }, () => refused('STATE_UNKNOWN')));
  });

  test('fails when the sign-on has expired', async () => {
    const { email } = await api.user('VIEWER');
    const { location, browser } = await begin(api);
    const answer = await signInAtProvider(location, email);
    await updateRows(api.deps.db, 'access_sign_on', { expiresAt: databaseNow() });

    expect(await refusal(await callback(api, answer, browser))).toEqual(refused('STATE_UNKNOWN'));
  });

  test.each([
    ['in another browser', () => `__Host-carte_sign_on=${'A'.repeat(43)}`],
    ['without the cookie', () => ''],
  ])('fails %s, and the original browser may continue', async (_, other) => {
    const { email } = await api.user('VIEWER');
    const { location, browser } = await begin(api);
    const answer = await signInAtProvider(location, email);

    expect(await refusal(await callback(api, answer, other()))).toEqual(refused('STATE_UNKNOWN'));
    expect((await callback(api, answer, browser)).status).toBe(303);
  });

  test('fails with an unknown state', async () => {
    const answer = new URL(`${CLIENT.redirectUrl}?state=invented&code=x`);

    expect(await refusal(await callback(api, answer, ''))).toEqual(refused('STATE_UNKNOWN'));
  });

  test('fails if the provider rejects the sign-on', async () => {
    expect(await refusal(await signOn('refused'))).toEqual(refused('PROVIDER_REFUSED'));
  });

  test('fails with a code of another sign-on', async () => {
    const [mine, foreign] = [await begin(api), await begin(api)];
    const { email } = await api.user('VIEWER');
    const answer = await signInAtProvider(foreign.location, email);
    answer.searchParams.set('state', new URL(mine.location).searchParams.get('state')!);

    expect(await refusal(await callback(api, answer, mine.browser))).toEqual(
      refused('ANSWER_INVALID'),
    );
  });
});

describe('an account of the provider', () => {
  test('creates a user with the default role once if configured, or is rejected as unknown', async () => {
    const email = 'first.time@carte.test';

    expect(await refusal(await signOn(email))).toEqual(refused('USER_UNKNOWN'));
    const both = await Promise.all([signOn(email, open), signOn(email, open)]);
    const users = await Promise.all(both.map(readUser));
    expect(users[0]).toMatchObject({ email, roles: ['VIEWER'] });
    expect(users[1]!.id).toBe(users[0]!.id);
    expect(await readUser(await signOn(email))).toEqual(users[0]);
  });

  test('[ACC-21] creates no user for a domain that is not configured', async () => {
    const own = await startTestApi({
      routes,
      database,
      env: settings(provider.issuer, {
        OIDC_DEFAULT_ROLE: 'VIEWER',
        OIDC_EMAIL_DOMAINS: 'Staff.carte.test, other.test',
      }),
    });
    const stranger = await refusal(await signOn('guest@carte.test', own));
    const pretender = await refusal(await signOn('guest@staff.carte.test.evil.test', own));
    const ours = await readUser(await signOn('guest@staff.carte.test', own));
    await own.stop();

    expect([stranger, pretender]).toEqual([refused('USER_UNKNOWN'), refused('USER_UNKNOWN')]);
    expect(ours).toMatchObject({ email: 'guest@staff.carte.test', roles: ['VIEWER'] });
  });

  test('creates one linked user in two concurrent first sign-ons', async () => {
    const email = 'twice.at.once@carte.test';
    const begun = await Promise.all([begin(open), begin(api)]);
    const answers = await Promise.all(
      begun.map(({ location }) => signInAtProvider(location, email)),
    );
    const held = await holdTable(api.deps.db, 'access_user');
    const ended = answers.map((answer, at) => callback(open, answer, begun[at]!.browser));
    await held.waits(2);
    await held.release();
    const users = await Promise.all((await Promise.all(ended)).map(readUser));

    expect(users[0]).toMatchObject({ email, roles: ['VIEWER'] });
    expect(users[1]!.id).toBe(users[0]!.id);
  });

  test('fails with an unverified e-mail for existing and new users', async () => {
    const { email } = await api.user('ADMIN');
    await updateRows(api.deps.db, 'access_user', { email: 'unverified@carte.test' }, { email });

    expect(await refusal(await signOn('unverified@carte.test', open))).toEqual(
      refused('EMAIL_UNVERIFIED'),
    );
  });

  test('stays linked when the e-mail of the user changes', async () => {
    const { id, email } = await api.user('VIEWER');
    await signOn(email);
    await updateRows(api.deps.db, 'access_user', { email: 'renamed@carte.test' }, { id });

    expect(await readUser(await signOn(email))).toMatchObject({ id, email: 'renamed@carte.test' });
  });

  test('cannot take over a user who is linked to another account with the same e-mail', async () => {
    const { id, email } = await api.user('ADMIN');
    await addRow(api.deps.db, 'access_identity', {
      issuer: provider.issuer,
      subject: 'somebody-else',
      userId: id,
    });

    expect(await refusal(await signOn(email, open))).toEqual(refused('ACCOUNT_TAKEN'));
  });

  test('fails for a disabled user, linked or not', async () => {
    const [before, later] = [await api.user('VIEWER'), await api.user('VIEWER')];
    await signOn(later.email);
    await updateRows(
      api.deps.db,
      'access_user',
      { isActive: false },
      { id: [before.id, later.id] },
    );

    expect(await refusal(await signOn(before.email, open))).toEqual(refused('USER_DISABLED'));
    expect(await refusal(await signOn(later.email, open))).toEqual(refused('USER_DISABLED'));
  });

  test('fails for a deleted user until an administrator creates a user with its e-mail', async () => {
    const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
    const { id, email } = await api.user('VIEWER');
    await signOn(email);
    await admin.raw('DELETE', `/users/${id}`);

    expect(await refusal(await signOn(email, open))).toEqual(refused('USER_DISABLED'));
    const anew = await admin.post<{ id: number }>('/users', {
      email,
      fullName: 'Anew',
      roles: ['VIEWER'],
    });
    expect(await readUser(await signOn(email))).toMatchObject({ id: anew.id });
  });
});

describe('the page after a sign-on', () => {
  test('defaults to the first origin of the admin UI', async () => {
    const { email } = await api.user('VIEWER');

    expect((await signOn(email)).headers.get('location')).toBe(`${UI}/`);
  });

  test.each([
    'https://evil.test/',
    `${UI}.evil.test/`,
    `https://ui.carte.test@evil.test/`,
    'http://ui.carte.test/',
    '//evil.test/',
    '/products',
    'javascript:alert(1)',
  ])('cannot be %s', async (page) => {
    const response = await get(api, `/auth/oidc/start?return_to=${encodeURIComponent(page)}`);

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ field: 'return_to', code: 'invalid' }],
    });
  });
});

describe('a sign-on without a provider', () => {
  test('answers 503 if the provider is unavailable, and passwords still work', async () => {
    const alone = await startTestApi({ routes, database, env: settings('http://127.0.0.1:9') });
    try {
      const response = await get(alone, '/auth/oidc/start');

      expect(await refusal(response)).toEqual([503, '/problems/unavailable', undefined]);
      expect(
        alone.logged.find((line) => line['msg'] === 'a sign-on failed at the identity provider'),
      ).toMatchObject({
        reason: 'unavailable',
      });
      expect((await adminClient(alone.url, ADMIN.email, ADMIN.password)).accessToken).toMatch(
        /^ey/,
      );
    } finally {
      await alone.stop();
    }
  });

  test('answers 404 if none is configured', async () => {
    const none = await startTestApi({ routes, database });
    try {
      expect((await get(none, '/auth/oidc/start')).status).toBe(404);
      expect((await get(none, '/auth/oidc/callback?state=x&code=y')).status).toBe(404);
    } finally {
      await none.stop();
    }
  });
});

/** A malicious provider: it signs anything with valid keys. */
describe('an ID token', () => {
  type Lie = { claims?: JWTPayload; foreignKey?: boolean; status?: number };
  let lying: { issuer: string; say: (lie: Lie, nonce: string) => void; stop: () => void };
  let misled: TestApi;
  beforeAll(async () => {
    lying = await startLyingProvider();
    misled = await startTestApi({ routes, database, env: settings(lying.issuer) });
  });
  afterAll(async () => {
    await misled?.stop();
    lying?.stop();
  });

  async function answered(lie: Lie): Promise<Response> {
    const { location, browser } = await begin(misled);
    const { searchParams } = new URL(location);
    lying.say(lie, searchParams.get('nonce')!);
    return callback(
      misled,
      new URL(`${CLIENT.redirectUrl}?code=x&state=${searchParams.get('state')!}`),
      browser,
    );
  }

  test('signs on if it is valid', async () => {
    expect((await answered({})).status).toBe(303);
  });

  test.each<[string, Lie]>([
    ['with another nonce', { claims: { nonce: 'of another sign-on' } }],
    ['of another issuer', { claims: { iss: 'https://evil.test' } }],
    ['for another audience', { claims: { aud: 'another client' } }],
    ['that has expired', { claims: { exp: Math.floor(Date.now() / 1000) - 3600 } }],
    ['signed with a key the provider does not have', { foreignKey: true }],
    ['with a subject that the database cannot store', { claims: { sub: 'nul\0' } }],
  ])('fails if it is one %s', async (_, lie) => {
    expect(await refusal(await answered(lie))).toEqual(refused('ANSWER_INVALID'));
  });

  test('causes 503 if the provider cannot return it', async () => {
    expect(await refusal(await answered({ status: 502 }))).toEqual([
      503,
      '/problems/unavailable',
      undefined,
    ]);
  });

  async function startLyingProvider(): Promise<typeof lying> {
    const [keys, others] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    let next: { lie: Lie; nonce: string } = { lie: {}, nonce: '' };
    const server = createServer((request, response) => {
      const { lie, nonce } = next;
      const answers: Record<string, () => Promise<object>> = {
        '/.well-known/openid-configuration': async () => ({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        }),
        '/keys': async () => ({ keys: [jwk] }),
        '/token': async () => ({
          access_token: 'a',
          token_type: 'bearer',
          id_token: await token(lie, nonce),
        }),
      };
      response.statusCode = request.url === '/token' ? (lie.status ?? 200) : 200;
      response.setHeader('content-type', 'application/json');
      void answers[request.url ?? '']!().then((body) => response.end(JSON.stringify(body)));
    });
    const token = ({ claims, foreignKey }: Lie, nonce: string) => {
      const seconds = Math.floor(Date.now() / 1000);
      const times = { iat: seconds, exp: seconds + 60 };
      const person = { sub: 'truthful', email: ADMIN.email, email_verified: true };
      return new SignJWT({ iss: issuer, aud: CLIENT.id, nonce, ...times, ...person, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(foreignKey === true ? others.privateKey : keys.privateKey);
    };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      issuer,
      say: (lie, nonce) => void (next = { lie, nonce }),
      stop: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }
});
