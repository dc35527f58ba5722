import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { treeVersion } from '../../../modules/catalog/categories/category-views.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { quickest } from '../../support/quickest.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let storefront: Storefront;
let admin: AdminClient;
let menuUrl: string;
beforeAll(async () => {
  database = await migratedDatabase();
  const rows = menuRows(database.db);
  const place = await rows.restaurant();
  await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
  storefront = await startStorefront(database, { routes });
  await buildSnapshot(storefront.deps, place.organizationId);
  admin = await adminClient(storefront.url, ADMIN.email, ADMIN.password);
  menuUrl = `${storefront.url}/api/v1/menu?organization_id=${place.organizationErpId}`;
});
afterAll(async () => {
  await storefront?.stop();
  await database?.close();
});

type ProblemBody = {
  type: string;
  errors?: { field: string; code: string }[];
  errorsOmitted?: number;
};

/** Measures the answer, the longest block of the event loop, and a guest's wait for a menu. */
async function send(method: string, path: string, body: string) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let isOver = false;
  const guest = (async () => {
    let longest = 0;
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(menuUrl)).arrayBuffer();
      longest = Math.max(longest, performance.now() - asked);
    }
    return longest;
  })();
  const started = performance.now();
  const response = await fetch(storefront.url + path, {
    method,
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.accessToken}` },
  });
  const text = await response.text();
  const tookMs = performance.now() - started;
  isOver = true;
  const guestMs = await guest;
  delay.disable();
  const problem = JSON.parse(text) as ProblemBody;
  return {
    status: response.status,
    bytes: text.length,
    problem,
    tookMs,
    guestMs,
    stoodMs: delay.max / 1e6,
  };
}

const yardstick = async (bytes: number) =>
  send('PUT', '/api/admin/v1/categories/tree', `{"nodes":[${'{},'.repeat(bytes / 3)}`);

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const variants = times(6_000, () => ({ erpItemSizeId: 'x', variantOptionCode: 1 }));
const unknown = (count: number) => Object.fromEntries(times(count, (at) => [`f${at}`, 1]));

describe('a body that is invalid everywhere', () => {
  // The first case runs in a new process.
  test.each([
    [
      '65,000 nodes of a tree',
      'PUT',
      '/categories/tree',
      { nodes: times(65_000, () => ({})) },
      'body max_items',
      1,
    ],
    [
      '2,001 nodes of a tree',
      'PUT',
      '/categories/tree',
      { version: 1, nodes: times(2_001, () => ({})) },
      'nodes max_items',
      1,
    ],
    [
      '2,000 nodes of a tree',
      'PUT',
      '/categories/tree',
      { version: 1, nodes: times(2_000, () => ({})) },
      'nodes.0.id required',
      6_000,
    ],
    [
      '12,000 unknown fields of a tree',
      'PUT',
      '/categories/tree',
      unknown(12_000),
      'nodes required',
      12_002,
    ],
    [
      'variants of a product',
      'POST',
      '/erp/items/create-product',
      { name: 'x', categoryIds: [1], variants: variants.slice(0, 50) },
      'variants.0.erpItemSizeId type',
      100,
    ],
    ['unknown fields of a sign-in', 'POST', '/auth/login', unknown(300), 'email required', 302],
  ])(
    '%s: 50 errors at most and the number of the others',
    async (_, method, path, body, first, count) => {
      const text = JSON.stringify(body);
      const reading = await yardstick(text.length);
      const answer = await send(method, `/api/admin/v1${path}`, text);

      expect(answer).toMatchObject({ status: 422, problem: { type: '/problems/validation' } });
      const shown = answer.problem.errors ?? [];
      expect(shown.length).toBeLessThanOrEqual(50);
      expect(shown.map((entry) => `${entry.field} ${entry.code}`)).toContain(first);
      expect(shown.length + (answer.problem.errorsOmitted ?? 0)).toBe(count);
      expect(answer.bytes).toBeLessThan(8_000);
      // Before the fix, a tree of 6,000 nodes took 18 s and 65,000 took minutes. A busy machine
      // also reads slowly.
      const bound = 4_000 + 10 * reading.stoodMs;
      expect(answer.stoodMs).toBeLessThan(bound);
      expect(answer.guestMs).toBeLessThan(bound);
    },
  );

  test.each([
    ['300,000 nodes', `{"nodes":[${'{},'.repeat(300_000)}{}]}`, 413],
    ['90,000 unknown fields', JSON.stringify(unknown(90_000)), 413],
    ['10,000 nodes with lists', `{"nodes":[${'{"a":[{},{},{},{}]},'.repeat(10_000)}{}]}`, 422],
    ['a text full of commas', JSON.stringify({ nodes: ',[{\\"'.repeat(20_000) }), 422],
  ])('%s are rejected before they are validated', async (_, body, status) => {
    let answered = 0;
    const cpuMs = await quickest(1_000, async () => {
      const before = process.cpuUsage();
      answered = (await send('PUT', '/api/admin/v1/categories/tree', body)).status;
      return process.cpuUsage(before).user / 1_000;
    });

    expect(answered).toBe(status);
    expect(cpuMs).toBeLessThan(1_000);
  });

  test('receives a complete list of few errors, without a number of omitted ones', async () => {
    const { problem } = await send(
      'PUT',
      '/api/admin/v1/categories/tree',
      '{"version":1,"nodes":[{"id":1}]}',
    );

    expect(problem.errors?.map((error) => `${error.field} ${error.code}`)).toEqual([
      'nodes.0.parentId required',
      'nodes.0.position required',
    ]);
    expect(problem).not.toHaveProperty('errorsOmitted');
  });

  test('receives a limited number of errors from rules too', async () => {
    const nodes = times(2_000, (at) => ({ id: 1_000_000 + at, parentId: null, position: 1 }));
    const version = await treeVersion(database.db);
    const answer = await send(
      'PUT',
      '/api/admin/v1/categories/tree',
      JSON.stringify({ version, nodes }),
    );

    expect(answer.problem.errors).toHaveLength(50);
    expect(answer.problem.errors?.[0]).toMatchObject({ field: 'nodes.0.id', code: 'not_found' });
    expect(answer.problem.errorsOmitted).toBe(1_950);
  });

  test('receives an abbreviated name of a very long field', async () => {
    const { problem, bytes } = await send(
      'PUT',
      '/api/admin/v1/categories/tree',
      JSON.stringify({ ['x'.repeat(100_000)]: 1 }),
    );

    expect(problem.errors?.map((error) => error.code).toSorted()).toEqual([
      'required',
      'required',
      'unknown_field',
    ]);
    expect(bytes).toBeLessThan(1_000);
  });
});
