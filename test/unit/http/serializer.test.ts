import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { createSerializer } from '../../../api/http/serializer.ts';
import { moneyText, toKopecks } from '../../../kernel/pure/money.ts';
import { Money, Nullable, Timestamp } from '../../../kernel/pure/schemas.ts';

describe('the function moneyText', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [99, '0.99'],
    [100, '1.00'],
    [25_000, '250.00'],
    [-150, '-1.50'],
    [9_007_199_254_740_991, '90071992547409.91'],
  ])('writes %d kopecks as %s', (kopecks, text) => {
    expect(moneyText(kopecks)).toBe(text);
  });

  test.each([0.5, Number.NaN, 2 ** 53])('rejects %d as kopecks', (value) => {
    expect(() => moneyText(value)).toThrow('whole number of kopecks');
  });

  test('returns text that reads as the same money', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (kopecks) => {
        expect(Math.round(Number(moneyText(kopecks)) * 100)).toBe(kopecks);
      }),
    );
  });
});

describe('the function createSerializer', () => {
  const schema = Type.Object({
    id: Type.Integer(),
    at: Nullable(Timestamp),
    lines: Type.Array(Type.Object({ price: Money, old: Nullable(Money) })),
    byCode: Type.Record(Type.String(), Money),
    free: Type.Unknown(),
  });
  const value = {
    id: 1,
    at: new Date(0),
    lines: [
      { price: 100, old: null },
      { price: 5, old: 10 },
    ],
    byCode: { a: 1 },
    free: { any: [1, 'x'] },
  };

  test('writes money and dates at every depth', () => {
    expect(createSerializer(schema, true)(value)).toBe(
      '{"id":1,"at":"1970-01-01T00:00:00.000Z","lines":[{"price":1.00,"old":null},{"price":0.05,"old":0.10}],"byCode":{"a":0.01},"free":{"any":[1,"x"]}}',
    );
  });

  test('writes a recursive value to its end, and omits unknown fields at every depth', () => {
    const node = Type.Cyclic(
      {
        SampleNode: Type.Object({
          price: Money,
          below: Type.Optional(Type.Array(Type.Ref('SampleNode'))),
        }),
      },
      'SampleNode',
    );
    const tree = {
      items: [{ price: 1, below: [{ price: 20, below: [{ price: 300, secret: true }] }] }],
    };
    const schema = Type.Object({ items: Type.Array(node) });

    expect(createSerializer(schema, false)(tree)).toBe(
      '{"items":[{"price":0.01,"below":[{"price":0.20,"below":[{"price":3.00}]}]}]}',
    );
    expect(() => createSerializer(schema, true)(tree)).toThrow(
      'unknown field .items.0.below.0.below.0.secret',
    );
  });

  test('omits fields that are not in the schema, and reports them in tests', () => {
    const leaking = {
      ...value,
      lines: [{ price: 1, old: null, apiLogin: 'secret' }],
      token: 'secret',
    };

    expect(createSerializer(schema, false)(leaking)).not.toContain('secret');
    expect(() => createSerializer(schema, true)(leaking)).toThrow('unknown field');
  });

  test('reports missing and invalid fields in tests', () => {
    const { id: _id, ...missing } = value;

    expect(() => createSerializer(schema, true)(missing)).toThrow('id is required');
    expect(() => createSerializer(schema, true)({ ...value, id: '1' })).toThrow(
      'id must be integer',
    );
  });

  test('finds the branch of a union by its constants', () => {
    const union = Type.Union([
      Type.Object({ kind: Type.Literal('price'), amount: Money }),
      Type.Object({ kind: Type.Literal('count'), amount: Type.Integer() }),
    ]);
    const write = createSerializer(union, true);

    expect(write({ kind: 'price', amount: 250 })).toBe('{"kind":"price","amount":2.50}');
    expect(write({ kind: 'count', amount: 250 })).toBe('{"kind":"count","amount":250}');
  });

  test('writes members in the order of the schema', () => {
    expect(
      createSerializer(Type.Object({ a: Type.Integer(), b: Type.Integer() }), true)({ b: 2, a: 1 }),
    ).toBe('{"a":1,"b":2}');
  });
});

test.each([
  [199.99, 19_999],
  [0.1 + 0.2, 30],
  [-1.5, -150],
  [0.005, null],
  [1.0001, null],
])('the amount of %d rubles is %j kopecks', (rubles, kopecks) => {
  expect(toKopecks(rubles)).toBe(kopecks);
});
