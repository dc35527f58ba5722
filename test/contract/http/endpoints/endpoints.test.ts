import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findApi, type Api, type Route } from '../../../../api/http/route.ts';
import { fullPath } from '../../../../api/http/router.ts';
import { routes } from '../../../../api/routes.ts';
import { adminClient } from '../../../support/admin-client.ts';
import { ADMIN, type TestApi } from '../../../support/api.ts';
import { testCustomers } from '../../../support/customers.ts';
import { migratedDatabase } from '../../../support/database.ts';
import { menuRows } from '../../../support/menu-rows.ts';
import { startStorefront } from '../../../support/storefront.ts';
import { ADDITIONS } from './additions.ts';
import { REQUIRED } from './required.ts';

const APIS: readonly Api[] = ['public', 'admin', 'webhooks'];

/** Names of path parameters are not part of the contract. */
const address = (name: string): string => name.replaceAll(/\{[^}]*\}/g, '{}');
const nameOf = (route: Route): string => `${route.method} ${route.path}`;
const listParameters = (route: Route | undefined): string[] =>
  Object.keys(route?.query?.properties ?? {});

function find(api: Api, name: string): Route | undefined {
  return routes.find((route) => route.api === api && address(nameOf(route)) === address(name));
}

/** Required operations and query parameters that the code does not have. */
function missing(api: Api): string[] {
  return REQUIRED[api].flatMap(({ name, query }) => {
    const route = find(api, name);
    if (route === undefined) return [name];
    return query
      .filter((text) => !listParameters(route).includes(text))
      .map((text) => `${name} ?${text}`);
  });
}

describe('[HTTP-9] the registered operations of the API', () => {
  test('include all required ones, with their query parameters', () => {
    expect(APIS.flatMap(missing)).toEqual([]);
  });

  test.each(APIS)('%s: include only required and added ones', (api) => {
    const known = [...REQUIRED[api].map(({ name }) => name), ...Object.keys(ADDITIONS[api])].map(
      address,
    );
    const own = routes.filter((route) => route.api === api);

    expect(own.map(nameOf).filter((name) => !known.includes(address(name)))).toEqual([]);
  });

  test.each(APIS)('%s: include each addition, which has a reason and is not required', (api) => {
    const required = REQUIRED[api].map(({ name }) => address(name));
    const wrong = Object.entries(ADDITIONS[api]).filter(
      ([name, reason]) =>
        find(api, name) === undefined || reason === '' || required.includes(address(name)),
    );

    expect(wrong).toEqual([]);
  });
});

/** Operations that create something without the status 201. */
const OTHER_CREATES = ['startSyncRun', 'acceptSyncRunShrink', 'pinRevision'];

test('[HTTP-6] take an Idempotency-Key if they create something', () => {
  const creates = routes.filter(
    (route) => 201 in route.responses || OTHER_CREATES.includes(route.operationId),
  );

  expect(creates.filter((route) => route.idempotent === undefined).map(fullPath)).toEqual([]);
  expect(creates.length).toBeGreaterThan(12);
});

/** Lists of the storefront API that are not paged (HTTP-2). */
const UNPAGED = ['GET /menu', 'GET /categories', 'GET /facets', 'GET /addresses/suggest'];

type Shape = { type?: string; properties?: Record<string, Shape> };
const answerOf = (route: Route): Shape => (route.responses[200] ?? {}) as Shape;
const answersList = (route: Route): boolean =>
  answerOf(route).type === 'array' || answerOf(route).properties?.['items']?.type === 'array';
/**
 * This list continues after an event id, so that pages stay valid while events are added (EVT-5).
 */
const CONTINUED = ['GET /events'];
const isUnpaged = (route: Route): boolean =>
  (route.api === 'public' && UNPAGED.includes(nameOf(route))) ||
  (route.api === 'admin' && CONTINUED.includes(nameOf(route)));

const paged = routes.filter(
  (route) => route.method === 'GET' && answersList(route) && !isUnpaged(route),
);

