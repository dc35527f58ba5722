import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { GIFTS, PRODUCTS_PER_SHELF, SHELVES } from '../../../packages/demo/seed/catalog.ts';
import { drawPicture } from '../../../packages/demo/seed/pictures.ts';
import { buildPortrait } from '../../../packages/demo/seed/portraits.ts';
import { bySize } from '../../../packages/demo/seed/shop.ts';
import { buildDataset } from '../../../packages/erp-emulator/data/dataset.ts';

const SIDE = 60;
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const subjects = [
  ...SHELVES.flatMap(({ theme, dishes }) => dishes.map((name) => ({ theme, name }))),
  ...GIFTS,
];

describe('popular dishes of the demo', () => {
  test('[STO-45] exist in the menus of the emulator, as many per category as the demo shows', () => {
    const menus = [...buildDataset(1, 'demo').menus.values()];
    const known = new Set(
      menus.flatMap(({ categories }) =>
        categories.flatMap(({ placements }) =>
          placements.map(({ dish }) => dish?.name.replace(/[\s🔥]+$/u, '').trim()),
        ),
      ),
    );

    expect(
      subjects.filter(({ name }) => !known.has(name) && !GIFTS.some((gift) => gift.name === name)),
    ).toEqual([]);
    expect(SHELVES.filter(({ dishes }) => dishes.length !== PRODUCTS_PER_SHELF)).toEqual([]);
  });

  test('[STO-45] show different pictures with the same bytes every time', async () => {
    const draw = ({ theme, name }: (typeof subjects)[number]) =>
      drawPicture(buildPortrait(theme, name), SIDE);
    const pictures = await Promise.all(subjects.map(draw));

    expect(new Set(pictures.map(digest)).size).toBe(subjects.length);
    expect(digest(await draw(subjects[0]!))).toBe(digest(pictures[0]!));
  });

  test.each([
    ['lemonade', 'Айран', 'milk'],
    ['grill', 'Бефстроганов', 'stew'],
    ['lemonade', 'Вода без газа', 'bottle'],
    ['breakfast', 'Глазунья с беконом', 'eggs'],
    ['grill', 'Хинкали с сыром', 'dumplings'],
  ] as const)(
    '[STO-45] show the kind of dish that the name contains: %s, %s',
    (theme, name, shape) => {
      expect(buildPortrait(theme, name).shape).toBe(shape);
    },
  );

  test('[STO-45] show a description and a composition with the main ingredient', () => {
    expect(
      subjects.filter(({ theme, name }) => buildPortrait(theme, name).description === ''),
    ).toEqual([]);
    expect(buildPortrait('wok', 'Соба с уткой').composition).toMatch(/^Утка, .+\.$/);
    expect(buildPortrait('grill', 'Шашлык из овощей').badges).toEqual(['NO_MEAT']);
    expect(buildPortrait('rolls', 'Ролл «Спайси лосось»').badges).toEqual(['SPICY']);
  });
});

test.each([
  [
    ['35 см', '25 см', '30 см'],
    ['25 см', '30 см', '35 см'],
  ],
  [
    ['1 л', '0,3 л', '0,5 л'],
    ['0,3 л', '0,5 л', '1 л'],
  ],
  [
    ['XL', 'Стандарт', 'Мини'],
    ['Мини', 'Стандарт', 'XL'],
  ],
  [
    ['Порция', 'Половина порции'],
    ['Половина порции', 'Порция'],
  ],
])('[STO-45] the sizes %j are sorted as %j', (sizes, sorted) => {
  expect(sizes.toSorted(bySize)).toEqual(sorted);
});
