import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOTP, Secret } from 'otpauth';
import { routes } from '../../../api/routes.ts';
import type { SecurityEventKind } from '../../../modules/access/schemas/security-events.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { ago, countRows, deleteRows, selectRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let strict: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  database = await migratedDatabase();
  const env = { TRUST_PROXY: 'on', RATE_LIMIT_ADMIN: 'off', RATE_LIMIT_SIGN_IN: 'off' };
  api = await startTestApi({ routes, database, env });
  strict = await startTestApi({
    routes,
    database,
    env: { ...env, SECOND_FACTOR_FOR_ADMINISTRATORS: 'on' },
  });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(async () => {
  await api?.stop();
  await strict?.stop();
  await database?.close();
});

type User = Awaited<ReturnType<TestApi['user']>>;
type Signed = { status: number; body: { type?: string; accessToken?: string }; cookies: string[] };

let addresses = 0;
const anAddress = () => `10.9.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;
/** Signs in from a new client address, unless `headers` contain an address. */
async function signIn(
  { email, password }: { email: string; password: string },
  code?: string,
  headers: Record<string, string> = {},
  url = api.url,
): Promise<Signed> {
  const response = await fetch(`${url}/api/admin/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anAddress(), ...headers },
    body: JSON.stringify({ email, password, ...(code === undefined ? {} : { code }) }),
  });
  const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0]!);
  return { status: response.status, body: (await response.json()) as Signed['body'], cookies };
}
const kindOf = ({ status, body }: Signed) => `${status} ${body.type ?? ''}`;
const ASKED = '401 /problems/second-factor-required';
const REFUSED = '401 /problems/unauthorized';

/** Returns the code `steps` of 30 s from now. */
const generateCode = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => generateCode(secret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !right.has(code),
  )!;
}
/** Makes codes usable again, as after 30 s. */
const later = (userId: number) =>
  updateRows(api.deps.db, 'access_second_factor', { lastStep: 0 }, { userId });
const session = (user: User) => adminClient(api.url, user.email, user.password);

async function begin(client: AdminClient, { password }: User) {
  return client.post<{ secret: string; uri: string }>('/me/second-factor', {
    currentPassword: password,
  });
}
async function protectedUser(role = 'VIEWER') {
  const user = await api.user(role);
  const client = await session(user);
  const { secret } = await begin(client, user);
  const { recoveryCodes } = await client.post<{ recoveryCodes: string[] }>(
    '/me/second-factor/confirm',
    {
      code: generateCode(secret),
    },
  );
  await later(user.id);
  return { user, client, secret, recoveryCodes };
}
const readEvents = async (userId: number) =>
  (
    await api.deps.db.query<{ kind: SecurityEventKind }>(
      `select kind from security_event where user_id = $1 and kind like any ('{SECOND%,RECOVERY%}') order by id`,
      [userId],
    )
  ).map(({ kind }) => kind);
const readEntries = async (userId: number) =>
  (
    await api.deps.db.query<{ text: string }>(
      `select action || ' ' || coalesce(after::text, '') as text from audit_entry where entity_type = 'user' and entity_id = $1::text
        and action in ('sign-in', 'set-second-factor', 'remove-second-factor') order by id`,
      [userId],
    )
  ).map(({ text }) => text.trim());

