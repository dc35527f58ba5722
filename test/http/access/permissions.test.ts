import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fullPath } from '../../../api/http/router.ts';
import { permissionsOf } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { PERMISSIONS, SEED_ROLES } from '../../../contracts/permissions.ts';
import { adminClient } from '../../support/admin-client.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';

/** Every guarded route is called as every seeded role; the expectation comes from the data, the answer from the server. */
const guarded = routes.filter((route) => route.contour === 'admin' && route.permission !== 'public');

let api: TestApi;
const tokens = new Map<string, string>();
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  for (const { code } of SEED_ROLES) {
    const { email, password } = await api.user(code);
    tokens.set(code, (await adminClient(api.url, email, password)).accessToken);
  }
});
afterAll(() => api.stop());

/** A request that no use case accepts: an id that does not exist and a body with an unknown field. */
function call(route: (typeof guarded)[number], token: string | undefined): Promise<Response> {
  const path = fullPath(route).replaceAll(/\{[^}]*\}/g, '9007199254740991');
  const withBody = route.method !== 'GET' && route.method !== 'DELETE';
  return fetch(api.url + path, {
    method: route.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(withBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(withBody ? { body: '{"no_such_field":1}' } : {}),
  });
}

describe.each(SEED_ROLES.map((role) => [role.code, role.permissions] as const))('%s', (code, permissions) => {
  test.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    const wanted = permissionsOf(route.permission);
    const allowed = wanted.length === 0 || wanted.some((each) => permissions.includes(each));
    const response = await call(route, tokens.get(code));
    const body = (await response.json()) as { permission?: string };

    expect({ refused: [401, 403].includes(response.status), missing: body.permission }).toEqual(
      allowed ? { refused: false, missing: undefined } : { refused: true, missing: wanted.join(' or ') },
    );
    expect(response.status).toBeLessThan(500);
  });
});

describe('without a token', () => {
  test.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is 401',
    async (_, route) => {
      expect((await call(route, undefined)).status).toBe(401);
    },
  );
});

test('every guarded route asks for a permission that some role holds', () => {
  const held = new Set<string>(SEED_ROLES.flatMap((role) => role.permissions));
  const asked = guarded.flatMap((route) => permissionsOf(route.permission));

  for (const permission of asked) expect(held).toContain(permission);
  for (const permission of held) expect(PERMISSIONS).toContain(permission);
});
