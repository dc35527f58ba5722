import { expect, test } from '@jest/globals';
import { Type, type TSchema } from 'typebox';
import {
  bodyValidator,
  foreignBodyValidator,
  queryValidator,
} from '../../../api/http/input/validation.ts';
import type { Route } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';

// A process compiles a schema at the first request that needs it, so a faulty schema must be found
// here.

type Node = {
  type?: string;
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  additionalProperties?: boolean | Node;
  items?: Node;
  anyOf?: Node[];
};

/** A value that violates the rules of each part of the schema. `way` selects an alternative. */
function wrong(schema: Node, way: number): unknown {
  const { type, properties, patternProperties, additionalProperties, items, anyOf } = schema;
  if (anyOf !== undefined) return wrong(anyOf.at(way)!, way);
  if (items !== undefined) return [wrong(items, way)];
  const others = [...Object.values(patternProperties ?? {}), additionalProperties].filter(
    (property) => typeof property === 'object',
  );
  if (properties !== undefined || others.length > 0)
    return Object.fromEntries([
      ...Object.entries(properties ?? {}).map(([name, each]) => [name, wrong(each, way)]),
      ...others.map((other, at) => [`other-${at}`, wrong(other, way)]),
    ]);
  return type === 'object' ? 0 : {};
}

const chooseValidator = ({ api, files }: Route) =>
  files !== undefined ? queryValidator : api === 'webhooks' ? foreignBodyValidator : bodyValidator;
const checks = routes.flatMap((route) =>
  [
    ['params', route.params, queryValidator] as const,
    ['query', route.query, queryValidator] as const,
    ['body', route.body, chooseValidator(route)] as const,
  ].flatMap(([part, schema, validator]) =>
    schema === undefined
      ? []
      : [
          [
            `${part} of ${route.operationId}`,
            () => [0, -1].map((way) => validator(schema, part)(wrong(schema, way))),
          ] as const,
        ],
  ),
);

test.each(checks)('the %s can be checked, with a description of its faults', (_, check) => {
  expect(check()).toEqual([expect.any(Array), expect.any(Array)]);
});

test('a schema that cannot be compiled is detected', () => {
  const broken = { type: 'object', properties: { a: { type: 'nothing' } } } as unknown as TSchema;

  expect(() => bodyValidator(broken)({})).toThrow(/schema is invalid/);
});

test.each([
  ['2026-11-28T00:00:00 03:00', '2026-11-28T00:00:00+03:00'],
  ['2026-11-28 00:00:00.5 0530', '2026-11-28 00:00:00.5+0530'],
  ['2026-11-28T00:00:00-03:00', '2026-11-28T00:00:00-03:00'],
  ['2026-11-28T00:00:00Z', '2026-11-28T00:00:00Z'],
])('[HTTP-99] the time %j of a URL is read as %j', (from, read) => {
  const moment = Type.String({ format: 'date-time' });
  const value = { from, at: [from], q: from };
  const check = queryValidator(
    Type.Object({ from: moment, at: Type.Array(moment), q: Type.String() }),
    'query',
  );

  expect(check(value)).toEqual([]);
  expect(value).toEqual({ from: read, at: [read], q: from });
});

test.each(['2026-11-28T00:00:00  03:00', '2026-11-28T00:00 03:00', '2026-11-28 03:00', ' 03:00'])(
  '[HTTP-99] the text %j of a URL is not a time',
  (from) => {
    const check = queryValidator(
      Type.Object({ from: Type.String({ format: 'date-time' }) }),
      'query',
    );
    expect(check({ from })).toMatchObject([{ field: 'from', code: 'format' }]);
  },
);