describe('a second factor', () => {
  test('[ACC-18] takes effect when its first code is confirmed, and other sessions end', async () => {
    const user = await api.user('VIEWER');
    const [here, there] = [await session(user), await session(user)];
    const { secret, uri } = await begin(here, user);
    const before = await signIn(user);
    const wrong = await here.raw('POST', '/me/second-factor/confirm', { code: wrongCode(secret) });
    const confirmed = await here.post<{ recoveryCodes: string[] }>('/me/second-factor/confirm', {
      code: generateCode(secret),
    });

    expect(uri).toMatch(new RegExp(`^otpauth://totp/Carte:.*secret=${secret}`));
    expect(before.status).toBe(200);
    expect(await awaitRefusal(Promise.resolve(wrong))).toMatchObject({
      status: 422,
      errors: [{ field: 'code' }],
    });
    expect(new Set(confirmed.recoveryCodes).size).toBe(10);
    expect(kindOf(await signIn(user))).toBe(ASKED);
    expect((await there.raw('GET', '/me')).status).toBe(401);
    expect(await here.get('/me')).toMatchObject({
      secondFactor: { isOn: true, isDemanded: false, recoveryCodesLeft: 10 },
    });
    expect(await admin.get(`/users/${user.id}`)).toMatchObject({ hasSecondFactor: true });
    expect(await readEvents(user.id)).toEqual(['SECOND_FACTOR_REFUSED']);
    expect(await readEntries(user.id)).toContain('set-second-factor');
  });

  test('[ACC-18] requires the password, must be confirmed in 15 minutes and replaces no second factor', async () => {
    const user = await api.user('VIEWER');
    const client = await session(user);
    const guessed = await awaitRefusal(
      client.raw('POST', '/me/second-factor', { currentPassword: 'wrong' }),
    );
    const nothing = await awaitRefusal(
      client.raw('POST', '/me/second-factor/confirm', { code: '123456' }),
    );
    const first = await begin(client, user);
    await updateRows(
      api.deps.db,
      'access_second_factor',
      { createdAt: ago('16 minutes') },
      { userId: user.id },
    );
    const late = await awaitRefusal(
      client.raw('POST', '/me/second-factor/confirm', { code: generateCode(first.secret) }),
    );
    const second = await begin(client, user);
    await client.post('/me/second-factor/confirm', { code: generateCode(second.secret) });
    const third = await awaitRefusal(
      client.raw('POST', '/me/second-factor', { currentPassword: user.password }),
    );

    expect(guessed).toMatchObject({ status: 422, errors: [{ field: 'currentPassword' }] });
    for (const refusal of [nothing, late, third])
      expect(refusal).toMatchObject({ status: 409, type: '/problems/invalid-transition' });
    expect(second.secret).not.toBe(first.secret);
  });

  test('[ACC-18] reaches the database only encrypted, and its recovery codes as digests', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    const rows = JSON.stringify([
      await selectRows(api.deps.db, 'access_second_factor', '*', { userId: user.id }),
      await selectRows(api.deps.db, 'audit_entry', '*'),
      api.logged,
    ]);

    expect(rows).not.toContain(secret);
    for (const code of recoveryCodes) expect(rows).not.toContain(code);
  });
});

