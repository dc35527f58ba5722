import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { createKeyring } from '../../../modules/access/keyring.ts';
import { verifyAccessToken } from '../../../modules/access/access-token.ts';
import { rotateKeys } from '../../../modules/access/rotate-keys.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { holdTable } from '../../support/races.ts';
import { ago, not, selectRows, updateRows } from '../../support/rows.ts';

let api: TestApi;
let keyring: ReturnType<typeof createKeyring>;
beforeAll(async () => {
  api = await startTestApi({ routes });
  keyring = createKeyring({ db: api.deps.db, secrets: api.deps.secrets });
});
afterAll(() => api.stop());

const call = (path: string, headers: Record<string, string> = {}, body?: object) =>
  fetch(`${api.url}/api/admin/v1${path}`, {
    method: path === '/me' ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
async function signIn() {
  const answer = await call('/auth/login', {}, ADMIN);
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return { accessToken, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! };
}
const parseKeyId = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
const statuses = async ({ accessToken, cookie }: Awaited<ReturnType<typeof signIn>>) => [
  (await call('/me', { authorization: `Bearer ${accessToken}` })).status,
  (await call('/auth/refresh', { cookie })).status,
];
const rotate = (isCompromised: boolean) => rotateKeys(api.deps, { isCompromised });
/** Time for which an instance may use its cache, in ms. */
const SECOND = 1_050;

test('[ACC-14] a rotation replaces the keys without signing users out, in all instances within a second', async () => {
  const before = await signIn();
  await keyring.signingKey();
  const done = await rotate(false);
  await delay(SECOND);
  const after = await signIn();

  expect(done).toEqual({ retired: 2, sessionsEnded: 0 });
  expect(parseKeyId(after.accessToken)).not.toBe(parseKeyId(before.accessToken));
  expect((await keyring.signingKey()).kid).toBe(parseKeyId(after.accessToken));
  expect(await statuses(before)).toEqual([200, 200]);
  expect(await statuses(after)).toEqual([200, 200]);
});

test('a rotation keeps the keys of refresh tokens as long as a session can last', async () => {
  const session = await signIn();
  await rotate(false);
  await updateRows(
    api.deps.db,
    'access_signing_key',
    { retiredAt: ago('29 days') },
    { purpose: 'REFRESH_TOKEN', retiredAt: not(null) },
  );
  await delay(SECOND);
  const young = (await call('/auth/refresh', { cookie: session.cookie })).status;
  const other = await signIn();
  await rotate(false);
  await updateRows(
    api.deps.db,
    'access_signing_key',
    { retiredAt: ago('31 days') },
    { purpose: 'REFRESH_TOKEN', retiredAt: not(null) },
  );
  await delay(SECOND);

  expect([young, (await call('/auth/refresh', { cookie: other.cookie })).status]).toEqual([
    200, 401,
  ]);
});

test('[ACC-14] a rotation of compromised keys invalidates their tokens and ends every session', async () => {
  const session = await signIn();
  expect(await verifyAccessToken(keyring, session.accessToken)).not.toBeNull();
  const { sessionsEnded } = await rotate(true);
  const atOnce = await statuses(session);
  await delay(SECOND);

  expect(sessionsEnded).toBeGreaterThan(0);
  expect(atOnce).toEqual([401, 401]);
  expect(await verifyAccessToken(keyring, session.accessToken)).toBeNull();
  expect(await statuses(await signIn())).toEqual([200, 200]);
  expect(
    await selectRows(
      api.deps.db,
      'audit_entry',
      ['after'],
      { entityType: 'signing-key' },
      { orderBy: 'id desc', limit: 1 },
    ),
  ).toEqual([{ after: { retired: expect.any(Number), isCompromised: true, sessionsEnded } }]);
});

const current = () =>
  selectRows(
    api.deps.db,
    'access_signing_key',
    ['purpose'],
    { retiredAt: null },
    { orderBy: 'purpose' },
  );

test('concurrent rotations leave one pair of keys', async () => {
  await Promise.all([rotate(false), rotate(false), rotate(true)]);
  expect(await current()).toEqual([{ purpose: 'ACCESS_TOKEN' }, { purpose: 'REFRESH_TOKEN' }]);
});

test('[ACC-14] two concurrent rotations create keys twice, and the last pair stays', async () => {
  await rotate(false);
  const held = await holdTable(api.deps.db, 'access_signing_key');
  const rotations = [rotate(false), rotate(false)];
  await held.waits(2);
  await held.release();
  const done = await Promise.all(rotations);

  expect(done.map(({ retired }) => retired)).toEqual([2, 2]);
  expect(await current()).toEqual([{ purpose: 'ACCESS_TOKEN' }, { purpose: 'REFRESH_TOKEN' }]);
});
