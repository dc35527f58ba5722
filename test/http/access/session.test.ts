import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyring } from '../../../app/access/keyring.ts';
import { verifyAccessToken } from '../../../app/access/access-token.ts';
import { authRoutes, REFRESH_COOKIE } from '../../../api/admin/access/auth.ts';
import { meRoutes } from '../../../api/admin/access/me.ts';
import { PERMISSIONS } from '../../../contracts/permissions.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: [...authRoutes, ...meRoutes], env: { TRUST_PROXY: 'on', COOKIE_SECURE: 'on' } });
});
afterAll(() => api.stop());

type SignedIn = { accessToken: string; cookie: string; response: Response };

let addresses = 0;
const send = (path: string, init: { method?: string; headers?: Record<string, string>; body?: unknown } = {}) =>
  fetch(`${api.url}/api/admin/v1${path}`, {
    method: init.method ?? 'POST',
    headers: {
      'x-forwarded-for': `10.2.0.${(addresses = (addresses + 1) % 250)}`,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
const signIn = (body: object, headers: Record<string, string> = {}) => send('/auth/login', { body, headers });
const read = async (response: Response): Promise<SignedIn> => ({
  accessToken: ((await response.json()) as { accessToken: string }).accessToken,
  cookie: (response.headers.get('set-cookie') ?? '').split(';')[0]!,
  response,
});
const refresh = (cookie: string) => send('/auth/refresh', { headers: { cookie } });
const me = (accessToken: string) => send('/me', { method: 'GET', headers: { authorization: `Bearer ${accessToken}` } });
const sessionOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1).split('.')[0];
/** Moves the last rotation of a session into the past. */
const rotatedAgo = (cookie: string, seconds: number) =>
  api.deps.db.query(`update access_session set rotated_at = now() - $2 * interval '1 second' where id = $1`, [
    sessionOf(cookie),
    seconds,
  ]);

describe('POST /auth/login', () => {
  test('gives an access token of 900 s and a guarded refresh cookie', async () => {
    const response = await signIn(ADMIN);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ accessToken: expect.stringMatching(/^ey/), expiresIn: 900 });
    expect(response.headers.get('set-cookie')).toMatch(
      /^carte_refresh=[0-9a-f-]{36}\.0\.[\w-]{43}; Path=\/api\/admin\/v1\/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test('does not mind the case of the e-mail', async () => {
    expect((await signIn({ ...ADMIN, email: ` ${ADMIN.email.toUpperCase()}` })).status).toBe(200);
  });

  test('answers the same to a wrong password, an unknown e-mail and a disabled user', async () => {
    const disabled = await api.user('VIEWER');
    await api.deps.db.query('update access_user set is_active = false where id = $1', [disabled.id]);
    const answers = [
      await signIn({ ...ADMIN, password: 'wrong' }),
      await signIn({ email: 'nobody@carte.test', password: 'wrong' }),
      await signIn({ email: disabled.email, password: disabled.password }),
    ];

    const bodies = await Promise.all(
      answers.map(async (each) => ({ ...((await each.json()) as object), requestId: '' })),
    );
    expect(answers.map((each) => each.status)).toEqual([401, 401, 401]);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  test('takes as long for an unknown e-mail as for a wrong password', async () => {
    const time = async (email: string) => {
      const startedAt = performance.now();
      await signIn({ email, password: 'wrong' });
      return performance.now() - startedAt;
    };
    const { email } = await api.user('VIEWER');
    await time('warm@carte.test');
    const times: { unknown: number; known: number }[] = [];
    for (let round = 0; round < 8; round += 1)
      times.push({ unknown: await time('nobody-at-all@carte.test'), known: await time(email) });
    // The fastest of several: a busy machine only makes single ones slower.
    const unknown = Math.min(...times.map((each) => each.unknown));
    const known = Math.min(...times.map((each) => each.known));

    expect(unknown / known).toBeGreaterThan(0.4);
  });

  test('is throttled by account, from whatever address, and even for the right password', async () => {
    const { email, password } = await api.user('VIEWER');
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn({ email, password: 'guess' })));
    const right = await signIn({ email, password });

    expect(guesses.filter((each) => each.status === 401)).toHaveLength(10);
    expect(guesses.filter((each) => each.status === 429)).toHaveLength(2);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(await right.json()).toMatchObject({ type: '/problems/rate-limited' });
  });

  test('is throttled by address over many accounts, and successes do not count', async () => {
    const headers = { 'x-forwarded-for': '10.3.0.1' };
    const { email, password } = await api.user('VIEWER');
    for (let index = 0; index < 3; index += 1) expect((await signIn({ email, password }, headers)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 52 }, (_, index) => signIn({ email: `guess${index}@carte.test`, password: 'x' }, headers)),
    );

    expect(guesses.filter((each) => each.status === 429)).toHaveLength(2);
  });

  test('leaves neither e-mail nor password in the log or the throttle', async () => {
    await signIn({ email: 'canary@carte.test', password: 'canary password' });
    const rows = await api.deps.db.query('select key from window_count');

    expect(JSON.stringify(api.logged)).not.toMatch(/canary/);
    expect(JSON.stringify(rows)).not.toMatch(/canary/);
  });
});

describe('POST /auth/refresh', () => {
  test('gives the next cookie and a working access token', async () => {
    const first = await read(await signIn(ADMIN));
    const second = await read(await refresh(first.cookie));

    expect(second.cookie).toMatch(/\.1\./);
    expect((await me(second.accessToken)).status).toBe(200);
  });

  test('gives two tabs the same successor, even in the same moment', async () => {
    const first = await read(await signIn(ADMIN));
    const tabs = await Promise.all(
      (await Promise.all(Array.from({ length: 8 }, () => refresh(first.cookie)))).map(read),
    );
    const [session] = await api.deps.db.query<{ counter: number }>('select counter from access_session where id = $1', [
      sessionOf(first.cookie),
    ]);

    expect(new Set(tabs.map((tab) => tab.cookie)).size).toBe(1);
    expect(session?.counter).toBe(1);
  });

  test('ends the session when an old cookie comes back later', async () => {
    const first = await read(await signIn(ADMIN));
    const second = await read(await refresh(first.cookie));
    await rotatedAgo(first.cookie, 11);
    const replayed = await refresh(first.cookie);

    expect(replayed.status).toBe(401);
    expect((await refresh(second.cookie)).status).toBe(401);
    expect((await me(second.accessToken)).status).toBe(401);
    expect(
      await api.deps.db.query(`select end_reason from access_session where id = $1`, [sessionOf(first.cookie)]),
    ).toEqual([{ end_reason: 'REUSED' }]);
  });

  test('ends the session at once for a cookie two rotations old', async () => {
    const first = await read(await signIn(ADMIN));
    const second = await read(await refresh(first.cookie));
    const third = await read(await refresh(second.cookie));

    expect((await refresh(first.cookie)).status).toBe(401);
    expect((await refresh(third.cookie)).status).toBe(401);
  });

  test.each([
    ['a turned counter', (cookie: string) => cookie.replace('.0.', '.1.')],
    ['a changed signature', (cookie: string) => `${cookie.slice(0, -3)}AAA`],
    ['nonsense', () => `${REFRESH_COOKIE}=nonsense`],
    ['nothing', () => 'other=1'],
  ])('refuses %s and leaves the session alone', async (_, change) => {
    const first = await read(await signIn(ADMIN));
    const refused = await refresh(change(first.cookie));

    expect(refused.status).toBe(401);
    expect((await refresh(first.cookie)).status).toBe(200);
  });

  test('refuses an expired session and a disabled user', async () => {
    const user = await api.user('VIEWER');
    const first = await read(await signIn({ email: user.email, password: user.password }));
    const expired = await read(await signIn(ADMIN));
    await api.deps.db.query('update access_user set is_active = false where id = $1', [user.id]);
    await api.deps.db.query('update access_session set expires_at = now() where id = $1', [sessionOf(expired.cookie)]);

    expect((await refresh(first.cookie)).status).toBe(401);
    expect((await me(first.accessToken)).status).toBe(401);
    expect((await refresh(expired.cookie)).status).toBe(401);
  });
});

describe('POST /auth/logout', () => {
  test('ends both tokens at once and clears the cookie, again and again', async () => {
    const { accessToken, cookie } = await read(await signIn(ADMIN));
    const answers = [
      await send('/auth/logout', { headers: { cookie } }),
      await send('/auth/logout', { headers: { cookie } }),
      await send('/auth/logout'),
    ];

    expect(answers.map((each) => each.status)).toEqual([204, 204, 204]);
    expect(answers[0]!.headers.get('set-cookie')).toMatch(/^carte_refresh=; .*Max-Age=0/);
    expect((await me(accessToken)).status).toBe(401);
    expect((await refresh(cookie)).status).toBe(401);
  });

  test('works with the access token alone', async () => {
    const { accessToken } = await read(await signIn(ADMIN));
    await send('/auth/logout', { headers: { authorization: `Bearer ${accessToken}` } });

    expect((await me(accessToken)).status).toBe(401);
  });
});

describe('GET /me', () => {
  test('gives the profile with the permissions of now, not of the sign-in', async () => {
    const user = await api.user('VIEWER');
    const { accessToken } = await read(await signIn({ email: user.email, password: user.password }));
    const before = (await (await me(accessToken)).json()) as { permissions: string[] };
    await api.deps.db.query(`insert into access_user_role select $1, id from access_role where code = 'ADMIN'`, [
      user.id,
    ]);
    const after = (await (await me(accessToken)).json()) as object;

    expect(before.permissions).not.toContain('users.manage');
    expect(after).toEqual({
      id: user.id,
      email: user.email,
      fullName: 'Test user',
      roles: ['ADMIN', 'VIEWER'],
      permissions: [...PERMISSIONS],
    });
  });

  test.each([
    ['no token', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['nonsense', { authorization: 'Bearer nonsense' }],
    ['a token without a signature', { authorization: `Bearer ${unsigned()}` }],
  ])('answers 401 with WWW-Authenticate to %s', async (_, headers) => {
    const response = await send('/me', { method: 'GET', headers: headers as Record<string, string> });

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('accepts a token that another instance has signed', async () => {
    const { accessToken } = await read(await signIn(ADMIN));
    const other = createKeyring({ db: api.deps.db, secrets: api.deps.secrets });

    expect(await verifyAccessToken(other, accessToken)).toMatchObject({ userId: expect.any(Number) });
  });
});

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', kid: 'x' })}.${part({ sub: '1', sid: 'x', exp: 9_999_999_999 })}.`;
}