describe('the sign-in with a second factor', () => {
  test('[ACC-18] accepts a code of the app once, also in concurrent requests, and audits its kind', async () => {
    const { user, secret } = await protectedUser();
    const code = generateCode(secret);
    const answers = await Promise.all([signIn(user, code), signIn(user, code), signIn(user, code)]);
    const again = await signIn(user, code);
    const earlier = await signIn(user, generateCode(secret, -1));

    expect(answers.map(kindOf).toSorted()).toEqual(['200 ', REFUSED, REFUSED]);
    expect([kindOf(again), kindOf(earlier)]).toEqual([REFUSED, REFUSED]);
    expect((await readEntries(user.id)).at(-1)).toBe(
      'sign-in {"method": "PASSWORD", "secondFactor": "CODE"}',
    );
    expect(await readEvents(user.id)).toEqual(Array<string>(4).fill('SECOND_FACTOR_REFUSED'));
  });

  test.each([
    [-2, REFUSED],
    [-1, '200 '],
    [1, '200 '],
    [3, REFUSED],
  ])('[ACC-18] answers, with a clock that is %d steps off, with %s', async (steps, answer) => {
    const { user, secret } = await protectedUser();
    // The server and the test must be in the same time step.
    const left = 30_000 - (Date.now() % 30_000);
    if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left + 100));

    expect(kindOf(await signIn(user, generateCode(secret, steps)))).toBe(answer);
  });

  test('[ACC-18] accepts each recovery code once, in any spelling', async () => {
    const { user, recoveryCodes } = await protectedUser();
    const [first = '', second = ''] = recoveryCodes;
    const answers = await Promise.all([signIn(user, first), signIn(user, first)]);
    const typed = await signIn(user, ` ${second.toUpperCase().replaceAll('-', ' ')} `);
    const again = await signIn(user, second);

    expect(answers.map(kindOf).toSorted()).toEqual(['200 ', REFUSED]);
    expect([kindOf(typed), kindOf(again)]).toEqual(['200 ', REFUSED]);
    expect(await readEvents(user.id)).toEqual(
      expect.arrayContaining(['RECOVERY_CODE_USED', 'RECOVERY_CODE_USED']),
    );
    const me = await adminClient(api.url, ADMIN.email, ADMIN.password);
    expect(await me.get(`/users/${user.id}`)).toMatchObject({ hasSecondFactor: true });
    const [row] = await api.deps.db.query(
      'select cardinality(recovery_digests) as left from access_second_factor where user_id = $1',
      [user.id],
    );
    expect(row).toEqual({ left: 8 });
  });

  test('[ACC-18] reveals a second factor only to callers with the password', async () => {
    const { user, secret } = await protectedUser();
    const wrong = { ...user, password: 'not the password' };
    const nobody = { ...user, email: 'nobody@carte.test' };
    const answers = [
      await signIn(wrong),
      await signIn(wrong, generateCode(secret)),
      await signIn(nobody, '123456'),
    ];

    expect(answers.map(kindOf)).toEqual([REFUSED, REFUSED, REFUSED]);
    expect(kindOf(await signIn(user, generateCode(secret)))).toBe('200 ');
  });

  test('[ACC-18] counts wrong codes like wrong passwords, and a request without a code resets nothing', async () => {
    const { user, secret } = await protectedUser();
    const from = { 'x-forwarded-for': '10.9.200.1' };
    const answers: string[] = [];
    const asked: string[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      answers.push(kindOf(await signIn(user, wrongCode(secret), from)));
      asked.push(kindOf(await signIn(user, undefined, from)));
    }

    expect(answers).toEqual([
      ...Array<string>(10).fill(REFUSED),
      ...Array<string>(2).fill('429 /problems/rate-limited'),
    ]);
    expect(asked.slice(0, 9)).toEqual(Array<string>(9).fill(ASKED));
  });

  test('[ACC-18] accepts twenty wrong codes a day, and does not lock out a recognized browser', async () => {
    const { user, secret } = await protectedUser();
    const { cookies } = await signIn(user, generateCode(secret));
    const existing = { cookie: cookies.find((text) => text.startsWith('carte_browser='))! };
    const answers: string[] = [];
    for (let attempt = 0; attempt < 22; attempt += 1)
      answers.push(kindOf(await signIn(user, wrongCode(secret))));
    await later(user.id);

    expect(answers.filter((answer) => answer === REFUSED)).toHaveLength(20);
    expect(answers.filter((answer) => answer.startsWith('429'))).toHaveLength(2);
    expect(kindOf(await signIn(user, generateCode(secret)))).toBe('429 /problems/rate-limited');
    expect(kindOf(await signIn(user, generateCode(secret), existing))).toBe('200 ');
  });

  test('[ACC-18] ends a concurrent sign-in by password alone when the factor is confirmed', async () => {
    const user = await api.user('VIEWER');
    const client = await session(user);
    const { secret } = await begin(client, user);
    const held = await holdTable(api.deps.db, 'access_session');
    const early = signIn(user);
    await held.waits(1);
    const confirmed = client.raw('POST', '/me/second-factor/confirm', {
      code: generateCode(secret),
    });
    await held.waits(2);
    await held.release();
    const [{ body }, { status }] = await Promise.all([early, confirmed]);
    const { accessToken } = body;
    const me = await fetch(`${api.url}/api/admin/v1/me`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });

    expect([typeof accessToken, status]).toEqual(['string', 200]);
    expect(me.status).toBe(401);
  });
});

