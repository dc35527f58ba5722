import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { defineRoute } from '../../../api/http/route.ts';
import { IdParams } from '../../../api/http/schemas.ts';
import { Strict, Uuid, Words } from '../../../kernel/pure/schemas.ts';

const base = {
  api: 'admin',
  method: 'GET',
  operationId: 'sample',
  summary: 'Sample',
  description: '',
  tags: [],
  permission: 'authenticated',
  responses: { 204: null },
  handler: async () => ({ status: 204 as const }),
} as const;

const guest = { ...base, api: 'public', method: 'POST', permission: 'public' } as const;
const hook = { ...base, api: 'webhooks', method: 'POST', permission: 'webhook-secret' } as const;

describe('defineRoute rejects', () => {
  test.each([
    [
      '[HTTP-1] camelCase in a query',
      () => defineRoute({ ...base, path: '/a', query: Strict({ organizationId: Type.String() }) }),
    ],
    ['[HTTP-1] camelCase in a path', () => defineRoute({ ...base, path: '/erpItems' })],
    ['a path parameter that is not described', () => defineRoute({ ...base, path: '/a/{id}' })],
    [
      'a described parameter that is not in the path',
      () => defineRoute({ ...base, path: '/a', params: IdParams }),
    ],
    ['a path without a slash', () => defineRoute({ ...base, path: 'a' })],
    [
      'a route for guests with a permission',
      () => defineRoute({ ...base, path: '/a', api: 'public' }),
    ],
    [
      'a customer of the admin API',
      () => defineRoute({ ...base, path: '/a', permission: 'customer' }),
    ],
    ['a cart that is not named', () => defineRoute({ ...guest, path: '/a', permission: 'cart' })],
    [
      'a cart that is named twice',
      () =>
        defineRoute({
          ...guest,
          path: '/a',
          permission: 'cart',
          query: Strict({ cart_id: Uuid }),
          body: Strict({ cartId: Uuid }),
        }),
    ],
    ['an idempotency key of nobody', () => defineRoute({ ...guest, path: '/a', idempotent: true })],
    ['an idempotency key of the ERP', () => defineRoute({ ...hook, path: '/a', idempotent: true })],
    [
      'an answer to a command that may be kept',
      () => defineRoute({ ...guest, path: '/a', cacheControl: 'public, max-age=60' }),
    ],
    [
      'an answer for one guest that everybody may keep',
      () =>
        defineRoute({
          ...guest,
          method: 'GET',
          path: '/a',
          permission: 'customer',
          cacheControl: 'max-age=60',
        }),
    ],
    [
      'a word of the body that needs no permission',
      () =>
        defineRoute({
          ...base,
          method: 'POST',
          path: '/a',
          permission: { field: 'action', needs: { SHOW: 'catalog.write' } },
          body: Strict({ action: Words(['SHOW', 'HIDE']) }),
        }),
    ],
    ['an idempotency key on GET', () => defineRoute({ ...base, path: '/a', idempotent: true })],
  ])('%s', (_, define) => {
    expect(define).toThrow('Route sample');
  });
});

test('routes can be for guests, customers and owners of a cart', () => {
  const body = Strict({ cartId: Uuid });
  for (const define of [
    () => defineRoute({ ...guest, path: '/a' }),
    () => defineRoute({ ...guest, path: '/a', method: 'DELETE', permission: 'customer' }),
    () => defineRoute({ ...guest, path: '/a', permission: 'cart', idempotent: true, body }),
    () =>
      defineRoute({
        ...guest,
        path: '/a',
        permission: 'cart',
        idempotent: true,
        body: Strict({ cartId: Type.Optional(Uuid) }),
      }),
    () => defineRoute({ ...guest, path: '/a', permission: 'customer', idempotent: true }),
  ])
    expect(define).not.toThrow();
});
