import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

test('half of a surrogate pair is an error of its field, not a fault', async () => {
  const response = await admin.raw('POST', '/franchisees', { name: 'North \ud800' });

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ field: 'name', code: 'format' }] });
  expect(api.logged.filter((line) => line['level'] === 50)).toEqual([]);
});

test('a whole surrogate pair is a valid character', async () => {
  const name = 'Пицца 🍕';

  expect(await admin.post<{ name: string }>('/franchisees', { name })).toMatchObject({ name });
});
