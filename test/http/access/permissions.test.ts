import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PREFIXES, type Api } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { issueAccessToken } from '../../../modules/access/access-token.ts';
import { createKeyring } from '../../../modules/access/keyring.ts';
import { PERMISSIONS, SEED_ROLES } from '../../../kernel/pure/permissions.ts';
import { adminClient } from '../../support/admin-client.ts';
import type { TestApi } from '../../support/api.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { startStorefront } from '../../support/storefront.ts';
import { migratedDatabase } from '../../support/database.ts';
import { updateRows } from '../../support/rows.ts';

/** Calls every operation as every kind of caller. The expectations are in `docs/access.md`. */
type Row = { apiName: Api; name: string; needs: string; allowed: ReadonlySet<string> };

const ROLES = SEED_ROLES.map((role) => role.code);
const WEBHOOK_SECRET = 'the secret of the webhook';

function parseRoles(text: string): Map<string, readonly string[]> {
  const lines = text.matchAll(/^- `([A-Z_]+)`: (.+)$/gm);
  return new Map(
    [...lines].map(([, role = '', permissions = '']) => [
      role,
      permissions === 'all permissions' ? PERMISSIONS : permissions.replaceAll('`', '').split(', '),
    ]),
  );
}

function allowedBy(needs: string, roles: Map<string, readonly string[]>): Set<string> {
  if (needs === 'nothing' || needs.startsWith('to be signed in')) return new Set(ROLES);
  const permissions = needs.split(' or ');
  return new Set(
    ROLES.filter((role) => permissions.some((permission) => roles.get(role)!.includes(permission))),
  );
}

