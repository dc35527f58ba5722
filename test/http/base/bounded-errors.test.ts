import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { treeVersion } from '../../../modules/catalog/categories/category-views.ts';
import { cpuLap } from '../../support/cpu-time.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api?.stop());

type ProblemBody = {
  type: string;
  errors?: { field: string; code: string }[];
  errorsOmitted?: number;
};

async function send(method: string, path: string, body: string) {
  const response = await fetch(api.url + path, {
    method,
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.accessToken}` },
  });
  const text = await response.text();
  return { status: response.status, bytes: text.length, problem: JSON.parse(text) as ProblemBody };
}

/** Sends a body. `cpuMs` is the work of this process, which is also the server. */
async function measured(method: string, path: string, body: string) {
  const cpu = cpuLap();
  const answer = await send(method, path, body);
  return { ...answer, cpuMs: cpu() };
}

/** Measures the work for a body of this size that ends in the middle. */
const yardstick = async (bytes: number) =>
  measured('PUT', '/api/admin/v1/categories/tree', `{"nodes":[${'{},'.repeat(bytes / 3)}`);

/** Names the fields with errors, or the kind of a problem without fields. */
const reasonsOf = ({ type, errors }: ProblemBody): string[] =>
  errors?.map(({ field, code }) => `${field} ${code}`) ?? [type.replace('/problems/', '')];

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
      const answer = await measured(method, `/api/admin/v1${path}`, text);

      expect(answer).toMatchObject({ status: 422, problem: { type: '/problems/validation' } });
      const shown = answer.problem.errors ?? [];
      expect(shown.length).toBeLessThanOrEqual(50);
      expect(shown.map((entry) => `${entry.field} ${entry.code}`)).toContain(first);
      expect(shown.length + (answer.problem.errorsOmitted ?? 0)).toBe(count);
      expect(answer.bytes).toBeLessThan(8_000);
      // Before, 6,000 nodes of a tree took 18 s, some 1,500 times as much.
      expect(answer.cpuMs).toBeLessThan(50 * reading.cpuMs);
    },
  );

  const TOO_LARGE = 'payload-too-large';
  const MANY_VALUES = 'body max_items';
  test.each([
    ['300,000 nodes', `{"nodes":[${'{},'.repeat(300_000)}{}]}`, [TOO_LARGE]],
    ['90,000 unknown fields', JSON.stringify(unknown(90_000)), [TOO_LARGE]],
    [
      '10,000 nodes with lists',
      `{"nodes":[${'{"a":[{},{},{},{}]},'.repeat(10_000)}{}]}`,
      [MANY_VALUES],
    ],
  ])('%s are rejected before they are validated', async (_, body, reasons) => {
    const { problem } = await send('PUT', '/api/admin/v1/categories/tree', body);

    expect(reasonsOf(problem)).toEqual(reasons);
  });

  test('may be a text full of commas, which is one value', async () => {
    const body = JSON.stringify({ nodes: ',[{\\"'.repeat(20_000) });
    const { problem } = await send('PUT', '/api/admin/v1/categories/tree', body);

    expect(reasonsOf(problem)).toEqual(['version required', 'nodes type']);
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
    const version = await treeVersion(api.deps.db);
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