describe('every list of the API', () => {
  test('exists in the code if it is required', () => {
    const required = APIS.flatMap((api) =>
      REQUIRED[api].filter(({ isList }) => isList).map(({ name }) => find(api, name)),
    );
    const notLists = required.filter((route) => route !== undefined && !answersList(route));

    expect(notLists.map((route) => fullPath(route!))).toEqual([]);
  });

  test('[HTTP-2] accepts page and size and returns the envelope', () => {
    const wrong = paged.filter(
      (route) =>
        !['page', 'size'].every((name) => listParameters(route).includes(name)) ||
        !['items', 'page', 'size', 'total'].every(
          (name) => name in (answerOf(route).properties ?? {}),
        ),
    );

    expect(wrong.map(fullPath)).toEqual([]);
    expect(paged.length).toBeGreaterThan(25);
  });
});

const listSorts = (route: Route): string[] =>
  (route.query?.properties?.['sort'] as { items?: { enum?: string[] } } | undefined)?.items?.enum ??
  [];

test('[HTTP-3] every paged list can be sorted', () => {
  expect(paged.filter((route) => listSorts(route).length === 0).map(fullPath)).toEqual([]);
});

describe('a list over HTTP', () => {
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  let api: TestApi;
  let token: string;
  let customer: string;
  beforeAll(async () => {
    const { guestsOf, tokenOf } = await testCustomers();
    customer = await tokenOf('anna');
    database = await migratedDatabase();
    const rows = menuRows(database.db);
    const place = await rows.restaurant();
    await rows.dish({ ...place, prices: { [place.organizationId]: 10_050 } });
    api = await startStorefront(database, {
      routes,
      env: { RATE_LIMIT_ADMIN: 'off' },
      guests: guestsOf(database.db),
    });
    token = (await adminClient(api.url, ADMIN.email, ADMIN.password)).accessToken;
  });
  afterAll(async () => {
    await api?.stop();
    await database?.close();
  });

  const get = async (route: Route, query: Record<string, string>) => {
    const formats = route.params?.properties as Record<string, { format?: string }> | undefined;
    const path = fullPath(route).replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
      formats?.[name]?.format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : '1',
    );
    const { required = [] } = (route.query ?? {}) as { required?: string[] };
    const period = required.includes('from') ? { from: '2026-11-01', to: '2026-11-30' } : {};
    const point =
      query['sort']?.startsWith('distance') === true ? { lat: '55.75', lon: '37.6' } : {};
    const search = new URLSearchParams({
      ...(listParameters(route).includes('q') ? { q: 'а' } : {}),
      ...(required.includes('date') ? { date: '2026-11-01' } : {}),
      ...period,
      ...point,
      ...query,
    });
    const bearer =
      findApi(path) === 'admin' ? token : route.permission === 'customer' ? customer : null;
    const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${api.url}${path}?${search.toString()}`, { headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test.each(paged.map((route) => [fullPath(route), route] as const))(
    '[HTTP-3] sorts GET %s by each of its fields, in both directions',
    async (_, route) => {
      const answers = await Promise.all(
        listSorts(route).map(async (sort) => [sort, await get(route, { sort })] as const),
      );
      const unknown = await get(route, { sort: 'nothing,asc' });

      // Lists below objects that this fixture does not have return 404.
      expect(
        answers.filter(([, { status }]) => status !== 200 && status !== 404).map(([sort]) => sort),
      ).toEqual([]);
      for (const [sort, { body }] of answers) {
        const [field = '', direction] = sort.split(',');
        const values = ((body['items'] ?? []) as Record<string, unknown>[]).map(
          (item) => item[field] ?? null,
        );
        const present = values.filter((value) => typeof value === 'number');
        const expected = present.toSorted((a, b) => (direction === 'asc' ? a - b : b - a));
        expect({ sort, values: present }).toEqual({ sort, values: expected });
      }
      expect(unknown.status).toBe(422);
    },
  );

  test.each(paged.map((route) => [fullPath(route), route] as const))(
    'answers GET %s',
    async (_, route) => {
      const page = await get(route, { page: '2', size: '7' });
      const refused = await Promise.all(
        [{ size: '201' }, { size: '0' }, { page: '0' }, { page: '-1' }, { page: 'x' }].map(
          (query) => get(route, query),
        ),
      );

      const isMissing = page.status === 404 && fullPath(route).includes('{');
      const envelope = { items: expect.any(Array), page: 2, size: 7, total: expect.any(Number) };
      expect(page).toMatchObject(isMissing ? { status: 404 } : { status: 200, body: envelope });
      for (const { status, body } of refused) {
        expect({ status, type: body['type'] }).toEqual({
          status: 422,
          type: '/problems/validation',
        });
      }
    },
  );
});
