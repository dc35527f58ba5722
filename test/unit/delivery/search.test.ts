import { beforeAll, describe, expect, test } from '@jest/globals';
import { createSearchIndex, type SearchIndex } from '../../../app/delivery/search-index.ts';
import { searchMenu } from '../../support/search/menu.ts';
import { GOLD } from '../../support/search/gold.ts';

const menu = searchMenu();
const nameOf = new Map(menu.products.map((each) => [each.id, each.name]));
let index: SearchIndex;
beforeAll(async () => {
  index = await createSearchIndex(menu);
});

const namesFor = (query: string) => index.search(query).map((id) => nameOf.get(id)!);

describe('the gold set', () => {
  test('finds what is meant first in 85 % and among the first five in 97 % of at least 150 queries', () => {
    const found = GOLD.map(([query, ...meant]) => {
      const rank = namesFor(query).findIndex((name) => meant.includes(name));
      return { query, rank: rank < 0 ? Infinity : rank };
    });
    const share = (ranks: number) => found.filter((each) => each.rank < ranks).length / found.length;
    const missed = found.filter((each) => each.rank > 0).map(({ query, rank }) => `${query}: ${rank}`);

    expect(found.length).toBeGreaterThanOrEqual(150);
    expect({ share: share(1), missed: share(1) >= 0.85 ? [] : missed }).toEqual({ share: share(1), missed: [] });
    expect({ share: share(5), missed: share(5) >= 0.97 ? [] : missed }).toEqual({ share: share(5), missed: [] });
  });

  test('asks for products that exist', () => {
    const names = new Set(nameOf.values());
    expect(GOLD.flatMap(([, ...meant]) => meant).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('a query', () => {
  test.each([
    ['other layout', 'gbwwf', 'пицца'],
    ['ё and е', 'тёплый', 'теплый'],
    ['case and spaces', '  МАРГАРИТА ', 'маргарита'],
  ])('%s gives the same as the plain word', (_, query, plain) => {
    expect(namesFor(query).slice(0, 5)).toEqual(namesFor(plain).slice(0, 5));
    expect(namesFor(query).length).toBeGreaterThan(0);
  });

  test('of a category finds everything in it', () => {
    expect(namesFor('десерты')).toEqual(expect.arrayContaining(['Медовик', 'Павлова']));
  });

  test.each(['!!!', '—', '"', ' '])('of %j alone finds nothing', (query) => {
    expect(namesFor(query)).toEqual([]);
  });

  test('nothing of the kind is sold: nothing is found', () => {
    expect(namesFor('холодильник')).toEqual([]);
  });

  test('a word that nothing has does not hide what the others find', () => {
    expect(namesFor('борщ вкуснейший')[0]).toBe('Борщ');
  });

  test('of the greatest length ends', () => {
    expect(namesFor('пицца '.repeat(16)).length).toBeGreaterThan(0);
    expect(namesFor('щ'.repeat(100))).toEqual([]);
  });
});
