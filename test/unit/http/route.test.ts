import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { defineRoute } from '../../../api/http/route.ts';
import { Words } from '../../../contracts/schemas.ts';
import { Strict, IdParams } from '../../../api/http/schemas.ts';

const base = {
  contour: 'admin',
  method: 'GET',
  operationId: 'sample',
  summary: 'Sample',
  description: '',
  tags: [],
  permission: 'authenticated',
  responses: { 204: null },
  handler: async () => ({ status: 204 as const }),
} as const;

describe('defineRoute refuses', () => {
  test.each([
    [
      'camelCase in a query',
      () => defineRoute({ ...base, path: '/a', query: Strict({ organizationId: Type.String() }) }),
    ],
    ['camelCase in a path', () => defineRoute({ ...base, path: '/erpItems' })],
    ['a path parameter that is not described', () => defineRoute({ ...base, path: '/a/{id}' })],
    ['a described parameter that is not in the path', () => defineRoute({ ...base, path: '/a', params: IdParams })],
    ['a path without a slash', () => defineRoute({ ...base, path: 'a' })],
    [
      'a public write',
      () => defineRoute({ ...base, path: '/a', contour: 'public', permission: 'public', method: 'POST' }),
    ],
    ['a public route with a permission', () => defineRoute({ ...base, path: '/a', contour: 'public' })],
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
