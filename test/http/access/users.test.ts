import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { meRoutes } from '../../../api/admin/access/me.ts';
import { roleRoutes } from '../../../api/admin/access/roles.ts';
import { secondFactorRoutes } from '../../../api/admin/access/second-factor.ts';
import { userRoutes } from '../../../api/admin/access/users.ts';
import { auditRoute } from '../../../api/admin/access/audit.ts';
import { PERMISSIONS } from '../../../kernel/pure/permissions.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { holdTable } from '../../support/races.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { giveRole, selectRows, updateRows } from '../../support/rows.ts';
import { rowTexts, tablesWith } from '../../support/whole-schema.ts';

type User = {
  id: number;
  email: string;
  roles: string[];
  isActive: boolean;
  hasPassword: boolean;
  version: number;
};
type Role = { id: number; code: string; permissions: string[]; users: number; version: number };
type List<Item> = { items: Item[]; total: number };

const PASSWORD = 'twelve letters at least';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({
    routes: [
      ...authRoutes,
      ...meRoutes,
      ...secondFactorRoutes,
      ...userRoutes,
      ...roleRoutes,
      auditRoute,
    ],
    env: { RATE_LIMIT_ADMIN: 'off' },
  });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

let serial = 0;
const newcomer = (fields: object = {}) => {
  serial += 1;
  return admin.post<User>('/users', {
    email: `staff${serial}@carte.test`,
    fullName: `Staff ${serial}`,
    roles: ['VIEWER'],
    password: PASSWORD,
    ...fields,
  });
};
/** The "changed" password equals the initial password, which is possible only in tests. */
const newUser = async (fields: object = {}) => {
  const user = await newcomer(fields);
  await updateRows(api.deps.db, 'access_user', { mustChangePassword: false }, { id: user.id });
  return user;
};
const administrator = async () =>
  (await admin.get<List<User>>(`/users?q=${encodeURIComponent(ADMIN.email)}`)).items[0]!;

const tablesMatching = (pattern: RegExp) => tablesWith(api.deps.db, (text) => pattern.test(text));

test('[ACC-60] a role that manages ordering settings can also read them', async () => {
  const fields = { code: 'SETTER', name: 'Setter', permissions: ['ordering.manage'] };
  const role = await admin.post<Role>('/roles', fields);
  expect(role.permissions).toEqual(['ordering.manage', 'ordering.read']);

  const edit = { version: role.version, permissions: ['catalog.read', 'ordering.manage'] };
  expect(await admin.patch<Role>(`/roles/${role.id}`, edit)).toMatchObject({
    permissions: ['catalog.read', 'ordering.manage', 'ordering.read'],
  });
});

