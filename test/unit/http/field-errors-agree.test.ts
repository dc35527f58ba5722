import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { fieldErrors } from '../../../api/http/input/field-errors.ts';
import { addOurFormats } from '../../../api/http/input/formats.ts';
import { routes } from '../../../api/routes.ts';

/** Ajv decides and the walk describes: they agree on every value. */
const ajv = addOurFormats(new Ajv({ strict: false }));
const bodies = routes.flatMap((route) =>
  route.body === undefined ? [] : [[route.operationId, route.body] as const],
);

type Shape = {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  enum?: string[];
};

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'x',
  '\0',
  'x'.repeat(300),
  [],
  {},
  [null],
  [1, 1],
];
const odd = fc.constantFrom(...ODD);

/** Values of about this shape, with odd, missing and unknown members. */
function about({ type, properties, items, anyOf, enum: words }: Shape): fc.Arbitrary<unknown> {
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(about), odd);
  if (words !== undefined)
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom<unknown>(...words) }, odd);
  const usual = (): fc.Arbitrary<unknown> => {
    switch (type ?? 'string') {
      case 'object': {
        const members = Object.entries(properties ?? {}).map(
          ([name, member]) => [name, about(member)] as const,
        );
        const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
        const unknown = fc.oneof(
          { weight: 4, arbitrary: fc.constant({}) },
          fc.constant({ unknown: 1 }),
        );
        return fc.tuple(known, unknown).map(([one, other]) => ({ ...one, ...other }));
      }
      case 'array':
        return fc.array(items === undefined ? odd : about(items), { maxLength: 4 });
      case 'integer':
        return fc.integer({ min: 0, max: 5 });
      case 'number':
        return fc.double({ min: 0, max: 5, noNaN: true });
      case 'boolean':
        return fc.boolean();
      default:
        return fc.oneof(fc.string({ maxLength: 5 }), fc.uuid());
    }
  };
  return fc.oneof({ weight: 6, arbitrary: usual() }, odd);
}

test.each(bodies)('%s', (_, body) => {
  const isValid = ajv.compile(body);
  fc.assert(
    fc.property(about(body as Shape), (value) => {
      const errors = fieldErrors(body as TSchema, value, 'body');
      expect({ value, isRefused: errors.length > 0 }).toEqual({
        value,
        isRefused: !isValid(value),
      });
      expect(errors.filter((error) => error.code === 'invalid')).toEqual([]);
    }),
    { numRuns: 100, seed: 7 },
  );
});
