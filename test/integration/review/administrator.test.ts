import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { passwordWorks, requireForDemo } from '../../../tools/start/administrator.ts';
import { localSecrets } from '../../../tools/start/local-secrets.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: authRoutes });
});
afterAll(() => api.stop());

test('a start recognizes that the administrator has another password', async () => {
  expect(await passwordWorks(api.url, ADMIN)).toBe(true);
  expect(await passwordWorks(api.url, { ...ADMIN, password: 'set at a later start' })).toBe(false);
});

test('the demo catalogue then ends the start with one sentence and without the password', () => {
  const other = { ...ADMIN, password: 'set at a later start' };

  expect(() => requireForDemo(false, other)).toThrow(/^admin@carte\.test has another password .*DEMO=off\.$/);
  expect(() => requireForDemo(false, other)).not.toThrow(/later start/);
  expect(() => requireForDemo(true, other)).not.toThrow();
});

test('the password of the first start need not be repeated, and a later one does not replace it', async () => {
  const folder = await temporaryFolder('secrets');

  const first = await localSecrets(folder, 'chosen by hand');

  expect(first.adminPassword).toBe('chosen by hand');
  expect(await localSecrets(folder)).toEqual(first);
  expect(await localSecrets(folder, 'another')).toEqual(first);
});

test('without a password of its own a data folder gets a random one', async () => {
  const { adminPassword } = await localSecrets(await temporaryFolder('secrets'));

  expect(adminPassword).toMatch(/^[\w-]{16}$/);
});