describe('a user', () => {
  test('can be created, found by part of the name, role and activity, and can sign in', async () => {
    const user = await newUser({ fullName: 'Марина Щукина', roles: ['OPERATOR', 'VIEWER'] });

    const found = await admin.get<List<User>>(
      `/users?q=${encodeURIComponent('щукин')}&role=OPERATOR&is_active=true`,
    );

    expect(found).toMatchObject({
      total: 1,
      items: [{ id: user.id, roles: ['OPERATOR', 'VIEWER'] }],
    });
    expect(JSON.stringify(found)).not.toContain('argon2');
    await expect(adminClient(api.url, user.email, PASSWORD)).resolves.toBeDefined();
  });

  test.each([
    [{ email: 'nobody' }, 'email', 'format'],
    [{ roles: ['VIEWER', 'NOBODY'] }, 'roles.1', 'not_found'],
    [{ password: 'short' }, 'password', 'min_length'],
    [{ password: 'Password1234' }, 'password', 'guessable'],
    [{ password: 'Пароль123456' }, 'password', 'guessable'],
    [{ password: 'passwordpassword' }, 'password', 'guessable'],
    [{ password: 'refused@carte.test' }, 'password', 'guessable'],
    [{ password: 'CarteRestaurant' }, 'password', 'guessable'],
    [{ fullName: '   ' }, 'fullName', 'required'],
  ])('[ACC-17] cannot be created with %j', async (fields, field, code) => {
    const body = {
      email: 'refused@carte.test',
      fullName: 'Refused',
      roles: [],
      password: PASSWORD,
      ...fields,
    };

    expect(await awaitRefusal(admin.raw('POST', '/users', body))).toMatchObject({
      status: 422,
      errors: [{ field, code }],
    });
  });

  test('exists once per idempotency key, which stores no digest of the password', async () => {
    const body = { email: 'keyed@carte.test', fullName: 'Keyed', password: PASSWORD, roles: [] };
    const key = { 'Idempotency-Key': 'keyed-user' };
    const created = await admin.post<User>('/users', body, key);
    const [row] = await selectRows(api.deps.db, 'idempotency_key', ['fingerprint'], {
      key: 'keyed-user',
    });
    const members = Object.entries(body).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const guess = `POST /api/admin/v1/users\n${JSON.stringify(Object.fromEntries(members))}`;

    expect(row?.fingerprint).toMatch(/^[\w@-]+\.[0-9a-f]{64}$/);
    expect(row?.fingerprint).not.toContain(createHash('sha256').update(guess).digest('hex'));
    expect(await admin.post<User>('/users', body, key)).toEqual(created);
    await expect(admin.post('/users', { ...body, password: `${PASSWORD}!` }, key)).rejects.toThrow(
      'idempotency-key-reused',
    );
  });

  test('requires a unique e-mail in any case, and parallel requests create one user', async () => {
    const body = { email: 'Twin@carte.test', fullName: 'Twin', roles: [] };

    const answers = await Promise.all(
      ['Twin@carte.test', 'twin@carte.test', 'TWIN@carte.test'].map((email) =>
        admin.raw('POST', '/users', { ...body, email }),
      ),
    );

    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409,
    ]);
  });

  test('can be changed with the current version, by one of several parallel changes', async () => {
    const user = await newUser();

    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((fullName) =>
        admin.raw('PATCH', `/users/${user.id}`, { version: user.version, fullName }),
      ),
    );

    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409,
    ]);
    expect(
      await awaitRefusal(
        admin.raw('PATCH', `/users/${user.id}`, { version: user.version, fullName: 'Late' }),
      ),
    ).toMatchObject({
      status: 409,
      currentVersion: user.version + 1,
    });
  });

  test('[ACC-5] loses the permissions of a role in the next request', async () => {
    const user = await newUser({ roles: ['ADMIN'] });
    const client = await adminClient(api.url, user.email, PASSWORD);
    expect((await client.raw('GET', '/users')).status).toBe(200);

    await admin.patch(`/users/${user.id}`, { version: user.version, roles: ['VIEWER'] });

    expect((await client.raw('GET', '/users')).status).toBe(403);
  });

  test.each([
    ['a new password', { password: 'another long password' }],
    ['being disabled', { isActive: false }],
  ])('loses all sessions by %s', async (_, change) => {
    const user = await newUser();
    const client = await adminClient(api.url, user.email, PASSWORD);

    await admin.patch(`/users/${user.id}`, { version: user.version, ...change });

    expect((await client.raw('GET', '/me')).status).toBe(401);
    await expect(adminClient(api.url, user.email, PASSWORD)).rejects.toThrow('401');
  });

  test('[ACC-24] cannot replace the own password without the present one', async () => {
    const user = await newUser({ roles: ['ADMIN'] });
    const own = await adminClient(api.url, user.email, PASSWORD);
    const replace = (client: AdminClient) =>
      client.raw('PATCH', `/users/${user.id}`, {
        version: user.version,
        password: 'another long password',
      });
    const refused = await replace(own);

    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      errors: [{ field: 'password', code: 'not_own' }],
    });
    expect((await own.raw('GET', '/me')).status).toBe(200);
    expect((await replace(admin)).status).toBe(200);
  });

  test('cannot sign in with the old password while a new one is being set', async () => {
    const user = await newUser();
    const held = await holdTable(api.deps.db, 'access_session');
    const changed = admin.patch(`/users/${user.id}`, {
      version: user.version,
      password: 'another long password',
    });
    await held.waits(1);
    const signedIn = adminClient(api.url, user.email, PASSWORD).catch((error: unknown) => error);
    await held.waits(2);
    await held.release();
    await changed;

    expect(String(await signedIn)).toContain('401');
  });

  test('[ACC-28] cannot replace the password that an administrator is setting', async () => {
    const user = await newUser();
    const own = await adminClient(api.url, user.email, PASSWORD);
    const held = await holdTable(api.deps.db, 'access_session');
    const given = admin.patch(`/users/${user.id}`, {
      version: user.version,
      password: 'another long password',
    });
    await held.waits(1);
    const chosen = own.raw('POST', '/me/password', {
      currentPassword: PASSWORD,
      newPassword: 'of somebody who took it',
    });
    await held.waits(2);
    await held.release();
    await given;

    expect(await awaitRefusal(chosen)).toMatchObject({
      status: 422,
      errors: [{ field: 'currentPassword' }],
    });
    await expect(adminClient(api.url, user.email, 'of somebody who took it')).rejects.toThrow(
      '401',
    );
    const { mustChangePassword } = await (
      await adminClient(api.url, user.email, 'another long password')
    ).get<{
      mustChangePassword: boolean;
    }>('/me');
    expect(mustChangePassword).toBe(true);
  });

  test('cannot sign in after the deletion, which clears personal data and frees the e-mail', async () => {
    const user = await newUser({ fullName: 'Erased Person' });
    const client = await adminClient(api.url, user.email, PASSWORD);

    const deleted = await admin.raw('DELETE', `/users/${user.id}`);

    expect(deleted.status).toBe(204);
    expect((await client.raw('GET', '/me')).status).toBe(401);
    expect(await awaitRefusal(admin.raw('GET', `/users/${user.id}`))).toMatchObject({
      status: 404,
    });
    expect(await awaitRefusal(admin.raw('DELETE', `/users/${user.id}`))).toMatchObject({
      status: 404,
    });
    const [text] = await rowTexts(api.deps.db, 'access_user', user.id);
    expect(text).not.toMatch(/Erased|staff|argon2/);
    expect((await newUser({ email: user.email })).id).not.toBe(user.id);
  });

  test('[ACC-20] appears in no column of any table after the deletion', async () => {
    const person = {
      email: 'canary-deleted@carte.test',
      fullName: 'Канарейкина Удалена',
      phone: '+79995550177',
    };
    const created = await admin.raw(
      'POST',
      '/users',
      { ...person, roles: ['VIEWER'], password: PASSWORD },
      { 'idempotency-key': 'create-a-canary' },
    );
    const user = (await created.json()) as User;
    await fetch(`${api.url}/api/admin/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Browser/canary-agent' },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    });
    const changed = await admin.raw('PATCH', `/users/${user.id}`, {
      version: user.version,
      email: 'canary-changed@carte.test',
    });
    expect([created.status, changed.status]).toEqual([201, 200]);
    const canaries = /canary-(deleted|changed|agent)|Канарейкина|9995550177/;
    expect((await tablesMatching(canaries)).length).toBeGreaterThan(1);

    expect((await admin.raw('DELETE', `/users/${user.id}`)).status).toBe(204);

    expect(await tablesMatching(canaries)).toEqual([]);
  });

  test('keeps the current session and loses the others after a change of the own password', async () => {
    const user = await newUser();
    const [here, there] = [
      await adminClient(api.url, user.email, PASSWORD),
      await adminClient(api.url, user.email, PASSWORD),
    ];
    const newPassword = 'a better password than before';

    const wrong = await here.raw('POST', '/me/password', {
      currentPassword: 'not this one',
      newPassword,
    });
    const right = await here.raw('POST', '/me/password', {
      currentPassword: PASSWORD,
      newPassword,
    });

    expect([wrong.status, right.status]).toEqual([422, 204]);
    expect((await here.raw('GET', '/me')).status).toBe(200);
    expect((await there.raw('GET', '/me')).status).toBe(401);
    await expect(adminClient(api.url, user.email, newPassword)).resolves.toBeDefined();
  });

  test('[ACC-17] cannot have an easily guessed password set by any user', async () => {
    const user = await newUser({ fullName: 'Аркадий Воробейников' });
    const own = await adminClient(api.url, user.email, PASSWORD);
    const edited = await admin.raw('PATCH', `/users/${user.id}`, {
      version: user.version,
      password: 'Воробейников 1985',
    });
    const chosen = await own.raw('POST', '/me/password', {
      currentPassword: PASSWORD,
      newPassword: 'qwertyuiop123456',
    });

    expect(await awaitRefusal(Promise.resolve(edited))).toMatchObject({
      errors: [{ field: 'password', code: 'guessable' }],
    });
    expect(await awaitRefusal(Promise.resolve(chosen))).toMatchObject({
      errors: [{ field: 'newPassword', code: 'guessable' }],
    });
    await expect(adminClient(api.url, user.email, PASSWORD)).resolves.toBeDefined();
  });
});

describe('a password that another user has set', () => {
  const FIRST_CHANGE = {
    status: 403,
    type: '/problems/forbidden',
    detail: 'Another user has set this password. Change it first: POST /me/password',
  };
  const change = (client: AdminClient, currentPassword: string, newPassword: string) =>
    client.raw('POST', '/me/password', { currentPassword, newPassword });

  test('[ACC-27] allows only its change, after the creation and after a reset', async () => {
    const user = await newcomer({ roles: ['ADMIN'] });
    const first = await adminClient(api.url, user.email, PASSWORD);
    const before = [await awaitRefusal(first.raw('GET', '/users')), await first.get('/me')];
    const ownAccount = [
      await awaitRefusal(first.raw('GET', '/me/sessions')),
      await awaitRefusal(first.raw('DELETE', '/me/sessions')),
      await awaitRefusal(first.raw('POST', '/me/second-factor', { currentPassword: PASSWORD })),
    ];
    const same = await awaitRefusal(change(first, PASSWORD, PASSWORD));
    const changed = await change(first, PASSWORD, `${PASSWORD} of my own`);
    const after = [(await first.raw('GET', '/users')).status, await first.get('/me')];
    const { version } = await admin.get<User>(`/users/${user.id}`);
    await admin.patch(`/users/${user.id}`, { version, password: `${PASSWORD} once more` });
    const again = await adminClient(api.url, user.email, `${PASSWORD} once more`);

    expect(before).toMatchObject([FIRST_CHANGE, { permissions: [], mustChangePassword: true }]);
    expect(ownAccount).toMatchObject([FIRST_CHANGE, FIRST_CHANGE, FIRST_CHANGE]);
    expect(same).toMatchObject({ status: 422, errors: [{ field: 'newPassword', code: 'same' }] });
    expect(changed.status).toBe(204);
    expect(after).toMatchObject([200, { permissions: PERMISSIONS, mustChangePassword: false }]);
    expect(await awaitRefusal(again.raw('GET', '/users'))).toMatchObject(FIRST_CHANGE);
  });

  test('[ACC-27] concerns neither single sign-on users nor the first administrator', async () => {
    const user = await newcomer({ roles: ['ADMIN'] });
    const client = await adminClient(api.url, user.email, PASSWORD);
    await updateRows(api.deps.db, 'access_session', { method: 'SSO' }, { userId: user.id });

    expect(await client.get('/me')).toMatchObject({ mustChangePassword: false });
    expect((await client.raw('GET', '/users')).status).toBe(200);
    expect(await admin.get('/me')).toMatchObject({ mustChangePassword: false });
  });
});

describe('the last administrator', () => {
  test.each([
    ['cannot be disabled', 'PATCH', { isActive: false }],
    ['cannot lose the role', 'PATCH', { roles: ['VIEWER'] }],
    ['cannot be deleted', 'DELETE', undefined],
    ['cannot lose the password where nobody can sign in without one', 'PATCH', { password: null }],
  ])('%s', async (_, method, change) => {
    const { items } = await admin.get<List<User>>('/users?role=ADMIN&is_active=true&size=200');
    const last = await administrator();
    for (const other of items.filter((item) => item.id !== last.id))
      await admin.raw('DELETE', `/users/${other.id}`);

    const answer = await awaitRefusal(
      admin.raw(
        method,
        `/users/${last.id}`,
        change === undefined ? undefined : { version: last.version, ...change },
      ),
    );

    expect(answer).toMatchObject({ status: 409, type: '/problems/last-administrator' });
    expect(await administrator()).toEqual(last);
  });

  test('[ACC-7] remains, however many users remove the role from each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const others = await Promise.all([
        newUser({ roles: ['ADMIN'] }),
        newUser({ roles: ['ADMIN'] }),
      ]);
      const all = [await administrator(), ...others];
      const clients = [
        admin,
        ...(await Promise.all(others.map((other) => adminClient(api.url, other.email, PASSWORD)))),
      ];

      await Promise.all(
        all.map((user, at) =>
          clients[at]!.raw('PATCH', `/users/${user.id}`, {
            version: user.version,
            roles: ['VIEWER'],
          }),
        ),
      );

      const left = await api.deps.db.db
        .selectFrom('access_user as u')
        .innerJoin('access_user_role as link', 'link.userId', 'u.id')
        .innerJoin('access_role as role', (join) =>
          join.onRef('role.id', '=', 'link.roleId').on('role.code', '=', 'ADMIN'),
        )
        .where('u.isActive', '=', true)
        .select('u.id')
        .execute();
      expect(left).toHaveLength(1);
      if (left[0]!.id !== all[0]!.id) await giveRole(api.deps.db, all[0]!.id, 'ADMIN');
      await Promise.all(others.map((other) => admin.raw('DELETE', `/users/${other.id}`)));
    }
  });
});

describe('a role', () => {
  test('applies immediately to all its users when it is created or changed', async () => {
    const role = await admin.post<Role>('/roles', {
      code: 'AUDITOR',
      name: 'Auditor',
      permissions: ['audit.read'],
    });
    const user = await newUser({ roles: ['AUDITOR'] });
    const client = await adminClient(api.url, user.email, PASSWORD);
    expect([
      (await client.raw('GET', '/audit')).status,
      (await client.raw('GET', '/users')).status,
    ]).toEqual([200, 403]);

    const changed = await admin.patch<Role>(`/roles/${role.id}`, {
      version: 1,
      permissions: ['users.manage'],
    });

    expect(changed).toMatchObject({ permissions: ['users.manage'], version: 2, users: 1 });
    expect([
      (await client.raw('GET', '/audit')).status,
      (await client.raw('GET', '/users')).status,
    ]).toEqual([403, 200]);
    expect((await admin.get<List<Role>>('/roles')).items.map((item) => item.code)).toContain(
      'AUDITOR',
    );
  });

  test.each([
    ['a code in use', { code: 'VIEWER' }, 409, 'duplicate'],
    ['an unknown permission', { permissions: ['world.rule'] }, 422, 'enum'],
    ['a code with spaces', { code: 'MY ROLE' }, 422, 'format'],
  ])('cannot be created with %s', async (_, fields, status, code) => {
    const answer = await awaitRefusal(
      admin.raw('POST', '/roles', { code: 'NEW_ONE', name: 'New', permissions: [], ...fields }),
    );

    expect(answer).toMatchObject({ status, errors: [{ code }] });
  });

  test('[ACC-65] keeps permissions of a newer release, which are not shown', async () => {
    const fields = { code: 'NEWER', name: 'Newer', permissions: ['audit.read'] };
    const { id, version } = await admin.post<Role>('/roles', fields);
    const stored = ['newer.manage', 'audit.read'] as never;
    await updateRows(api.deps.db, 'access_role', { permissions: stored }, { id });
    const listed = (await admin.get<List<Role>>('/roles')).items.find((item) => item.id === id);
    const renamed = await admin.patch<Role>(`/roles/${id}`, { version, name: 'Other' });
    const permissionsNow = async () => {
      const [row] = await selectRows(api.deps.db, 'access_role', ['permissions'], { id });
      return row!.permissions.toSorted();
    };
    const afterName = await permissionsNow();
    const changed = await admin.patch<Role>(`/roles/${id}`, {
      version: renamed.version,
      permissions: ['catalog.read'],
    });

    expect(listed).toMatchObject({ permissions: ['audit.read'] });
    expect(renamed).toMatchObject({ name: 'Other', permissions: ['audit.read'] });
    expect(changed).toMatchObject({ permissions: ['catalog.read'] });
    expect(afterName).toEqual(['audit.read', 'newer.manage']);
    expect(await permissionsNow()).toEqual(['catalog.read', 'newer.manage']);
  });

  test('keeps every permission if it is ADMIN', async () => {
    const { items } = await admin.get<List<Role>>('/roles');
    const role = items.find((item) => item.code === 'ADMIN')!;

    const answer = await awaitRefusal(
      admin.raw('PATCH', `/roles/${role.id}`, {
        version: role.version,
        permissions: ['audit.read'],
      }),
    );

    expect(answer).toMatchObject({
      status: 422,
      errors: [{ field: 'permissions', code: 'not_supported' }],
    });
    expect(role.permissions.toSorted()).toEqual([...PERMISSIONS].toSorted());
  });
});

describe('GET /audit', () => {
  test('[ACC-8, ACC-25] lists changes by entity, user and time, newest first, with personal fields masked', async () => {
    const start = new Date().toISOString();
    const user = await newUser();
    await admin.patch(`/users/${user.id}`, {
      version: user.version,
      fullName: 'Renamed',
      email: 'new@carte.test',
    });
    await admin.patch(`/users/${user.id}`, {
      version: user.version + 1,
      fullName: 'Renamed again',
    });
    const self = await administrator();
    const path = `/audit?entity_type=user&entity_id=${user.id}&user_id=${self.id}&from=${encodeURIComponent(start)}`;

    const found =
      await admin.get<List<{ action: string; userName: string; requestId: string; after: object }>>(
        path,
      );

    expect(found.total).toBe(3);
    expect(found.items.map((item) => item.action)).toEqual(['update', 'update', 'create']);
    expect(found.items[0]!.after).toMatchObject({
      fullName: '[masked, changed]',
      email: '[masked]',
    });
    expect(found.items[1]).toMatchObject({
      userName: 'Administrator',
      requestId: expect.any(String),
      before: { fullName: '[masked]', email: '[masked]' },
      after: { fullName: '[masked, changed]', email: '[masked, changed]' },
    });
    expect((await admin.get<List<unknown>>(`${path}&to=${encodeURIComponent(start)}`)).total).toBe(
      0,
    );
    expect(await awaitRefusal(admin.raw('GET', '/audit?from=yesterday'))).toMatchObject({
      status: 422,
      errors: [{ field: 'from' }],
    });
  });
});

// Last block, because it leaves other users who manage users.
describe('a user who manages users with limited permissions', () => {
  async function createHolder(
    permissions: string[],
  ): Promise<{ user: User; client: AdminClient; role: Role }> {
    serial += 1;
    const role = await admin.post<Role>('/roles', {
      code: `HOLDER_${serial}`,
      name: `Holder ${serial}`,
      permissions,
    });
    const user = await newUser({ roles: [role.code] });
    return { user, role, client: await adminClient(api.url, user.email, PASSWORD) };
  }
  const MANAGER = ['users.manage', 'catalog.read'];

  test('[ACC-26] cannot assign more than the own permissions, as role or as permission of a role', async () => {
    const { client, role } = await createHolder(MANAGER);
    const staff = await client.raw('POST', '/users', {
      email: 'more@carte.test',
      fullName: 'More',
      roles: ['ADMIN'],
      password: PASSWORD,
    });
    const made = await client.raw('POST', '/roles', {
      code: 'MORE',
      name: 'More',
      permissions: ['audit.read'],
    });
    const edited = await client.raw('PATCH', `/roles/${role.id}`, {
      version: role.version,
      permissions: [...MANAGER, 'audit.read'],
    });

    for (const answer of [staff, made, edited]) expect(answer.status).toBe(403);
    expect(await made.json()).toMatchObject({
      type: '/problems/forbidden',
      detail: 'This requires permissions that you do not have: audit.read',
    });
  });

  test('[ACC-26] cannot change, delete or become users with more permissions', async () => {
    const { client } = await createHolder(MANAGER);
    const { user: other } = await createHolder([...MANAGER, 'audit.read']);
    const { id, version } = await administrator();
    const password = 'a sentence of somebody else';

    const taken = await client.raw('PATCH', `/users/${id}`, { version, password });
    const renamed = await client.raw('PATCH', `/users/${other.id}`, {
      version: other.version,
      email: 'mine@carte.test',
    });
    const raised = await client.raw('PATCH', `/users/${other.id}`, {
      version: other.version,
      isActive: false,
    });
    const deleted = await client.raw('DELETE', `/users/${other.id}`);

    for (const answer of [taken, renamed, raised, deleted]) expect(answer.status).toBe(403);
  });

  test('[ACC-26] cannot change roles with more permissions, not even to take them away', async () => {
    const { client, role: own } = await createHolder(MANAGER);
    const { role: more } = await createHolder([...MANAGER, 'audit.read']);
    const edit = async (id: number, fields: object) => {
      const { version } = await admin.get<Role>(`/roles/${id}`);
      return (await client.raw('PATCH', `/roles/${id}`, { version, ...fields })).status;
    };
    const { items } = await admin.get<List<Role>>('/roles?size=200');
    const administrators = items.find(({ code }) => code === 'ADMIN')!;

    expect(await edit(more.id, { permissions: ['catalog.read'] })).toBe(403);
    expect(await edit(more.id, { name: 'Mine' })).toBe(403);
    expect(await edit(administrators.id, { name: 'Mine' })).toBe(403);
    expect(await edit(own.id, { name: 'Ours' })).toBe(200);
  });

  test('[ACC-26] manages users with the same or fewer permissions', async () => {
    const { client } = await createHolder(MANAGER);
    const less = await client.post<User>('/users', {
      email: 'less@carte.test',
      fullName: 'Less',
      roles: [(await createHolder(['catalog.read'])).role.code],
      password: PASSWORD,
    });
    const { user: same } = await createHolder(MANAGER);

    const off = await client.raw('PATCH', `/users/${same.id}`, {
      version: same.version,
      isActive: false,
    });
    const gone = await client.raw('DELETE', `/users/${less.id}`);

    expect([off.status, gone.status]).toEqual([200, 204]);
  });
});
