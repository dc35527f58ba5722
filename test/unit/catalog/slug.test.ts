import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { freeSlug, toSlug } from '../../../modules/catalog/rules/slug.ts';

describe('a slug made of a name', () => {
  test.each([
    ['Борщ с говядиной', 'borshch-s-govyadinoy'],
    ['Ёжик & «Щука» №5', 'ezhik-shchuka-5'],
    ['  Café Crème  ', 'cafe-creme'],
    ['Пицца 30 см', 'pitstsa-30-sm'],
    ['объём', 'obem'],
    ['Қазақша ет, Әжемнің үлгісі', 'kazaksha-et-azhemnin-ulgisi'],
    ['ხაჭაპური აჭარული', 'khachapuri-acharuli'],
    ['Խորոված', 'khorovats'],
    ['🍕', 'product'],
    ['', 'product'],
  ])('turns %j into %j', (name, slug) => {
    expect(toSlug(name, 'product')).toBe(slug);
  });

  test('[CAT-10] contains only letters, digits and single dashes, at most 80 of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        const slug = toSlug(name, 'product');
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(80);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('ends after at most 80 characters, and not with a dash', () => {
    expect(toSlug('a'.repeat(81), 'product')).toBe('a'.repeat(80));
    expect(toSlug(`${'a'.repeat(79)} soup`, 'product')).toBe('a'.repeat(79));
  });

  test('receives the first free suffix', () => {
    expect(freeSlug('chay', new Set())).toBe('chay');
    expect(freeSlug('chay', new Set(['chay', 'chay-2', 'chay-4']))).toBe('chay-3');
  });
});
