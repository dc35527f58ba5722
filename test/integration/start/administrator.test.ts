import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { freeLowPort } from '../../../tools/ports.ts';
import {
  administratorPassword,
  passwordWorks,
  requireForDemo,
} from '../../../tools/start/administrator.ts';
import { localSecrets } from '../../../tools/start/local-secrets.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: authRoutes });
});
afterAll(() => api.stop());

test('a start detects that the administrator has another password', async () => {
  expect(await passwordWorks(api.url, ADMIN)).toBe(true);
  expect(await passwordWorks(api.url, { ...ADMIN, password: 'set at a later start' })).toBe(false);
});

test('the demo catalog ends such a start with one sentence and without the password', () => {
  const other = { ...ADMIN, password: 'set at a later start' };

  expect(() => requireForDemo(false, other)).toThrow(
    /^admin@carte\.test has another password .*DEMO=off\.$/,
  );
  expect(() => requireForDemo(false, other)).not.toThrow(/later start/);
  expect(() => requireForDemo(true, other)).not.toThrow();
});

test('a generated password is stored, and a chosen one is not', async () => {
  const chosen = await temporaryFolder('secrets');
  const madeUp = await temporaryFolder('secrets');

  expect((await localSecrets(chosen, true)).adminPassword).toBeNull();
  expect((await localSecrets(chosen)).adminPassword).toBeNull();
  const { adminPassword } = await localSecrets(madeUp);

  expect(adminPassword).toMatch(/^[\w-]{16}$/);
  expect((await localSecrets(madeUp, true)).adminPassword).toBe(adminPassword);
});

test('a later start needs the chosen password again only for the demo catalog', () => {
  expect(administratorPassword('given', 'made up', true)).toBe('given');
  expect(administratorPassword(null, 'made up', true)).toBe('made up');
  expect(administratorPassword(null, null, false)).toBeNull();
  expect(() => administratorPassword(null, null, true)).toThrow(
    /ADMIN_PASSWORD again, .*DEMO=off\.$/,
  );
});

test('an API that does not answer the sign-in is reported with the network error', async () => {
  const nobody = `http://127.0.0.1:${await freeLowPort()}`;

  await expect(
    passwordWorks(nobody, { email: 'chef@carte.test', password: 'x' }),
  ).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringMatching(
      /^The API at \S+ did not answer a sign-in: fetch failed \(connect ECONNREFUSED .+\)\.$/,
    ),
  });
});
