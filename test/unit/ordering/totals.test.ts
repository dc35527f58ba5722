import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeTotals } from '../../../modules/ordering/rules/totals.ts';
import { repetitions } from '../../support/repetitions.ts';

const kopecks = fc.integer({ min: 0, max: 10_000_000 });

describe('the totals of a cart', () => {
  test('[ORD-9] add up, are never negative, and ignore the order of lines', () => {
    const anyCart = fc
      .tuple(
        fc.array(kopecks, { maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 4 }),
        kopecks,
      )
      .map(([lines, percents, fee]) => {
        let left = lines.reduce((sum, line) => sum + line, 0);
        const discounts = percents.map((percent) => {
          const amount = Math.floor((left * percent) / 100);
          left -= amount;
          return amount;
        });
        return { lines, discounts, fee };
      });
    fc.assert(
      fc.property(anyCart, fc.integer({ min: 0, max: 30 }), ({ lines, discounts, fee }, at) => {
        const totals = computeTotals(lines, discounts, fee);
        const [first, second] = [
          computeTotals(lines.slice(0, at), [], 0),
          computeTotals(lines.slice(at), [], 0),
        ];

        expect(totals.totalKopecks).toBe(totals.subtotalKopecks - totals.discountKopecks + fee);
        expect(totals.subtotalKopecks).toBe(first.totalKopecks + second.totalKopecks);
        expect(totals.totalKopecks).toBeGreaterThanOrEqual(fee);
        expect(computeTotals(lines.toReversed(), discounts.toReversed(), fee)).toEqual(totals);
      }),
      { numRuns: repetitions(200) },
    );
  });

  test.each([
    ['half a kopeck', [0.5], [], 0, 'whole number'],
    ['a negative line', [-1], [], 0, 'whole number'],
    ['a negative discount', [10], [-1], 0, 'whole number'],
    ['a negative fee', [10], [], -1, 'whole number'],
    ['discounts of more than the lines', [10], [11], 5, 'more than the cart'],
  ])('cannot contain %s', (_, lines, discounts, fee, message) => {
    expect(() => computeTotals(lines, discounts, fee)).toThrow(message);
  });
});
