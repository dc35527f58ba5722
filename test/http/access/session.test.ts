import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyring } from '../../../modules/access/keyring.ts';
import { verifyAccessToken } from '../../../modules/access/access-token.ts';
import { authRoutes, REFRESH_COOKIE } from '../../../api/admin/access/auth.ts';
import { meRoutes } from '../../../api/admin/access/me.ts';
import { PERMISSIONS } from '../../../kernel/pure/permissions.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { ago, databaseNow, giveRole, selectRows, updateRows } from '../../support/rows.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: [...authRoutes, ...meRoutes],
    env: { TRUST_PROXY: 'on', COOKIE_SECURE: 'on', ADMIN_ORIGINS: 'https://admin.carte.test' },
  });
});
afterAll(() => api.stop());

type SignedIn = { accessToken: string; cookie: string; response: Response };

let addresses = 0;
const send = (
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
) =>
  fetch(`${api.url}/api/admin/v1${path}`, {
    method: init.method ?? 'POST',
    headers: {
      'x-forwarded-for': `10.2.0.${(addresses = (addresses + 1) % 250)}`,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
const signIn = (body: object, headers: Record<string, string> = {}) =>
  send('/auth/login', { body, headers });
const read = async (response: Response): Promise<SignedIn> => ({
  accessToken: ((await response.json()) as { accessToken: string }).accessToken,
  cookie: (response.headers.get('set-cookie') ?? '').split(';')[0]!,
  response,
});
const refresh = (cookie: string) => send('/auth/refresh', { headers: { cookie } });
const me = (accessToken: string) =>
  send('/me', { method: 'GET', headers: { authorization: `Bearer ${accessToken}` } });
const sessionOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1).split('.')[0];
const rotatedAgo = (cookie: string, seconds: number) =>
  updateRows(
    api.deps.db,
    'access_session',
    { rotatedAt: ago(`${seconds} seconds`) },
    { id: sessionOf(cookie) },
  );

describe('POST /auth/login', () => {
  test('[ACC-2] returns an access token of 900 s and a protected refresh cookie', async () => {
    const response = await signIn(ADMIN);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      accessToken: expect.stringMatching(/^ey/),
      expiresIn: 900,
    });
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-carte_refresh=[0-9a-f-]{36}\.0\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test('ignores the case of the e-mail', async () => {
    expect((await signIn({ ...ADMIN, email: ` ${ADMIN.email.toUpperCase()}` })).status).toBe(200);
  });

  test('[ACC-2] answers equally for a wrong password, an unknown e-mail and a disabled user', async () => {
    const disabled = await api.user('VIEWER');
    await updateRows(api.deps.db, 'access_user', { isActive: false }, { id: disabled.id });
    const answers = [
      await signIn({ ...ADMIN, password: 'wrong' }),
      await signIn({ email: 'nobody@carte.test', password: 'wrong' }),
      await signIn({ email: disabled.email, password: disabled.password }),
    ];

    const bodies = await Promise.all(
      answers.map(async (answer) => ({ ...((await answer.json()) as object), requestId: '' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
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
    // Compares the fastest requests, because a busy machine slows single requests.
    const unknown = Math.min(...times.map((entry) => entry.unknown));
    const known = Math.min(...times.map((entry) => entry.known));

    // Without the hash it would be a twentieth.
    expect(unknown / known).toBeGreaterThan(0.2);
  });

  const cookieNamed = (response: Response, name: string) =>
    response.headers
      .getSetCookie()
      .map((text) => text.split(';')[0]!)
      .find((text) => text.startsWith(`__Host-${name}=`)) ?? '';
  const counts = (answers: readonly Response[]) =>
    [401, 429].map((status) => answers.filter((answer) => answer.status === status).length);
  const guess = (times: number, email: string, headers?: Record<string, string>) =>
    Promise.all(Array.from({ length: times }, () => signIn({ email, password: 'guess' }, headers)));

  test('[ACC-6] accepts a recognized browser, however many strangers guess', async () => {
    const { email, password } = await api.user('VIEWER');
    const known = cookieNamed(await signIn({ email, password }), 'carte_browser');
    const strangers = await guess(30, email);
    const elsewhere = await signIn({ email, password });
    const here = await signIn({ email, password }, { cookie: known });

    expect(known).toMatch(/^__Host-carte_browser=[\w-]{22}\.[\w-]{43}$/);
    expect(counts(strangers)).toEqual([25, 5]);
    expect([elsewhere.status, here.status]).toEqual([429, 200]);
    expect(cookieNamed(here, 'carte_browser')).toBe(known);
  });

  test('[ACC-6] throttles a recognized browser separately, for its own account only', async () => {
    const [{ email, password }, other] = [await api.user('VIEWER'), await api.user('VIEWER')];
    const known = cookieNamed(await signIn({ email, password }), 'carte_browser');
    const second = cookieNamed(await signIn({ email, password }), 'carte_browser');
    const from = { cookie: known, 'x-forwarded-for': '10.4.0.1' };
    const wrong = await guess(12, email, from);
    const [same, next] = [
      await signIn({ email, password }, from),
      await signIn({ email, password }, { cookie: second }),
    ];
    const forged = `${known.slice(0, -3)}AAA`;
    await guess(10, email, { cookie: forged, 'x-forwarded-for': '10.4.0.2' });
    const asForged = await signIn(
      { email, password },
      { cookie: forged, 'x-forwarded-for': '10.4.0.2' },
    );
    const ofOther = await guess(12, other.email, { cookie: known, 'x-forwarded-for': '10.4.0.3' });

    expect(counts(wrong)).toEqual([10, 2]);
    expect([same.status, next.status, asForged.status]).toEqual([429, 200, 429]);
    expect(counts(ofOther)).toEqual([10, 2]);
    expect((await signIn({ email: other.email, password: other.password })).status).toBe(200);
  });

  test('[ACC-6] throttles by account and address, even for the right password', async () => {
    const { email, password } = await api.user('VIEWER');
    const headers = { 'x-forwarded-for': '10.3.0.9' };
    const guesses = await guess(12, email, headers);
    const right = await signIn({ email, password }, headers);

    expect(guesses.filter((response) => response.status === 401)).toHaveLength(10);
    expect(guesses.filter((response) => response.status === 429)).toHaveLength(2);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(await right.json()).toMatchObject({ type: '/problems/rate-limited' });
  });

  test('throttles by address over many accounts, and successes do not count', async () => {
    const headers = { 'x-forwarded-for': '10.3.0.1' };
    const { email, password } = await api.user('VIEWER');
    for (let index = 0; index < 3; index += 1)
      expect((await signIn({ email, password }, headers)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 52 }, (_, index) =>
        signIn({ email: `guess${index}@carte.test`, password: 'x' }, headers),
      ),
    );

    expect(guesses.filter((response) => response.status === 429)).toHaveLength(2);
  });

  test('writes neither e-mail nor password to the log or the throttle', async () => {
    await signIn({ email: 'canary@carte.test', password: 'canary password' });
    const rows = await selectRows(api.deps.db, 'window_count', ['key']);

    expect(JSON.stringify(api.logged)).not.toMatch(/canary/);
    expect(JSON.stringify(rows)).not.toMatch(/canary/);
  });
});

describe('POST /auth/refresh', () => {
  test('[ACC-3] returns the next cookie and a working access token', async () => {
    const first = await read(await signIn(ADMIN));
    const second = await read(await refresh(first.cookie));

    expect(second.cookie).toMatch(/\.1\./);
    expect((await me(second.accessToken)).status).toBe(200);
  });

  test('returns the same successor to two tabs, even concurrently', async () => {
    const first = await read(await signIn(ADMIN));
    const tabs = await Promise.all(
      (await Promise.all(Array.from({ length: 8 }, () => refresh(first.cookie)))).map(read),
    );
    const [session] = await selectRows(api.deps.db, 'access_session', ['counter'], {
      id: sessionOf(first.cookie),
    });

    expect(new Set(tabs.map((tab) => tab.cookie)).size).toBe(1);
    expect(session?.counter).toBe(1);
  });

  test('[ACC-3] ends the session when an old cookie comes back later', async () => {
    const first = await read(await signIn(ADMIN));
    const second = await read(await refresh(first.cookie));
    await rotatedAgo(first.cookie, 11);
    const replayed = await refresh(first.cookie);

    expect(replayed.status).toBe(401);
    expect((await refresh(second.cookie)).status).toBe(401);
    expect((await me(second.accessToken)).status).toBe(401);
    expect(
      await selectRows(api.deps.db, 'access_session', ['endReason'], {
        id: sessionOf(first.cookie),
      }),
    ).toEqual([{ endReason: 'REUSED' }]);
  });

  test('ends the session immediately for a cookie two rotations old', async () => {
    const first = await read(await signIn(ADMIN));
    const second = await read(await refresh(first.cookie));
    const third = await read(await refresh(second.cookie));

    expect((await refresh(first.cookie)).status).toBe(401);
    expect((await refresh(third.cookie)).status).toBe(401);
  });

  test.each([
    ['a turned counter', (cookie: string) => cookie.replace('.0.', '.1.')],
    ['a changed signature', (cookie: string) => `${cookie.slice(0, -3)}AAA`],
    ['nonsense', () => `__Host-${REFRESH_COOKIE}=nonsense`],
    ['nothing', () => 'other=1'],
  ])('rejects %s and does not end the session', async (_, change) => {
    const first = await read(await signIn(ADMIN));
    const refused = await refresh(change(first.cookie));

    expect(refused.status).toBe(401);
    expect((await refresh(first.cookie)).status).toBe(200);
  });

  test('rejects an expired session and a disabled user', async () => {
    const user = await api.user('VIEWER');
    const first = await read(await signIn({ email: user.email, password: user.password }));
    const expired = await read(await signIn(ADMIN));
    await updateRows(api.deps.db, 'access_user', { isActive: false }, { id: user.id });
    await updateRows(
      api.deps.db,
      'access_session',
      { expiresAt: databaseNow() },
      { id: sessionOf(expired.cookie) },
    );

    expect((await refresh(first.cookie)).status).toBe(401);
    expect((await me(first.accessToken)).status).toBe(401);
    expect((await refresh(expired.cookie)).status).toBe(401);
  });
});

describe('the lifetime of a session', () => {
  /** Moves the start of a session, but not its last rotation. */
  const begunAgo = (cookie: string, hours: number) =>
    updateRows(
      api.deps.db,
      'access_session',
      { createdAt: ago(`${hours} hours`), rotatedAt: databaseNow() },
      { id: sessionOf(cookie) },
    );
  const DAY = 24;
  const viewer = async () => {
    const user = await api.user('VIEWER');
    return {
      user,
      session: await read(await signIn({ email: user.email, password: user.password })),
    };
  };
  const alive = async ({ accessToken, cookie }: SignedIn) => [
    (await me(accessToken)).status,
    (await refresh(cookie)).status,
  ];

  test('[ACC-3] ends after 30 days, even if its token was replaced', async () => {
    const [young, old] = [(await viewer()).session, (await viewer()).session];
    await begunAgo(young.cookie, 30 * DAY - 1);
    await begunAgo(old.cookie, 30 * DAY + 1);

    expect(await alive(young)).toEqual([200, 200]);
    expect(await alive(old)).toEqual([401, 401]);
  });

  test('[ACC-3] ends after 12 hours for users who can manage users, also if the permission is newer', async () => {
    const admin = await read(await signIn(ADMIN));
    const { user, session } = await viewer();
    for (const { cookie } of [admin, session]) await begunAgo(cookie, 11);
    const before = [(await me(admin.accessToken)).status, (await me(session.accessToken)).status];
    for (const { cookie } of [admin, session]) await begunAgo(cookie, 13);
    const asViewer = (await me(session.accessToken)).status;
    await giveRole(api.deps.db, user.id, 'ADMIN');

    expect([before, asViewer]).toEqual([[200, 200], 200]);
    expect([await alive(admin), await alive(session)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
  });
});

describe('POST /me/password', () => {
  const change = (accessToken: string, currentPassword: string) =>
    send('/me/password', {
      headers: { authorization: `Bearer ${accessToken}` },
      body: { currentPassword, newPassword: 'a quite different sentence' },
    });

  test('[ACC-6] counts wrong passwords per session, so that attacks on the sign-in do not block it', async () => {
    const { email, password } = await api.user('VIEWER');
    const [one, other] = [
      await read(await signIn({ email, password })),
      await read(await signIn({ email, password })),
    ];
    await Promise.all(Array.from({ length: 30 }, () => signIn({ email, password: 'guess' })));
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => change(other.accessToken, 'guess')),
    );
    const right = [
      await change(other.accessToken, password),
      await change(one.accessToken, password),
    ];

    expect(guesses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(422),
      429,
      429,
    ]);
    expect(right.map(({ status }) => status)).toEqual([429, 204]);
  });
});

describe('the list of own sessions', () => {
  type Listed = {
    items: { id: string; userAgent: string | null; isCurrent: boolean; endsAt: string }[];
    total: number;
  };
  const call = (method: string, path: string, accessToken: string) =>
    send(path, { method, headers: { authorization: `Bearer ${accessToken}` } });
  const list = async ({ accessToken }: SignedIn): Promise<Listed> =>
    (await (await call('GET', '/me/sessions', accessToken)).json()) as Listed;

  test('[ACC-10] shows the browser of each, and ends one of them or all but the current one', async () => {
    const { id, email, password } = await api.user('VIEWER');
    const open = (agent: string) => signIn({ email, password }, { 'user-agent': agent });
    const here = await read(await open('Firefox 140'));
    const others = [await read(await open('Safari 26')), await read(await open('x'.repeat(900)))];
    const before = await list(here);
    const second = sessionOf(others[0]!.cookie)!;
    const ended = await call('DELETE', `/me/sessions/${second}`, here.accessToken);
    const again = await call('DELETE', `/me/sessions/${second}`, here.accessToken);
    const gone = (await me(others[0]!.accessToken)).status;
    const rest = await call('DELETE', '/me/sessions', here.accessToken);

    expect(before.items.map((item) => item.userAgent)).toEqual([
      'x'.repeat(200),
      'Safari 26',
      'Firefox 140',
    ]);
    expect(before.items.filter(({ isCurrent }) => isCurrent)).toMatchObject([
      { id: sessionOf(here.cookie) },
    ]);
    expect(Date.parse(before.items[0]!.endsAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect([ended.status, again.status, gone, rest.status]).toEqual([204, 404, 401, 204]);
    expect([
      (await me(others[1]!.accessToken)).status,
      (await refresh(others[1]!.cookie)).status,
    ]).toEqual([401, 401]);
    expect((await list(here)).items).toMatchObject([{ isCurrent: true }]);
    const audit = await selectRows(
      api.deps.db,
      'audit_entry',
      ['after'],
      { action: 'end-sessions', entityId: String(id) },
      { orderBy: 'id' },
    );
    expect(audit).toEqual([{ after: { sessions: 1 } }, { after: { sessions: 1 } }]);
  });

  test('[ACC-10] omits sessions of other users, which are not found', async () => {
    const [{ accessToken }, other] = [await read(await signIn(ADMIN)), await api.user('VIEWER')];
    const theirs = await read(await signIn({ email: other.email, password: other.password }));

    expect(
      (await call('DELETE', `/me/sessions/${sessionOf(theirs.cookie)}`, accessToken)).status,
    ).toBe(404);
    expect((await me(theirs.accessToken)).status).toBe(200);
  });
});

describe('a request from a page of another origin', () => {
  test.each([
    ['an origin that is not named', 'https://evil.test', 403],
    ['an origin that only begins like ours', 'https://admin.carte.test.evil.test', 403],
    ['a page without an origin of its own', 'null', 403],
    ['the admin UI', 'https://admin.carte.test', 200],
    ['no page at all', undefined, 200],
  ])('[ACC-12] fails unless the origin is in ADMIN_ORIGINS: %s', async (_, origin, status) => {
    const { cookie } = await read(await signIn(ADMIN));
    const headers = { cookie, ...(origin === undefined ? {} : { origin }) };

    expect((await send('/auth/refresh', { headers })).status).toBe(status);
    expect((await send('/me', { method: 'GET', headers })).status).toBe(401);
  });

  test('[ACC-12] succeeds from a page of the server itself, like the documentation', async () => {
    const { cookie } = await read(await signIn(ADMIN));
    expect((await send('/auth/refresh', { headers: { cookie, origin: api.url } })).status).toBe(
      200,
    );
  });
});

describe('POST /auth/logout', () => {
  test('[ACC-4] ends both tokens immediately and clears the cookie, also when repeated', async () => {
    const { accessToken, cookie } = await read(await signIn(ADMIN));
    const answers = [
      await send('/auth/logout', { headers: { cookie } }),
      await send('/auth/logout', { headers: { cookie } }),
      await send('/auth/logout'),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204]);
    expect(answers[0]!.headers.get('set-cookie')).toMatch(/^__Host-carte_refresh=; .*Max-Age=0/);
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
  test('[ACC-5] returns the profile with the current permissions, not those of the sign-in', async () => {
    const user = await api.user('VIEWER');
    const { accessToken } = await read(
      await signIn({ email: user.email, password: user.password }),
    );
    const before = (await (await me(accessToken)).json()) as { permissions: string[] };
    await giveRole(api.deps.db, user.id, 'ADMIN');
    const after = (await (await me(accessToken)).json()) as object;

    expect(before.permissions).not.toContain('users.manage');
    expect(after).toEqual({
      id: user.id,
      email: user.email,
      fullName: 'Test user',
      organizationIds: null,
      roles: ['ADMIN', 'VIEWER'],
      permissions: [...PERMISSIONS],
      mustChangePassword: false,
      secondFactor: { isOn: false, isDemanded: false, recoveryCodesLeft: 0 },
    });
  });

  test.each([
    ['no token', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['nonsense', { authorization: 'Bearer nonsense' }],
    ['a token without a signature', { authorization: `Bearer ${unsigned()}` }],
  ])('answers 401 with WWW-Authenticate to %s', async (_, headers) => {
    const response = await send('/me', {
      method: 'GET',
      headers: headers as Record<string, string>,
    });

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('accepts a token that another instance has signed', async () => {
    const { accessToken } = await read(await signIn(ADMIN));
    const other = createKeyring({ db: api.deps.db, secrets: api.deps.secrets });

    expect(await verifyAccessToken(other, accessToken)).toMatchObject({
      userId: expect.any(Number),
    });
  });
});

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', kid: 'x' })}.${part({ sub: '1', sid: 'x', exp: 9_999_999_999 })}.`;
}
