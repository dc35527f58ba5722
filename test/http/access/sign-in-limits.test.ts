import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { countLoginAttempt } from '../../../modules/access/login-throttle.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';

const QUOTA = 4;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
const instances: TestApi[] = [];
beforeAll(async () => {
  database = await migratedDatabase();
  const env = { TRUST_PROXY: 'on', RATE_LIMIT_SIGN_IN: String(QUOTA) };
  // Sequential, because both instances seed the roles.
  for (let at = 0; at < 2; at += 1)
    instances.push(await startTestApi({ database, routes: authRoutes, env }));
});
afterAll(async () => {
  for (const api of instances) await api.stop();
  await database?.close();
});

const refresh = (api: TestApi, client: string) =>
  fetch(`${api.url}/api/admin/v1/auth/refresh`, {
    method: 'POST',
    headers: { 'x-forwarded-for': client, cookie: 'carte_refresh=none' },
  });

test('[HTTP-23] sign-ins of one client share a budget in all processes', async () => {
  const statuses: number[] = [];
  for (let at = 0; at <= QUOTA; at += 1)
    statuses.push((await refresh(instances[at % 2]!, '203.0.113.7')).status);
  const last = await refresh(instances[1]!, '203.0.113.7');

  expect(statuses).toEqual([401, 401, 401, 401, 429]);
  expect(last.headers.get('ratelimit-policy')).toBe(`"sign-in";q=${QUOTA};w=60`);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refresh(instances[0]!, '203.0.113.8')).status).toBe(401);
});

test('[ACC-6] an IPv6 site has one budget of wrong passwords for all its networks', async () => {
  const attempt = async (at: number, site: string) => {
    const address = `${site}:${at.toString(16)}::/64`;
    await countLoginAttempt(database.db, {
      account: `guess${at}@carte.test`,
      address,
      browserId: null,
    });
  };
  for (let at = 0; at < 200; at += 1) await attempt(at, '2001:db8:7');

  await expect(attempt(200, '2001:db8:7')).rejects.toMatchObject({ kind: 'rate-limited' });
  await attempt(200, '2001:db8:8');
});
