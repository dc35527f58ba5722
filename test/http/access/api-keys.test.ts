import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { newKeyToken, prefixOfToken } from '../../../modules/access/api-keys/key-token.ts';
import type { ApiKeyWithToken } from '../../../modules/access/schemas/api-keys.ts';
import { KEY_PERMISSIONS } from '../../../kernel/pure/permissions.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { ago, selectRows, updateRows } from '../../support/rows.ts';
import { quickest } from '../../support/quickest.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
/** Another process of the API. */
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

/** Waits until `probe` is true. */
const until = (what: string, probe: () => Promise<boolean>) =>
  eventually(what, async () => (await probe()) || undefined);
const createKey = (fields: object = {}) =>
  admin.post<ApiKeyWithToken>('/api-keys', { name: 'Export', use: 'ADMIN', permissions: ['catalog.read'], ...fields });
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
const statusOf = async (token: string, path: string, options?: CallOptions) =>
  (await call(token, path, options)).status;
const eventsOf = (kind: string) => selectRows(database.db, 'security_event', ['userId'], { kind: kind as never });

describe('a token of an API key', () => {
  test('[ACC-32] has the documented form with a checksum, which a wrong character breaks', async () => {
    const { token } = await createKey();

    expect(token).toMatch(/^carte_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(prefixOfToken(token)).toBe(token.slice(0, 18));
    expect(prefixOfToken(token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBeNull();
  });

  test('[HTTP-7] returns moments of a key and of its secrets in the same form', async () => {
    const { id, createdAt } = await createKey();
    const { secrets } = await admin.post<ApiKeyWithToken>(`/api-keys/${id}/rotate`, { overlapHours: 1 });

    const form = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(createdAt).toEqual(form);
    expect(secrets).toMatchObject([
      { createdAt: form, validUntil: null },
      { createdAt: form, validUntil: form },
    ]);
  });

  test('[ACC-30] is shown once and stored only as a digest', async () => {
    const { token, ...key } = await createKey();
    const secret = token.slice(19);
    const tables = ['access_api_key', 'access_api_key_secret', 'access_user', 'audit_entry', 'idempotency_key'];
    const stored = await Promise.all(tables.map((name) => database.db.query(`select t::text from ${name} t`)));

    expect(await admin.get(`/api-keys/${key.id}`)).toEqual(key);
    expect(JSON.stringify(stored)).toContain(token.slice(0, 18));
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test('[ACC-30] is repeated to the same idempotency key and not stored in the clear', async () => {
    const body = { name: 'Twice', use: 'STOREFRONT' };
    const send = () => admin.post<ApiKeyWithToken>('/api-keys', body, { 'idempotency-key': 'create-key-twice' });
    const [first, second] = [await send(), await send()];
    const answers = await database.db.query(`select t::text from idempotency_key t`);

    expect(second).toEqual(first);
    expect(JSON.stringify(answers)).not.toContain(first.token.slice(19));
  });
});

describe('a key of the admin API', () => {
  test('[ACC-31] may do what its permissions allow and nothing else', async () => {
    const { token } = await createKey({ permissions: ['catalog.read'] });

    expect(await statusOf(token, '/products')).toBe(200);
    expect(await statusOf(token, '/orders/00000000-0000-4000-8000-000000000000')).toBe(403);
    expect(await statusOf(token, '/categories', { method: 'POST', body: { name: 'Soups' } })).toBe(403);
  });

  test('[ACC-31] is rejected for users, roles, keys and sessions with every permission that a key may have', async () => {
    const { token, id } = await createKey({ permissions: KEY_PERMISSIONS });
    const refused = ['/users', '/roles', '/api-keys', '/me', '/me/sessions'];

    expect(await Promise.all(refused.map((path) => statusOf(token, path)))).toEqual(refused.map(() => 403));
    expect(await statusOf(token, `/api-keys/${id}/rotate`, { method: 'POST', body: {} })).toBe(403);
    const wanted = { name: 'More', use: 'ADMIN', permissions: ['users.manage'] };
    expect((await admin.raw('POST', '/api-keys', wanted)).status).toBe(422);
  });

  test('[ACC-31] has no permission that its creator lacks, also after a change', async () => {
    await admin.post('/roles', { code: 'KEYS', name: 'Keys', permissions: ['keys.manage', 'catalog.read'] });
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

  test('[ACC-33] is the author of its changes in the audit and is listed among no users', async () => {
    const { token, id } = await createKey({ name: 'Menu sync', permissions: ['catalog.write', 'catalog.read'] });
    const made = await call(token, '/badges', { method: 'POST', body: { code: 'BY_KEY', name: 'By key' } });
    const { items } = await admin.get<{ items: object[] }>(`/audit?user_id=${id}`);
    const users = await admin.get<{ items: { id: number }[] }>('/users?size=200');

    expect(made.status).toBe(201);
    expect(items).toMatchObject([{ userId: id, apiKeyId: id, userName: 'Menu sync', entityType: 'badge' }]);
    expect(users.items.map((user) => user.id)).not.toContain(id);
    expect((await admin.raw('GET', `/users/${id}`)).status).toBe(404);
  });

  test('[ACC-33] records its last use at most once a minute', async () => {
    const { token, id } = await createKey();
    const lastUse = async () =>
      (await selectRows(database.db, 'access_api_key', ['lastUsedAt'], { id }))[0]!.lastUsedAt?.getTime() ?? null;
    await call(token, '/products');
    await until('the use is recorded', async () => (await lastUse()) !== null);
    const first = await lastUse();
    const next = await createKey();
    await call(token, '/products', { at: other });
    await call(next.token, '/products', { at: other });
    await until('the next use is recorded', async () => {
      const [row] = await selectRows(database.db, 'access_api_key', ['lastUsedAt'], { id: next.id });
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

  test('[HTTP-41] has its own rate class, independent of other callers', async () => {
    const narrow = await startTestApi({ database, routes, env: { RATE_LIMIT_ADMIN: '1', RATE_LIMIT_KEY: '3' } });
    const { token } = await createKey();
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push(await call(token, '/products', { at: narrow }));
    await narrow.stop();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
  });
});

describe('a key that has ended', () => {
  test('[ACC-34] is rejected by every process within a second of its revocation', async () => {
    let id = 0;
    const lastedMs = await quickest(1_500, async () => {
      const key = await createKey();
      ({ id } = key);
      const before = [await statusOf(key.token, '/products'), await statusOf(key.token, '/products', { at: other })];
      const revoked = await admin.raw('DELETE', `/api-keys/${id}`);
      const revokedAt = performance.now();
      for (const at of [api, other])
        await until('the key is refused', async () => (await statusOf(key.token, '/products', { at })) === 401);

      expect([...before, revoked.status]).toEqual([200, 200, 204]);
      return performance.now() - revokedAt;
    });

    expect(lastedMs).toBeLessThan(1_500);
    expect(await eventsOf('API_KEY_REVOKED')).toContainEqual({ userId: id });
    expect((await admin.raw('PATCH', `/api-keys/${id}`, { version: 2, name: 'Back' })).status).toBe(409);
  });

  test('[ACC-31] may be renamed after its end when the request repeats its expired date', async () => {
    const { id, version } = await createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    await updateRows(database.db, 'access_api_key', { expiresAt: ago('1 second') }, { id });
    const { expiresAt } = await admin.get<{ expiresAt: string }>(`/api-keys/${id}`);
    const renamed = await admin.patch<object>(`/api-keys/${id}`, { version, name: 'Old export', expiresAt });
    const later = await admin.raw('PATCH', `/api-keys/${id}`, {
      version: version + 1,
      expiresAt: '2020-01-01T00:00:00Z',
    });

    expect(renamed).toMatchObject({ name: 'Old export', expiresAt });
    expect(later.status).toBe(422);
  });

  test('[ACC-36] leaves a security event when it is unknown or expired', async () => {
    const { token, id } = await createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    await updateRows(database.db, 'access_api_key', { expiresAt: ago('1 second') }, { id });
    const unknown = newKeyToken().token;
    await until('the end is known', async () => (await statusOf(token, '/products')) === 401);

    expect(await statusOf(unknown, '/products')).toBe(401);
    expect(await eventsOf('API_KEY_EXPIRED')).toContainEqual({ userId: id });
    expect(await eventsOf('API_KEY_UNKNOWN')).toContainEqual({ userId: null });
  });

  test('[ACC-35] a replaced token stays valid for the overlap, and without one it ends', async () => {
    const first = await createKey();
    const rotate = (overlapHours?: number) =>
      admin.post<ApiKeyWithToken>(`/api-keys/${first.id}/rotate`, overlapHours === undefined ? {} : { overlapHours });
    const second = await rotate();
    await until('the new token is valid', async () => (await statusOf(second.token, '/products')) === 200);
    const during = await statusOf(first.token, '/products');
    const third = await rotate(0);
    await until('the second token ends', async () => (await statusOf(second.token, '/products')) === 401);

    expect(during).toBe(200);
    expect(await statusOf(third.token, '/products')).toBe(200);
    expect(await statusOf(first.token, '/products')).toBe(401);
  });
});

describe('competing changes of a key', () => {
  const held = async (id: number, work: () => Promise<unknown>[]) => {
    let done: Promise<unknown>[] = [];
    await database.db.transaction(async (tx) => {
      await tx.db.selectFrom('access_api_key_secret').select('prefix').where('keyId', '=', id).forUpdate().execute();
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

  test('[ACC-37] two concurrent rotations leave one current token', async () => {
    const { id } = await createKey();
    const rotate = () => admin.post(`/api-keys/${id}/rotate`, {});
    await held(id, () => [rotate(), rotate()]);
    const secrets = await selectRows(database.db, 'access_api_key_secret', ['validUntil'], { keyId: id });

    expect(secrets.filter(({ validUntil }) => validUntil === null)).toHaveLength(1);
    expect(secrets).toHaveLength(3);
  });

  test('[ACC-37] a rotation during a revocation leaves no valid token', async () => {
    const { id } = await createKey();
    const [rotated] = (await held(id, () => [
      admin.raw('POST', `/api-keys/${id}/rotate`, {}),
      admin.raw('DELETE', `/api-keys/${id}`),
    ])) as [Response, Response];
    const secrets = await selectRows(database.db, 'access_api_key_secret', ['validUntil'], { keyId: id });

    expect([200, 409]).toContain(rotated.status);
    expect(secrets.filter(({ validUntil }) => validUntil === null)).toEqual([]);
  });
});
