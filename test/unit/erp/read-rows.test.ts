import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { Id, Key, maybe, orNull, Uuid } from '../../../erp/schemas/check.ts';
import { checkRows } from '../../../erp/schemas/read-rows.ts';

const uuid = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, '0')}`;
const Row = Type.Object({
  id: Id,
  key: maybe(Key),
  amount: maybe(Type.Number()),
  texts: maybe(Type.Array(Type.String())),
  parts: maybe(Type.Array(Type.Object({ count: Type.Integer({ minimum: 0 }) }))),
});
const check = checkRows(
  Type.Object({
    lists: Type.Array(Type.Object({ organizationId: Uuid, items: orNull(Type.Array(Row)) })),
    note: maybe(Type.String()),
  }),
);
const list = (items: unknown, tail = 1) => ({ organizationId: uuid(tail), items });
const good = list([{ id: 'a', amount: 1 }]);
const read = (lists: unknown, more: object = {}) => check({ lists, ...more });

describe('[MIR-65] an answer with unreadable parts', () => {
  test('remains unchanged if every part is readable, unknown fields included', () => {
    const answer = { lists: [{ ...good, more: true }] };

    expect(check(answer)).toEqual({ data: answer });
  });

  test.each([
    ['a row without its id', [{ amount: 2 }, { id: 'b' }], [{ id: 'b' }], 'lists.1.items.0'],
    ['a row that is no object', ['text', { id: 'b' }], [{ id: 'b' }], 'lists.1.items.0'],
    [
      'an optional field of a wrong type',
      [{ id: 'b', amount: {} }],
      [{ id: 'b' }],
      'lists.1.items.0.amount',
    ],
    [
      'a text that is none',
      [{ id: 'b', texts: ['x', {}] }],
      [{ id: 'b', texts: ['x'] }],
      'lists.1.items.0.texts.1',
    ],
    ['texts that are no list', [{ id: 'b', texts: {} }], [{ id: 'b' }], 'lists.1.items.0.texts'],
    [
      'one part of a row',
      [{ id: 'b', parts: [{ count: -1 }, { count: 2 }] }],
      [{ id: 'b', parts: [{ count: 2 }] }],
      'lists.1.items.0.parts.0',
    ],
    [
      'all parts of a row',
      [{ id: 'b', parts: [{ count: -1 }] }, { id: 'c' }],
      [{ id: 'b' }, { id: 'c' }],
      'lists.1.items.0.parts',
    ],
    [
      'a row with an unreadable key',
      [{ id: 'b', key: {} }, { id: 'c' }],
      [{ id: 'c' }],
      'lists.1.items.0',
    ],
  ])('loses only %s', (_what, items, kept, place) => {
    const result = read([good, list(items, 2)]);

    expect(result).toMatchObject({ data: { lists: [good, { items: kept }] } });
    expect('data' in result ? result.odd : []).toContainEqual(expect.objectContaining({ place }));
  });

  test('contains a whole number as the text of an id, and never as a uuid', () => {
    expect(read([list([{ id: 9001 }, { id: 'b' }])])).toMatchObject({
      data: { lists: [list([{ id: '9001' }, { id: 'b' }])] },
    });
    for (const id of [1.5, Number.NaN, 2 ** 60, true, {}])
      expect(read([list([{ id }, { id: 'b' }])])).toMatchObject({
        data: { lists: [list([{ id: 'b' }])] },
      });
    expect(read([{ organizationId: 5, items: [] }, good])).toMatchObject({
      data: { lists: [good] },
    });
  });

  test('reports the organization of a row that is lost with its content', () => {
    expect(read([good, list([{ amount: 1 }], 2), { items: [] }])).toMatchObject({
      data: { lists: [good] },
      odd: [
        { place: 'lists.1.items.0' },
        { place: 'lists.1', organizationId: uuid(2) },
        { organizationId: null },
      ],
    });
  });

  test('[MIR-72] reports the organization around a row', () => {
    expect(
      read([list([{ id: 'a' }, { id: 'b', amount: {}, parts: [5, { count: 1 }] }, null], 2), good]),
    ).toMatchObject({
      odd: [
        { place: 'lists.0.items.1.amount', organizationId: uuid(2) },
        { place: 'lists.0.items.1.parts.0', organizationId: uuid(2) },
        { place: 'lists.0.items.2', organizationId: uuid(2) },
      ],
    });
  });

  test('may contain numbers as text, and short texts as numbers', () => {
    expect(read([list([{ id: 'a', amount: ' 12.50 ', texts: [7] }])], { note: 5 })).toMatchObject({
      data: { lists: [{ items: [{ id: 'a', amount: 12.5, texts: ['7'] }] }], note: '5' },
    });
    expect(read([list([{ id: 'a', amount: '1,5' }]), good])).toMatchObject({
      odd: [{ place: 'lists.0.items.0.amount' }],
    });
  });

  test.each([
    ['no list', undefined],
    ['a list of a wrong type', {}],
    ['a list without a readable row', [{ organizationId: 'x', items: [] }]],
  ])('fails with %s', (_what, lists) => {
    expect(read(lists)).toMatchObject({ fault: expect.stringContaining('lists') });
  });

  test('never repeats a value in a fault', () => {
    expect(
      JSON.stringify(read([good, { organizationId: 'secret', items: 'secret' }])),
    ).not.toContain('secret');
  });
});
