import { expect, test } from '@jest/globals';
import type { TSchema } from 'typebox';
import { bodyValidator, foreignBodyValidator, queryValidator } from '../../../api/http/validation.ts';
import type { Route } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';

// A process compiles a schema with the first request that needs it: what cannot be compiled must not come as far as that.

const validatorOf = ({ api, files }: Route) =>
  files !== undefined ? queryValidator : api === 'webhooks' ? foreignBodyValidator : bodyValidator;
const checks = routes.flatMap((route) =>
  [
    ['params', route.params, queryValidator] as const,
    ['query', route.query, queryValidator] as const,
    ['body', route.body, validatorOf(route)] as const,
  ].flatMap(([part, schema, validator]) =>
    schema === undefined ? [] : [[`${part} of ${route.operationId}`, () => validator(schema, part)({})] as const],
  ),
);

test.each(checks)('the %s can be checked', (_, check) => {
  expect(check()).toBeInstanceOf(Array);
});

test('a schema that cannot be compiled is noticed by that', () => {
  const broken = { type: 'object', properties: { a: { type: 'nothing' } } } as unknown as TSchema;

  expect(() => bodyValidator(broken)({})).toThrow(/schema is invalid/);
});
