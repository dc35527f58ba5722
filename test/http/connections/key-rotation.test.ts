import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { rotateSecrets } from '../../../modules/rotate-secrets.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';

type Made = { id: number; version: number };
type Running = { api: TestApi; admin: AdminClient };

const KEYS = { old: Buffer.alloc(32, 21), 'new@row': Buffer.alloc(32, 22) };
type KeyList = readonly (keyof typeof KEYS)[];

let database: Awaited<ReturnType<typeof migratedDatabase>>;
const running: TestApi[] = [];
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(async () => {
  for (const api of running) await api.stop();
  await database.close();
});

async function start(list: KeyList): Promise<Running> {
  const keys = list.map((id) => `${id}:${KEYS[id].toString('base64')}`).join(',');
  const api = await startTestApi({ routes, database, env: { ENCRYPTION_KEYS: keys } });
  running.push(api);
  return { api, admin: await adminClient(api.url, ADMIN.email, ADMIN.password) };
}

let named = 0;
/** Lists requests of one instance that the other instance cannot continue. */
async function brokenBetween(writer: Running, reader: Running): Promise<string[]> {
  const name = `Owner ${(named += 1)}`;
  const franchisee = await writer.admin.post<Made>('/franchisees', { name });
  const owner = await writer.admin.post<Made>('/legal-entities', {
    franchiseeId: franchisee.id,
    name,
  });
  const input = { legalEntityId: owner.id, name, apiLogin: `login-${name}-0123456789` };
  const once = { 'idempotency-key': `key-${named}` };
  const made = await writer.admin.post<Made>('/connections', input, once);

  const repeated = await reader.admin.raw('POST', '/connections', input, once);
  // A change of the name opens the credential, because a name must not repeat it.
  const renamed = await reader.admin.raw('PATCH', `/connections/${made.id}`, {
    name: `${name} b`,
    version: 1,
  });
  const existing = await fetch(`${reader.api.url}/api/admin/v1/connections/${made.id}`, {
    headers: { authorization: `Bearer ${writer.admin.accessToken}` },
  });
  const expected = {
    repeated: [repeated, 201],
    renamed: [renamed, 200],
    known: [existing, 200],
  } as const;
  return Object.entries(expected).flatMap(([what, [answer, status]]) =>
    answer.status === status ? [] : [`${what}: ${answer.status}`],
  );
}

const eachWay = async (a: Running, b: Running) => [
  ...(await brokenBetween(a, b)),
  ...(await brokenBetween(b, a)),
];

test('[ACC-16] instances continue the work of each other at every step of a rotation of ENCRYPTION_KEYS', async () => {
  const first = await start(['old']);
  const appended = await start(['old', 'new@row']);
  expect(await eachWay(first, appended)).toEqual([]);

  const moved = await start(['new@row', 'old']);
  expect(await eachWay(appended, moved)).toEqual([]);
  // With one restart instead of two, these two instances would run concurrently.
  expect(await brokenBetween(moved, first)).toEqual(['repeated: 422', 'renamed: 500']);

  // The rotation is repeated while instances write, as in the runbook.
  const secrets = createSecretBox([
    { id: 'new@row', key: KEYS['new@row'] },
    { id: 'old', key: KEYS.old },
  ]);
  const [counts, broken] = await Promise.all([
    rotateSecrets({ db: database.db, secrets }),
    brokenBetween(appended, moved),
  ]);
  expect(broken).toEqual([]);
  expect(counts.map(({ unreadable }) => unreadable)).toEqual(counts.map(() => 0));

  const last = await start(['new@row']);
  expect(await eachWay(moved, last)).toEqual([]);
});
