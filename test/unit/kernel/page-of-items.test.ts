import { describe, expect, test } from '@jest/globals';
import { pageOfItems, type SortKey } from '../../../kernel/pages.ts';

type Item = { id: number; name: string; price: number | null };
const ITEMS: readonly Item[] = [
  { id: 1, name: 'Щи', price: 300 },
  { id: 2, name: 'борщ', price: null },
  { id: 3, name: 'Борщ', price: 300 },
  { id: 4, name: 'Уха', price: 100 },
];
const VALUES = { name: ({ name }: Item) => name, price: ({ price }: Item) => price };
const asc = (field: string): SortKey => ({ field, direction: 'asc' });
const desc = (field: string): SortKey => ({ field, direction: 'desc' });

describe('the order of a list in memory', () => {
  test.each([
    ['no key', [], [1, 2, 3, 4]],
    ['ascending prices', [asc('price')], [4, 1, 3, 2]],
    ['descending prices, absent ones last', [desc('price')], [1, 3, 4, 2]],
    ['two keys', [desc('price'), asc('name')], [3, 1, 4, 2]],
    ['names without regard to capitals first', [asc('name')], [2, 3, 4, 1]],
  ])('[HTTP-3] follows %s, and equal items keep their order', (_, sort, expected) => {
    const { items } = pageOfItems(ITEMS, { page: 1, size: 10, sort }, VALUES);
    expect(items.map(({ id }) => id)).toEqual(expected);
  });
});

test('a list in memory has pages of the requested size, and its own length as total', () => {
  const page = (number: number) => pageOfItems(ITEMS, { page: number, size: 3 }, VALUES);
  expect(page(1)).toMatchObject({
    page: 1,
    size: 3,
    total: 4,
    items: [{ id: 1 }, { id: 2 }, { id: 3 }],
  });
  expect(page(2)).toEqual({ page: 2, size: 3, total: 4, items: [ITEMS[3]] });
  expect(page(3).items).toEqual([]);
});
