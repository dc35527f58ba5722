import { describe, expect, test } from '@jest/globals';
import { AdminApi } from '../../../packages/client/src/admin.ts';
import { PublicApi } from '../../../packages/client/src/storefront.ts';
import { writeDeclaration } from '../../../packages/dev/client-types.ts';

describe('a method of the typed client', () => {
  const sent: { url: string; method: string | undefined; body: unknown; headers: unknown }[] = [];
  const options = {
    baseUrl: 'http://shop.test/',
    fetch: ((url: string, { method, body, headers }: RequestInit) => {
      sent.push({ url, method, body, headers });
      return Promise.resolve(new Response('{}', { status: 200 }));
    }) as typeof fetch,
  };

  test.each([
    [
      'puts parameters into the path and the query',
      () => new PublicApi(options).getProductCard({ slug: 'plov/1', organization_id: 'o' }),
      {
        method: 'GET',
        url: 'http://shop.test/api/v1/products/plov%2F1?organization_id=o',
        body: null,
      },
    ],
    [
      'may be called without parameters when none is required',
      () => new PublicApi(options).getMenu(),
      { method: 'GET', url: 'http://shop.test/api/v1/menu', body: null },
    ],
    [
      'takes a body after its parameters',
      () => new AdminApi(options).editBadge({ id: 3 }, { version: 1, name: 'Spicy' }),
      {
        method: 'PATCH',
        url: 'http://shop.test/api/admin/v1/badges/3',
        body: '{"version":1,"name":"Spicy"}',
      },
    ],
    [
      'takes its options last',
      () =>
        new AdminApi(options).createBadge({ code: 'HOT', name: 'Hot' }, { idempotencyKey: 'k-1' }),
      {
        method: 'POST',
        url: 'http://shop.test/api/admin/v1/badges',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k-1' },
      },
    ],
    [
      'sends nothing that it does not take',
      () => new AdminApi(options).logout(),
      { method: 'POST', url: 'http://shop.test/api/admin/v1/auth/logout', body: null },
    ],
  ])('%s', async (_, call, request) => {
    await call();

    expect(sent.at(-1)).toMatchObject(request);
  });

  test('sends files as a form', async () => {
    await new AdminApi(options).uploadMedia({ file: new File(['x'], 'plov.png') });

    expect(sent.at(-1)!.body).toBeInstanceOf(FormData);
  });
});

describe('a generated type', () => {
  test.each([
    [
      'a field that may be null, with the comment of its value',
      {
        properties: {
          a: { anyOf: [{ type: 'string', format: 'uuid', description: 'Id.' }, { type: 'null' }] },
        },
      },
      'export interface A {\n/** Id. */\na?: Uuid | null;\n}',
    ],
    [
      'money, times and lists',
      {
        required: ['a', 'b', 'c'],
        properties: {
          a: { type: 'number', 'x-decimal-places': 2 },
          b: { type: 'string', format: 'date-time' },
          c: { type: 'array', items: { enum: ['X', 'Y'] } },
        },
      },
      'export interface A {\na: Money;\nb: DateTime;\nc: ("X" | "Y")[];\n}',
    ],
    [
      'an object with values of one type',
      { type: 'object', patternProperties: { '.*': { type: 'boolean' } } },
      'export type A = Record<string, boolean>;',
    ],
    [
      'a page of a list',
      {
        properties: {
          items: { items: { $ref: '#/components/schemas/Badge' } },
          page: {},
          size: {},
          total: {},
        },
      },
      'export type A = Page<Badge>;',
    ],
    [
      'parameters of a list',
      { required: ['id'], properties: { page: {}, size: {}, id: { type: 'integer' } } },
      'export interface A extends Paging {\nid: number;\n}',
    ],
    [
      'parameters of a list alone',
      { properties: { page: {}, size: {} } },
      'export type A = Paging;',
    ],
    [
      'a value without a type',
      { description: 'Anything */.' },
      '/** Anything *\\/. */\nexport type A = unknown;',
    ],
  ])('describes %s', (_, schema, expected) => {
    expect(writeDeclaration('A', schema, false)).toBe(expected);
  });

  test('includes limits of requests, except the largest number', () => {
    const schema = {
      properties: { a: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
    };

    expect(writeDeclaration('A', schema, true)).toBe(
      'export interface A {\n/** @minimum 1 */\na?: number | undefined;\n}',
    );
    expect(writeDeclaration('A', schema, false)).toBe('export interface A {\na?: number;\n}');
  });
});