function parseRows(text: string): Row[] {
  const roles = parseRoles(text);
  return text.split(/^## /m).flatMap((part) => {
    const prefix = /^[^\n]*`([^`]+)`\n/.exec(part)?.[1];
    const apiName = (Object.keys(PREFIXES) as Api[]).find((api) => PREFIXES[api] === prefix);
    return part.split(/^### Needs /m).flatMap((group) => {
      const needs = group.split('\n')[0]!.replaceAll('`', '').split(', by ')[0]!;
      const operations = group.matchAll(/^- `([A-Z]+ \/[^`]*)`$/gm);
      return [...operations].map(([, name = '']): Row => ({
        apiName: apiName!,
        name,
        needs,
        allowed: allowedBy(needs, roles),
      }));
    });
  });
}

const matrix = parseRows(await readFile('docs/access.md', 'utf8'));
const guarded = matrix.filter((row) => row.apiName === 'admin' && row.needs !== 'nothing');

let own: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let strangers: Awaited<ReturnType<typeof migratedDatabase>>;
const tokens = new Map<string, string>();
beforeAll(async () => {
  strangers = await migratedDatabase();
  own = await migratedDatabase();
  api = await startStorefront(own, { routes, env: { RATE_LIMIT_ADMIN: 'off', WEBHOOK_SECRET } });
  const { db, secrets } = api.deps;
  for (const role of [...ROLES, 'NONE']) tokens.set(role, await issueToken(role));
  const ended = await issueToken('ADMIN');
  await fetch(`${api.url}/api/admin/v1/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ended}` },
  });
  const disabled = await api.user('ADMIN');
  tokens.set(
    'disabled',
    (await adminClient(api.url, disabled.email, disabled.password)).accessToken,
  );
  await updateRows(db, 'access_user', { isActive: false }, { id: disabled.id });
  const [session] = await db.query<{ userId: number; sessionId: string }>(
    'select user_id as "userId", id as "sessionId" from access_session s where ended_at is null and exists (select 1 from access_user u where u.id = s.user_id and u.is_active) limit 1',
  );
  tokens.set('ended', ended);
  tokens.set(
    'foreign',
    await issueAccessToken(createKeyring({ db: strangers.db, secrets }), session!),
  );
  tokens.set('damaged', `${tokens.get('ADMIN')!.slice(0, -4)}AAAA`);
});
afterAll(async () => {
  await api?.stop();
  await own?.close();
  await strangers?.close();
});

async function issueToken(role: string): Promise<string> {
  const { email, password } = await api.user(role);
  return (await adminClient(api.url, email, password)).accessToken;
}

/**
 * Sends a request that no use case accepts: an unknown id, and an unknown field if a body is read.
 */
async function call({ apiName, name }: Row, headers: Record<string, string>) {
  const [method = '', path = ''] = name.split(' ');
  const route = routes.find(
    (entry) => entry.api === apiName && entry.method === method && entry.path === path,
  );
  const withBody = route?.body !== undefined;
  const response = await fetch(
    api.url + PREFIXES[apiName] + path.replaceAll(/\{[^}]*\}/g, '9007199254740991'),
    {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(withBody ? { 'content-type': 'application/json' } : {}) },
      ...(withBody ? { body: '{"no_such_field":1}' } : {}),
    },
  );
  // A stream never ends, so only its start is read.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? '' : await response.text();
  if (isStream) await response.body?.cancel();
  return { status: response.status, missing: missingIn(text), faulty: response.status === 500 };
}

function missingIn(text: string): string | undefined {
  return text.startsWith('{')
    ? (JSON.parse(text) as { permission?: string }).permission
    : undefined;
}

async function verdicts(rows: readonly Row[], who: string): Promise<Record<string, string>> {
  const token = tokens.get(who);
  const found: Record<string, string> = {};
  // Signing out ends the session that the other calls need.
  for (const row of rows.toSorted(
    (a, b) => Number(a.name.endsWith('/logout')) - Number(b.name.endsWith('/logout')),
  )) {
    const { status, missing, faulty } = await call(
      row,
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
    const refusal =
      status === 403 ? `lacks ${missing}` : status === 401 ? 'unauthorized' : 'allowed';
    found[row.name] = faulty ? 'failed' : refusal;
  }
  return found;
}

const expected = (rows: readonly Row[], verdict: (row: Row) => string) =>
  Object.fromEntries(rows.map((row) => [row.name, verdict(row)]));

test('[ACC-1] the page of permissions contains every operation', () => {
  const printed = matrix.map((row) => `${row.apiName} ${row.name}`);

  expect(printed.toSorted()).toEqual(
    routes.map((route) => `${route.api} ${route.method} ${route.path}`).toSorted(),
  );
});

describe('every guarded operation', () => {
  // Tests a role with few permissions and a role with all. Other roles differ only in data.
  test.each(wholeInSoak(ROLES, ['OPERATOR', 'ADMIN']))(
    'follows the permissions of %s',
    async (role) => {
      const wanted = expected(guarded, ({ allowed, needs }) =>
        allowed.has(role) ? 'allowed' : `lacks ${needs}`,
      );

      expect(await verdicts(guarded, role)).toEqual(wanted);
    },
  );

  test('rejects a user without a role', async () => {
    const wanted = expected(guarded, ({ needs }) =>
      needs.startsWith('to be signed in') ? 'allowed' : `lacks ${needs}`,
    );

    expect(await verdicts(guarded, 'NONE')).toEqual(wanted);
  });

  const invalid = ['nobody', 'damaged', 'foreign', 'ended', 'disabled'];
  test.each(wholeInSoak(invalid, ['nobody', 'ended']))(
    'answers 401 to the token of %s',
    async (who) => {
      expect(tokens.has(who)).toBe(who !== 'nobody');
      expect(await verdicts(guarded, who)).toEqual(expected(guarded, () => 'unauthorized'));
    },
  );
});

describe('operations without sign-in', () => {
  const open = matrix.filter((row) => row.needs === 'nothing');

  test.each(wholeInSoak(['nobody', 'damaged', 'VIEWER', 'disabled'], ['damaged', 'VIEWER']))(
    'accept %s',
    async (who) => {
      // A refresh requires only its cookie.
      const wanted = expected(open, ({ name }) =>
        name === 'POST /auth/refresh' ? 'unauthorized' : 'allowed',
      );

      expect(await verdicts(open, who)).toEqual(wanted);
    },
  );

  test('reject all staff for webhooks and accept the secret', async () => {
    const webhooks = matrix.filter((row) => row.apiName === 'webhooks');
    tokens.set('secret', WEBHOOK_SECRET);

    expect(webhooks.map((row) => row.needs)).toEqual(['the secret of the webhook']);
    for (const role of ROLES)
      expect(await verdicts(webhooks, role)).toEqual(expected(webhooks, () => 'unauthorized'));
    expect(await verdicts(webhooks, 'secret')).toEqual(expected(webhooks, () => 'allowed'));
  });
});

test('[ACC-1] every guarded operation requires a permission that some role has', () => {
  const held = new Set<string>(SEED_ROLES.flatMap((role) => role.permissions));
  const asked = guarded.flatMap((row) =>
    row.needs.startsWith('to be signed in') ? [] : row.needs.split(' or '),
  );

  expect(asked.filter((permission) => !held.has(permission))).toEqual([]);
  expect([...held].filter((permission) => !PERMISSIONS.includes(permission as never))).toEqual([]);
});
