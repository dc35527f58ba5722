import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { createApiKey } from '../../../modules/access/api-keys/api-keys.ts';
import { newKeyToken, prefixOfToken } from '../../../modules/access/api-keys/key-token.ts';
import type { ApiKeyWithToken } from '../../../modules/access/schemas/api-keys.ts';
import { KEY_PERMISSIONS } from '../../../kernel/pure/permissions.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { ago, selectRows, updateRows } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let other: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  database = await migratedDatabase();
  api = await startTestApi({ database, routes });
  other = await startTestApi({ database, routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(async () => {
  await other?.stop();
  await api?.stop();
  await database?.close();
});

const until = (what: string, probe: () => Promise<boolean>) =>
  eventually(what, async () => (await probe()) || undefined);
const createKey = (fields: object = {}) =>
  admin.post<ApiKeyWithToken>('/api-keys', {
    name: 'Export',
    use: 'ADMIN',
    permissions: ['catalog.read'],
    ...fields,
  });
const call = (token: string, path: string, { method = 'GET', body, at = api }: CallOptions = {}) =>
  fetch(`${at.url}/api/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
type CallOptions = { method?: string; body?: unknown; at?: TestApi };
const readStatus = async (token: string, path: string, options?: CallOptions) =>
  (await call(token, path, options)).status;
const readEvents = (kind: string) =>
  selectRows(database.db, 'security_event', ['userId'], { kind: kind as never });

describe('a token of an API key', () => {
  test('[ACC-32] contains a checksum in the documented format, which a wrong character breaks', async () => {
    const { token } = await createKey();

    expect(token).toMatch(/^carte_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(prefixOfToken(token)).toBe(token.slice(0, 18));
    expect(prefixOfToken(token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBeNull();
  });

  test('[ACC-65] keeps permissions of a newer release, which are not shown', async () => {
    const { id, version } = await createKey();
    const stored = ['catalog.read', 'newer.manage'] as never;
    await updateRows(database.db, 'access_api_key', { permissions: stored }, { id });
    const shown = await admin.get<ApiKeyWithToken>(`/api-keys/${id}`);
    const renamed = await admin.patch<ApiKeyWithToken>(`/api-keys/${id}`, {
      version,
      name: 'Other',
    });
    const permissionsNow = async () => {
      const [row] = await selectRows(database.db, 'access_api_key', ['permissions'], { id });
      return row!.permissions;
    };
    const afterName = await permissionsNow();
    const permissions = ['audit.read'];
    await admin.patch(`/api-keys/${id}`, { version: renamed.version, permissions });

    expect(shown).toMatchObject({
      permissions: ['catalog.read'],
      effectivePermissions: ['catalog.read'],
    });
    expect(afterName).toEqual(stored);
    expect(await permissionsNow()).toEqual(['audit.read', 'newer.manage']);
  });

  test('[HTTP-7] shows times of a key and of its secrets in the same format', async () => {
    const { id, createdAt } = await createKey();
    const { secrets } = await admin.post<ApiKeyWithToken>(`/api-keys/${id}/rotate`, {
      overlapHours: 1,
    });

    const form = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(createdAt).toEqual(form);
    expect(secrets).toMatchObject([
      { createdAt: form, validUntil: null },
      { createdAt: form, validUntil: form },
    ]);
  });

  test('[ACC-30] appears once and is stored only as a digest', async () => {
    const { token, ...key } = await createKey();
    const secret = token.slice(19);
    const tables = [
      'access_api_key',
      'access_api_key_secret',
      'access_user',
      'audit_entry',
      'idempotency_key',
    ];
    const stored = await Promise.all(
      tables.map((name) => database.db.query(`select t::text from ${name} t`)),
    );

    expect(await admin.get(`/api-keys/${key.id}`)).toEqual(key);
    expect(JSON.stringify(stored)).toContain(token.slice(0, 18));
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test('[ACC-30] appears again for the same idempotency key and is not stored in plain text', async () => {
    const body = { name: 'Twice', use: 'STOREFRONT' };
    const send = () =>
      admin.post<ApiKeyWithToken>('/api-keys', body, { 'idempotency-key': 'create-key-twice' });
    const [first, second] = [await send(), await send()];
    const answers = await database.db.query(`select t::text from idempotency_key t`);

    expect(second).toEqual(first);
    expect(JSON.stringify(answers)).not.toContain(first.token.slice(19));
  });
});

test('[ACC-30] a repeated creation does not show the token of a key that was revoked meanwhile', async () => {
  const send = (path: string, body: object, key: string) =>
    admin.raw('POST', path, body, { 'idempotency-key': key });
  const made = await send('/api-keys', { name: 'Once', use: 'STOREFRONT' }, 'create-then-revoke');
  const { id } = (await made.json()) as { id: number };
  const rotated = await send(`/api-keys/${id}/rotate`, {}, 'rotate-then-revoke');
  await admin.raw('DELETE', `/api-keys/${id}`);
  const again = await send('/api-keys', { name: 'Once', use: 'STOREFRONT' }, 'create-then-revoke');
  const rotatedAgain = await send(`/api-keys/${id}/rotate`, {}, 'rotate-then-revoke');

  expect([made.status, rotated.status]).toEqual([201, 200]);
  expect([again.status, rotatedAgain.status]).toEqual([409, 409]);
  expect(await again.text()).not.toContain('carte_');
});

describe('[ACC-53] the keys of a user', () => {
  async function userWithKeys() {
    const { id, email, password } = await api.user('ADMIN');
    const user = await adminClient(api.url, email, password);
    const make = (fields: object) =>
      user.post<ApiKeyWithToken>('/api-keys', { name: 'Of a user', ...fields });
    const keys = [
      await make({ use: 'ADMIN', permissions: ['catalog.read'] }),
      await make({ use: 'STOREFRONT' }),
      await make({ use: 'STOREFRONT', name: 'Revoked' }),
    ] as const;
    await user.raw('DELETE', `/api-keys/${keys[2].id}`);
    const view = await admin.get<{ version: number; apiKeys: { id: number }[] }>(`/users/${id}`);
    const own = (query = '') =>
      admin.get<{ items: ApiKeyWithToken[] }>(`/api-keys?created_by=${id}${query}`);
    return { id, user, keys, view, own };
  }
  const isOff = (token: string) =>
    until('the key is revoked', async () => (await readStatus(token, '/products')) === 401);

  test('[ACC-55] appear with the user, and by creator, owner and revocation', async () => {
    const { id, keys, view, own } = await userWithKeys();

    expect(view.apiKeys).toEqual(
      keys.slice(0, 2).map((key) => ({ id: key.id, name: 'Of a user' })),
    );
    expect((await own()).items.map((key) => key.id)).toEqual(
      keys.map((key) => key.id).toReversed(),
    );
    expect((await own('&revoked=true')).items.map((key) => key.id)).toEqual([keys[2].id]);
    expect((await own(`&revoked=false&owner_id=${id}`)).items).toHaveLength(2);
  });

  test.each([
    [
      'disabled',
      (id: number, version: number) => admin.patch(`/users/${id}`, { version, isActive: false }),
    ],
    ['deleted', (id: number) => admin.raw('DELETE', `/users/${id}`)],
  ])('lose their validity when the user is %s', async (_, end) => {
    const { id, keys, view, own } = await userWithKeys();
    await end(id, view.version);
    await isOff(keys[0].token);

    expect((await own('&revoked=false')).items).toEqual([]);
    const { items } = await admin.get<{ items: object[] }>(
      `/audit?entity_type=api-key&entity_id=${keys[1].id}`,
    );
    expect(items).toMatchObject([{ action: 'revoke' }, { action: 'create' }]);
  });

  test.each([
    [
      'disabled',
      (id: number, version: number) =>
        admin.patch(`/users/${id}`, { version, isActive: false, apiKeys: 'TAKE_OVER' }),
    ],
    ['deleted', (id: number) => admin.raw('DELETE', `/users/${id}?api_keys=TAKE_OVER`)],
  ])('continue when the user is %s and the administrator takes them over', async (_, end) => {
    const { id, keys, view, own } = await userWithKeys();
    await end(id, view.version);
    const { items } = await own('&revoked=false');

    expect(items.map(({ ownerId }) => ownerId)).not.toContain(id);
    expect(items).toMatchObject([
      { effectivePermissions: [] },
      { effectivePermissions: ['catalog.read'] },
    ]);
    expect(await readStatus(keys[0].token, '/products')).toBe(200);
  });

  test.each([
    [
      'disable',
      (user: AdminClient, id: number, version: number) =>
        user.raw('PATCH', `/users/${id}`, { version, isActive: false, apiKeys: 'TAKE_OVER' }),
    ],
    [
      'delete',
      (user: AdminClient, id: number) => user.raw('DELETE', `/users/${id}?api_keys=TAKE_OVER`),
    ],
  ])('cannot be taken over by users who %s themselves', async (_, end) => {
    const { id, user, keys, own } = await userWithKeys();
    const { version } = await admin.get<{ version: number }>(`/users/${id}`);
    const answer = await end(user, id, version);

    expect(answer.status).toBe(403);
    expect((await own('&revoked=false')).items).toHaveLength(2);
    expect(await readStatus(keys[0].token, '/products')).toBe(200);
  });

  test('change only when the user is disabled', async () => {
    const { id, view } = await userWithKeys();
    const answer = await admin.raw('PATCH', `/users/${id}`, {
      version: view.version,
      apiKeys: 'TAKE_OVER',
    });

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field: 'apiKeys' }] });
  });

  test('make a creation fail if the user is disabled meanwhile', async () => {
    const { id, own } = await userWithKeys();
    const { db } = database;
    const actor = { type: 'USER', userId: id, requestId: null } as const;
    let creating: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.db
        .updateTable('access_user')
        .set({ isActive: false })
        .where('id', '=', id)
        .execute();
      creating = createApiKey({ db, secrets: api.deps.secrets }, actor, {
        name: 'Late',
        use: 'STOREFRONT',
      });
      await Promise.race([
        creating.catch(() => undefined),
        eventually('the creation waits', async () =>
          (await waitingSessions(db)) === 1 ? true : undefined,
        ),
      ]);
    });

    await expect(creating).rejects.toMatchObject({ kind: 'unauthorized' });
    expect((await own()).items).toHaveLength(3);
  });
});

describe('a key of the admin API', () => {
  test('[ACC-31] may use its permissions and nothing else', async () => {
    const { token } = await createKey({ permissions: ['catalog.read'] });

    expect(await readStatus(token, '/products')).toBe(200);
    expect(await readStatus(token, '/orders/00000000-0000-4000-8000-000000000000')).toBe(403);
    expect(
      await readStatus(token, '/categories', { method: 'POST', body: { name: 'Soups' } }),
    ).toBe(403);
  });

  test('[ACC-31] cannot manage users, roles, keys or sessions with any permission that a key may have', async () => {
    const { token, id } = await createKey({ permissions: KEY_PERMISSIONS });
    const refused = ['/users', '/roles', '/api-keys', '/me', '/me/sessions'];

    expect(await Promise.all(refused.map((path) => readStatus(token, path)))).toEqual(
      refused.map(() => 403),
    );
    expect(await readStatus(token, `/api-keys/${id}/rotate`, { method: 'POST', body: {} })).toBe(
      403,
    );
    const wanted = { name: 'More', use: 'ADMIN', permissions: ['users.manage'] };
    expect((await admin.raw('POST', '/api-keys', wanted)).status).toBe(422);
  });

  test('[ACC-31] never exceeds the permissions of its creator, also after a change', async () => {
    await admin.post('/roles', {
      code: 'KEYS',
      name: 'Keys',
      permissions: ['keys.manage', 'catalog.read'],
    });
    const { email, password } = await api.user('KEYS');
    const limited = await adminClient(api.url, email, password);
    const own = await limited.post<ApiKeyWithToken>('/api-keys', {
      name: 'Own',
      use: 'ADMIN',
      permissions: ['catalog.read'],
    });
    const strong = await createKey({ permissions: ['catalog.write'] });
    const more = { version: 1, permissions: ['catalog.write'] };

    expect((await limited.raw('PATCH', `/api-keys/${own.id}`, more)).status).toBe(403);
    expect((await limited.raw('POST', `/api-keys/${strong.id}/rotate`, {})).status).toBe(403);
    expect((await limited.raw('DELETE', `/api-keys/${strong.id}`)).status).toBe(204);
  });

  test('[ACC-54] loses what its owner loses within a second, and receives it back', async () => {
    const { id: roleId } = await admin.post<{ id: number }>('/roles', {
      code: 'KEYS_LOSING',
      name: 'Keys',
      permissions: ['keys.manage', 'catalog.read', 'audit.read'],
    });
    const { email, password, id: userId } = await api.user('KEYS_LOSING');
    const owner = await adminClient(api.url, email, password);
    const { id, token } = await owner.post<ApiKeyWithToken>('/api-keys', {
      name: 'Reports',
      use: 'ADMIN',
      permissions: ['catalog.read', 'audit.read'],
    });
    const becomes = (status: number) =>
      until(`the key is answered ${status}`, async () => {
        const statuses = await Promise.all(
          [api, other].map((at) => readStatus(token, '/audit', { at })),
        );
        return statuses.every((entry) => entry === status);
      });
    const readPermissions = async () =>
      (await admin.get<ApiKeyWithToken>(`/api-keys/${id}`)).effectivePermissions;
    await becomes(200);
    await admin.patch(`/roles/${roleId}`, {
      version: 1,
      permissions: ['keys.manage', 'catalog.read'],
    });
    await becomes(403);
    expect(await readStatus(token, '/products')).toBe(200);
    expect(await readPermissions()).toEqual(['catalog.read']);
    await admin.patch(`/roles/${roleId}`, {
      version: 2,
      permissions: ['keys.manage', 'catalog.read', 'audit.read'],
    });
    await becomes(200);

    const roles = (codes: string[]) =>
      admin
        .get<{ version: number }>(`/users/${userId}`)
        .then(({ version }) => admin.patch(`/users/${userId}`, { version, roles: codes }));
    await roles([]);
    await becomes(403);
    expect(await readPermissions()).toEqual([]);
    const taken = await admin.post<ApiKeyWithToken>(`/api-keys/${id}/take-over`);
    await becomes(200);
    await admin.post(`/api-keys/${id}/take-over`);

    expect(taken).toMatchObject({
      createdBy: { id: userId },
      effectivePermissions: ['audit.read', 'catalog.read'],
    });
    expect(taken.ownerId).not.toBe(userId);
    const { items } = await admin.get<{ items: object[] }>(
      `/audit?entity_type=api-key&entity_id=${id}`,
    );
    expect(items).toMatchObject([
      { action: 'take-over', before: { ownerId: userId }, after: { ownerId: taken.ownerId } },
      { action: 'create' },
    ]);
  });

  test('[ACC-54] can be taken over only by a user with its permissions, and not after its revocation', async () => {
    await admin.post('/roles', { code: 'KEYS_ONLY', name: 'Keys', permissions: ['keys.manage'] });
    const { email, password } = await api.user('KEYS_ONLY');
    const limited = await adminClient(api.url, email, password);
    const { id } = await createKey({ permissions: ['catalog.write'] });

    expect((await limited.raw('POST', `/api-keys/${id}/take-over`)).status).toBe(403);
    await admin.raw('DELETE', `/api-keys/${id}`);
    expect((await admin.raw('POST', `/api-keys/${id}/take-over`)).status).toBe(409);
  });

  test('[ACC-33] appears as author of its changes in the audit, but not among the users', async () => {
    const { token, id } = await createKey({
      name: 'Menu sync',
      permissions: ['catalog.write', 'catalog.read'],
    });
    const made = await call(token, '/badges', {
      method: 'POST',
      body: { code: 'BY_KEY', name: 'By key' },
    });
    const { items } = await admin.get<{ items: object[] }>(`/audit?user_id=${id}`);
    const users = await admin.get<{ items: { id: number }[] }>('/users?size=200');

    expect(made.status).toBe(201);
    expect(items).toMatchObject([
      { userId: id, apiKeyId: id, userName: 'Menu sync', entityType: 'badge' },
    ]);
    expect(users.items.map((user) => user.id)).not.toContain(id);
    expect((await admin.raw('GET', `/users/${id}`)).status).toBe(404);
  });

  test('[ACC-33] records its last use at most once a minute', async () => {
    const { token, id } = await createKey();
    const lastUse = async () =>
      (
        await selectRows(database.db, 'access_api_key', ['lastUsedAt'], { id })
      )[0]!.lastUsedAt?.getTime() ?? null;
    await call(token, '/products');
    await until('the use is recorded', async () => (await lastUse()) !== null);
    const first = await lastUse();
    const next = await createKey();
    await call(token, '/products', { at: other });
    await call(next.token, '/products', { at: other });
    await until('the next use is recorded', async () => {
      const [row] = await selectRows(database.db, 'access_api_key', ['lastUsedAt'], {
        id: next.id,
      });
      return row!.lastUsedAt !== null;
    });
    const second = await lastUse();
    await updateRows(database.db, 'access_api_key', { lastUsedAt: ago('2 minutes') }, { id });
    const third = await startTestApi({ database, routes });
    await call(token, '/products', { at: third });
    await until('a later use is recorded', async () => (await lastUse())! > first!);
    await third.stop();

    expect(second).toBe(first);
  });

  test('[HTTP-41] uses its own rate class, independent of other callers', async () => {
    const narrow = await startTestApi({
      database,
      routes,
      env: { RATE_LIMIT_ADMIN: '1', RATE_LIMIT_KEY: '3' },
    });
    const { token } = await createKey();
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push(await call(token, '/products', { at: narrow }));
    await narrow.stop();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
  });
});

/** The pause between two requests of a revoked key. */
const BETWEEN_MS = 50;

describe('a key that is no longer valid', () => {
  test('[ACC-34] fails in every process within a second of its revocation', async () => {
    const { id, token } = await createKey();
    const before = [
      await readStatus(token, '/products'),
      await readStatus(token, '/products', { at: other }),
    ];
    const revoked = await admin.raw('DELETE', `/api-keys/${id}`);
    const accepted = await Promise.all(
      [api, other].map(async (at) => {
        let requests = 0;
        while ((await readStatus(token, '/products', { at })) === 200) {
          requests += 1;
          await delay(BETWEEN_MS);
        }
        return requests;
      }),
    );

    expect([...before, revoked.status]).toEqual([200, 200, 204]);
    // A slow machine sends fewer requests in a second, never more.
    expect(Math.max(...accepted)).toBeLessThanOrEqual(1_000 / BETWEEN_MS);
    expect(await readEvents('API_KEY_REVOKED')).toContainEqual({ userId: id });
    expect((await admin.raw('PATCH', `/api-keys/${id}`, { version: 2, name: 'Back' })).status).toBe(
      409,
    );
  });

  test('[ACC-31] can be renamed after its expiration if the request repeats the expired date', async () => {
    const { id, version } = await createKey({
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await updateRows(database.db, 'access_api_key', { expiresAt: ago('1 second') }, { id });
    const { expiresAt } = await admin.get<{ expiresAt: string }>(`/api-keys/${id}`);
    const renamed = await admin.patch<object>(`/api-keys/${id}`, {
      version,
      name: 'Old export',
      expiresAt,
    });
    const later = await admin.raw('PATCH', `/api-keys/${id}`, {
      version: version + 1,
      expiresAt: '2020-01-01T00:00:00Z',
    });

    expect(renamed).toMatchObject({ name: 'Old export', expiresAt });
    expect(later.status).toBe(422);
  });

  test('[ACC-36] causes a security event if it is unknown or expired', async () => {
    const { token, id } = await createKey({
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await updateRows(database.db, 'access_api_key', { expiresAt: ago('1 second') }, { id });
    const unknown = newKeyToken().token;
    await until('the end is known', async () => (await readStatus(token, '/products')) === 401);

    expect(await readStatus(unknown, '/products')).toBe(401);
    expect(await readEvents('API_KEY_EXPIRED')).toContainEqual({ userId: id });
    expect(await readEvents('API_KEY_UNKNOWN')).toContainEqual({ userId: null });
  });

  test('[ACC-35] remains valid with its replaced token for the overlap, or ends without one', async () => {
    const first = await createKey();
    const rotate = (overlapHours?: number) =>
      admin.post<ApiKeyWithToken>(
        `/api-keys/${first.id}/rotate`,
        overlapHours === undefined ? {} : { overlapHours },
      );
    const second = await rotate();
    await until(
      'the new token is valid',
      async () => (await readStatus(second.token, '/products')) === 200,
    );
    const during = await readStatus(first.token, '/products');
    const third = await rotate(0);
    await until(
      'the second token ends',
      async () => (await readStatus(second.token, '/products')) === 401,
    );

    expect(during).toBe(200);
    expect(await readStatus(third.token, '/products')).toBe(200);
    expect(await readStatus(first.token, '/products')).toBe(401);
  });
});

describe('concurrent changes of a key', () => {
  const held = async (id: number, work: () => Promise<unknown>[]) => {
    let done: Promise<unknown>[] = [];
    await database.db.transaction(async (tx) => {
      await tx.db
        .selectFrom('access_api_key_secret')
        .select('prefix')
        .where('keyId', '=', id)
        .forUpdate()
        .execute();
      done = work();
      await until('both wait', async () => {
        const [row] = await database.db.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return row!.waiting >= done.length;
      });
    });
    return Promise.all(done);
  };

  test('[ACC-37] leave one current token after two rotations', async () => {
    const { id } = await createKey();
    const rotate = () => admin.post(`/api-keys/${id}/rotate`, {});
    await held(id, () => [rotate(), rotate()]);
    const secrets = await selectRows(database.db, 'access_api_key_secret', ['validUntil'], {
      keyId: id,
    });

    expect(secrets.filter(({ validUntil }) => validUntil === null)).toHaveLength(1);
    expect(secrets).toHaveLength(3);
  });

  test('[ACC-37] end without a valid token after a rotation and a revocation', async () => {
    const { id } = await createKey();
    const [rotated] = (await held(id, () => [
      admin.raw('POST', `/api-keys/${id}/rotate`, {}),
      admin.raw('DELETE', `/api-keys/${id}`),
    ])) as [Response, Response];
    const secrets = await selectRows(database.db, 'access_api_key_secret', ['validUntil'], {
      keyId: id,
    });

    expect([200, 409]).toContain(rotated.status);
    expect(secrets.filter(({ validUntil }) => validUntil === null)).toEqual([]);
  });
});