describe('the removal of a second factor', () => {
  test('[ACC-18] requires the password and a code of its user, which are throttled separately', async () => {
    const { user, client, secret, recoveryCodes } = await protectedUser();
    const remove = (code: string, currentPassword = user.password) =>
      client.raw('POST', '/me/second-factor/remove', { currentPassword, code });
    const guessed = await remove(generateCode(secret), 'wrong');
    const codes: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      codes.push((await remove(wrongCode(secret))).status);
    const locked = await remove(recoveryCodes[0]!);
    await deleteRows(api.deps.db, 'window_count');
    const removed = await remove(recoveryCodes[0]!);

    expect(guessed.status).toBe(422);
    expect(codes).toEqual([...Array<number>(10).fill(422), 429]);
    expect([locked.status, removed.status]).toEqual([429, 204]);
    expect((await signIn(user)).status).toBe(200);
    expect((await readEvents(user.id)).at(-1)).toBe('SECOND_FACTOR_REMOVED');
    expect(await readEntries(user.id)).toContain('remove-second-factor');
  });

  test('[ACC-18] can be done by another administrator, with an audit entry and a security event', async () => {
    const { user } = await protectedUser();
    const own = await protectedUser('ADMIN');
    const viewer = await session(await api.user('VIEWER'));
    const path = `/users/${user.id}/second-factor`;
    const forbidden = await viewer.raw('DELETE', path);
    const self = await awaitRefusal(
      own.client.raw('DELETE', `/users/${own.user.id}/second-factor`),
    );
    const removed = await admin.raw('DELETE', path);
    const twice = await admin.raw('DELETE', path);

    expect(forbidden.status).toBe(403);
    expect(self).toMatchObject({ status: 409, type: '/problems/invalid-transition' });
    expect([removed.status, twice.status]).toEqual([204, 404]);
    expect((await signIn(user)).status).toBe(200);
    expect(kindOf(await signIn(own.user))).toBe(ASKED);
    expect(await readEvents(user.id)).toEqual(['SECOND_FACTOR_REMOVED']);
    expect(
      await selectRows(api.deps.db, 'audit_entry', ['actorType'], {
        action: 'remove-second-factor',
        entityId: String(user.id),
      }),
    ).toEqual([{ actorType: 'USER' }]);
  });

  test('[ACC-18] happens when the user is deleted', async () => {
    const { user } = await protectedUser();
    expect((await admin.raw('DELETE', `/users/${user.id}`)).status).toBe(204);
    expect(await countRows(api.deps.db, 'access_second_factor', { userId: user.id })).toBe(0);
  });
});

describe('a second factor required for administrators', () => {
  const as = (accessToken: string | undefined, path: string, body?: object) =>
    fetch(`${strict.url}/api/admin/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('[ACC-19] restricts an administrator without one to its set-up', async () => {
    const user = await api.user('ADMIN');
    const { accessToken } = (await signIn(user, undefined, {}, strict.url)).body;
    const refusals = [
      await awaitRefusal(as(accessToken, '/users')),
      await awaitRefusal(as(accessToken, '/me/sessions')),
      await awaitRefusal(
        as(accessToken, '/me/password', { currentPassword: user.password, newPassword: 'x' }),
      ),
    ];
    const me = (await (await as(accessToken, '/me')).json()) as object;
    const { secret } = (await (
      await as(accessToken, '/me/second-factor', { currentPassword: user.password })
    ).json()) as { secret: string };
    const confirmed = await as(accessToken, '/me/second-factor/confirm', {
      code: generateCode(secret),
    });

    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 403,
        type: '/problems/forbidden',
        detail: 'Set up a second factor first: POST /me/second-factor',
      });
    expect(me).toMatchObject({ permissions: [], secondFactor: { isOn: false, isDemanded: true } });
    expect(confirmed.status).toBe(200);
    expect((await as(accessToken, '/users')).status).toBe(200);
  });

  test('[ACC-19] concerns neither other users nor users of an identity provider', async () => {
    const viewer = (await signIn(await api.user('VIEWER'), undefined, {}, strict.url)).body
      .accessToken;
    const user = await api.user('ADMIN');
    const provided = (await signIn(user, undefined, {}, strict.url)).body.accessToken;
    await updateRows(api.deps.db, 'access_session', { method: 'SSO' }, { userId: user.id });

    expect((await as(viewer, '/products')).status).toBe(200);
    expect((await as(provided, '/users')).status).toBe(200);
  });
});
