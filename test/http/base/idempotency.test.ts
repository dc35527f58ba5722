import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/processes.ts';
import { gate, sampleRoutes } from '../../support/sample-routes.ts';
import { countRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes: [...sampleRoutes, ...authRoutes] });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

const create = (name: string, key: string, client = admin) =>
  fetch(`${api.url}/api/admin/v1/notes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.accessToken}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ name }),
  });
const written = async (name: string) => await countRows(api.deps.db, 'franchisee', { name });

describe('Idempotency-Key', () => {
  test('[HTTP-6] returns the same answer for the same key and body, and creates one row', async () => {
    const first = await create('one', 'key-1');
    const second = await create('one', 'key-1');

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.text()).toBe(await first.text());
    expect(await written('one')).toBe(1);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ]);
    expect(second.headers.get('access-control-expose-headers') ?? 'Idempotent-Replayed').toContain(
      'Idempotent-Replayed',
    );
  });

  test('[HTTP-6] rejects the same key with another body', async () => {
    await create('two', 'key-2');
    const second = await create('other', 'key-2');

    expect(second.status).toBe(422);
    expect(await second.json()).toMatchObject({ type: '/problems/idempotency-key-reused' });
    expect(await written('other')).toBe(0);
  });

  test('belongs to its user', async () => {
    const { email, password } = await api.user('CONTENT_MANAGER');
    const other = await adminClient(api.url, email, password);
    await create('three', 'key-3');

    expect((await create('three of the other', 'key-3', other)).status).toBe(201);
  });

  test('can be reused after a failed command', async () => {
    await create('four', 'key-4');
    const failed = await create('four', 'key-5');
    const retried = await create('four again', 'key-5');

    expect([failed.status, retried.status]).toEqual([409, 201]);
  });

  test('causes 409 for a concurrent repetition, which does not disturb the request', async () => {
    const open = Promise.withResolvers<void>();
    gate.wait = open.promise;
    const first = create('five', 'key-6');
    await eventually('the first request holds its lock', async () => {
      const held = await api.deps.db.query(`select 1 from pg_locks where locktype = 'advisory'`);
      return held.length > 0 ? true : undefined;
    });
    const twin = await create('five', 'key-6');
    gate.wait = Promise.resolve();
    open.resolve();

    expect(twin.status).toBe(409);
    expect(await twin.json()).toMatchObject({ type: '/problems/idempotency-in-flight' });
    expect((await first).status).toBe(201);
    expect((await create('five', 'key-6')).status).toBe(201);
    expect(await written('five')).toBe(1);
  });

  test('limits twenty concurrent requests to one row', async () => {
    const name = `race ${randomUUID().slice(0, 8)}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(name, 'key-7')));

    expect(new Set(answers.map((answer) => answer.status))).toContain(201);
    expect(answers.every((answer) => answer.status === 201 || answer.status === 409)).toBe(true);
    expect(await written(name)).toBe(1);
  });

  test('cannot contain blanks', async () => {
    const response = await create('six', 'a key');

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ field: 'Idempotency-Key', code: 'format' }],
    });
  });
});
