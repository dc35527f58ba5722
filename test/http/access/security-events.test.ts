import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import type { SecurityEvent } from '../../../modules/access/schemas/security-events.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { asOwner } from '../../support/database-roles.ts';
import { addRows, ago, selectRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({
    routes,
    env: { TRUST_PROXY: 'on', ADMIN_ORIGINS: 'https://admin.carte.test' },
  });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

const send = (
  path: string,
  address: string,
  init: { headers?: Record<string, string>; body?: object } = {},
) =>
  fetch(`${api.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...init.headers },
    body: JSON.stringify(init.body ?? {}),
  });
const signIn = (email: string, password: string, address: string) =>
  send('/admin/v1/auth/login', address, { body: { email, password } });
const events = async (query: string) =>
  (await admin.get<{ items: SecurityEvent[] }>(`/security-events?size=200&${query}`)).items;
const lastId = async () => (await events(''))[0]?.id ?? 0;
async function leaves(act: () => Promise<unknown>): Promise<SecurityEvent[]> {
  const before = await lastId();
  await act();
  return (await events('')).filter(({ id }) => id > before).toReversed();
}

describe('the security event of a rejection', () => {
  test('[ACC-13] appears once with its kind and the account concerned', async () => {
    const user = await api.user('VIEWER');
    const { accessToken } = (await (
      await signIn(user.email, user.password, '10.7.0.1')
    ).json()) as {
      accessToken: string;
    };
    const authorization = `Bearer ${accessToken}`;
    const found = await leaves(async () => {
      await signIn(user.email, 'wrong', '10.7.0.2');
      await signIn('nobody@carte.test', 'wrong', '10.7.0.2');
      await send('/admin/v1/me/password', '10.7.0.3', {
        headers: { authorization },
        body: { currentPassword: 'wrong', newPassword: 'a quite different sentence' },
      });
      await send('/admin/v1/users', '10.7.0.3', { headers: { authorization }, body: {} });
      await send('/admin/v1/auth/refresh', '10.7.0.4', {
        headers: { origin: 'https://evil.test' },
      });
      await send('/webhooks/erp', '10.7.0.5', { body: [] });
      await fetch(`${api.url}/api/admin/v1/audit`, { headers: { 'x-forwarded-for': '10.7.0.6' } });
    });

    expect(found.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['SIGN_IN_REFUSED', user.id],
      ['SIGN_IN_REFUSED', null],
      ['PASSWORD_REFUSED', user.id],
      ['FORBIDDEN', user.id],
      ['FORBIDDEN', null],
      ['WEBHOOK_REFUSED', null],
    ]);
    expect(found.map(({ network }) => network === found[0]!.network)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(await events(`user_id=${user.id}&kind=FORBIDDEN`)).toEqual(
      found.filter(({ kind, userId }) => kind === 'FORBIDDEN' && userId !== null),
    );
    expect(await events(`to=${String(found[0]!.occurredAt)}`)).not.toContainEqual(found[0]);
    expect(await events(`from=${String(found[0]!.occurredAt)}`)).toContainEqual(found[0]);
  });

  test('[ACC-13] contains no address, no e-mail and no password', async () => {
    await signIn('canary@carte.test', 'canary password', '10.7.77.77');
    const rows = JSON.stringify([
      await selectRows(api.deps.db, 'security_event', '*'),
      await selectRows(api.deps.db, 'window_count', ['key']),
      api.logged,
    ]);
    expect(rows).not.toMatch(/canary|10\.7\.77/);
  });

  test('appears for a throttled sign-in, a reused token and a new browser', async () => {
    const user = await api.user('VIEWER');
    const answer = await signIn(user.email, user.password, '10.7.1.1');
    const [refresh = '', browser = ''] = answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0]!);
    const again = (cookie: string) =>
      send('/admin/v1/auth/refresh', '10.7.1.1', { headers: { cookie } });
    const found = await leaves(async () => {
      await send('/admin/v1/auth/login', '10.7.1.1', {
        headers: { cookie: browser },
        body: { email: user.email, password: user.password },
      });
      const next = (await again(refresh)).headers.getSetCookie()[0]!.split(';')[0]!;
      await again(next);
      await again(refresh);
      for (let attempt = 0; attempt < 11; attempt += 1)
        await signIn(user.email, 'wrong', '10.7.1.2');
    });

    expect(found.map(({ kind }) => kind)).toEqual([
      'TOKEN_REUSED',
      ...Array<string>(10).fill('SIGN_IN_REFUSED'),
      'SIGN_IN_THROTTLED',
    ]);
    expect(await events(`user_id=${user.id}&kind=SIGN_IN_NEW_BROWSER`)).toHaveLength(1);
  });

  test('[ACC-13] stops after the first 60 of a flood', async () => {
    const found = await leaves(() =>
      Promise.all(
        Array.from({ length: 75 }, () => send('/webhooks/erp', '10.7.2.1', { body: [] })),
      ),
    );
    expect(found).toHaveLength(60);
  });
});

describe('a stored security event', () => {
  test('[ACC-13] cannot be changed or deleted before its time', async () => {
    const { db } = api.deps;
    await send('/webhooks/erp', '10.7.3.1', { body: [] });
    await addRows(db, 'security_event', [
      { kind: 'FORBIDDEN', occurredAt: ago('91 days') },
      { kind: 'FORBIDDEN', occurredAt: ago('88 days') },
    ]);
    for (const statement of [
      `update security_event set kind = 'FORBIDDEN'`,
      `delete from security_event where occurred_at > now() - interval '1 day'`,
      'truncate security_event',
    ])
      await expect(asOwner(db, statement)).rejects.toThrow('security_event is append-only');
    await deleteOutdated(db);

    expect(
      await db.query(
        `select round(extract(epoch from now() - occurred_at) / 86400)::int as days from security_event where occurred_at < now() - interval '1 day'`,
      ),
    ).toEqual([{ days: 88 }]);
  });
});
