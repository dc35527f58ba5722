import { expect, test } from '@jest/globals';
import { nestCategories } from '../../../domain/catalog/category-tree.ts';

test('categories nest under their parents, in order, and lose nobody', () => {
  const rows = [
    { id: 3, parentId: 1 },
    { id: 1, parentId: null },
    { id: 2, parentId: 1 },
    { id: 4, parentId: 99 },
  ];
  expect(nestCategories(rows)).toEqual([
    {
      id: 1,
      parentId: null,
      children: [
        { id: 3, parentId: 1, children: [] },
        { id: 2, parentId: 1, children: [] },
      ],
    },
    { id: 4, parentId: 99, children: [] },
  ]);
});
