import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { AdminApi } from '../../../packages/client/src/admin.ts';
import { PublicApi } from '../../../packages/client/src/public.ts';
import { besideEachOther, folded } from '../../../packages/dev/generate/client-fold.ts';

const FOLDER = new URL('../../../packages/client/src/', import.meta.url);

test('the typed client has at most 5,000 lines', async () => {
  const files = await Promise.all(
    (await readdir(FOLDER)).map(async (name) => (await readFile(new URL(name, FOLDER), 'utf8')).split('\n')),
  );

  expect(files.reduce((sum, lines) => sum + lines.length - 1, 0)).toBeLessThanOrEqual(5000);
});

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
      { method: 'GET', url: 'http://shop.test/api/v1/products/plov%2F1?organization_id=o', body: null },
    ],
    [
      'may be called without parameters when none is required',
      () => new PublicApi(options).getMenu(),
      { method: 'GET', url: 'http://shop.test/api/v1/menu', body: null },
    ],
    [
      'takes a body after its parameters',
      () => new AdminApi(options).editBadge({ id: 3 }, { version: 1, name: 'Spicy' }),
      { method: 'PATCH', url: 'http://shop.test/api/admin/v1/badges/3', body: '{"version":1,"name":"Spicy"}' },
    ],
    [
      'takes its options last',
      () => new AdminApi(options).createBadge({ code: 'HOT', name: 'Hot' }, { idempotencyKey: 'k-1' }),
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

describe('folding', () => {
  const FOUR = '  a: number;\n  b: Uuid;\n  c: string;\n  d: boolean;\n';

  test.each([
    [
      'a comment that fits on a line',
      'interface A {\n  /**\n   * What it is\n   * @min 1\n   */\n  a: number;\n}',
      'interface A {\n  /** What it is @min 1 */ a: number;\n}',
    ],
    [
      'a comment that is longer than a glance',
      'interface A {\n  /** What it is, said in so many words that no field has room beside it. */\n  a: number;\n}',
      'interface A {\n  /** What it is, said in so many words that no field has room beside it. */\n  a: number;\n}',
    ],
    [
      'a format that the type tells',
      'interface A {\n  /** @format uuid */\n  a: Uuid;\n}',
      'interface A {\n  a: Uuid;\n}',
    ],
    [
      'a page',
      'export interface BadgePage {\n  items: Badge[];\n  page: number;\n  size: number;\n  /** All. */\n  total: number;\n}',
      'export type BadgePage = Page<Badge>;',
    ],
    [
      'parameters that were there before',
      'export interface AParams {\n  id: number;\n}\n\nexport interface BParams {\n  id: number;\n}',
      'export interface AParams {\n  id: number;\n}\n\nexport type BParams = AParams;',
    ],
    [
      'a type that begins with all fields of another one',
      `export interface A {\n${FOUR}}\n\nexport interface B {\n${FOUR}  e: number;\n}`,
      `export interface A {\n${FOUR}}\n\nexport interface B extends A {\n  e: number;\n}`,
    ],
    [
      'a type with the fields of an earlier one',
      `export interface A {\n${FOUR}}\n\nexport interface B {\n${FOUR}}`,
      `export interface A {\n${FOUR}}\n\nexport type B = A;`,
    ],
  ])('%s', (_, code, expected) => {
    expect(folded(code)).toBe(expected);
  });

  test.each([
    ['names', "import {\n  a,\n  b,\n} from 'c';", "import {\n  a, b,\n} from 'c';"],
    ['alternatives', "type A =\n  | 'b'\n  | 'c';\n", "type A =\n  | 'b' | 'c';\n"],
    ['a short object', 'interface A {\n  b: number;\n  c: Uuid;\n}', 'interface A { b: number; c: Uuid }'],
    [
      'an operation',
      "  /** Change it. */ edit: withBoth<\n    EditParams,\n    Edit,\n    It\n  >('PATCH /it'),\n});",
      "  /** Change it. */ edit: withBoth<EditParams, Edit, It>('PATCH /it'),\n});",
    ],
  ])('%s below each other stand beside each other', (_, code, expected) => {
    expect(besideEachOther(code)).toBe(expected);
  });

  test.each([
    ['a field with a comment', 'interface A {\n  /** What it is. */ b: number;\n  c: Uuid;\n}'],
    ['an object that is too long', `interface A {\n  b: ${'B'.repeat(60)};\n  c: ${'C'.repeat(60)};\n}`],
  ])('%s stays on its line', (_, code) => {
    expect(besideEachOther(code)).toBe(code);
  });

  test.each([
    [
      'a type that shares fewer than four fields',
      'export interface A {\n  a: number;\n}\n\nexport interface B {\n  a: number;\n  b: number;\n}',
    ],
    [
      'parameters with another type',
      'export interface AParams {\n  id: number;\n}\n\nexport interface BParams {\n  id: Uuid;\n}',
    ],
    [
      'a comment that does not fit',
      `interface A {\n  /**\n   * ${'long '.repeat(30)}\n   * @min 1\n   */\n  a: number;\n}`,
    ],
  ])('%s stays', (_, code) => {
    expect(folded(code)).toBe(code);
  });
});
