import { describe, expect, test } from '@jest/globals';
import {
  publishViolations,
  type PublishFacts,
} from '../../../modules/catalog/rules/publish-rules.ts';

const complete: PublishFacts = {
  hasMainImage: true,
  placements: 1,
  variants: 2,
  liveVariants: 1,
  defaultVariants: 1,
  unsoldVariants: 0,
};

describe('the rules of publication', () => {
  test('accept a complete product', () => {
    expect(publishViolations(complete)).toEqual([]);
  });

  test.each([
    [{ hasMainImage: false }, ['NO_MAIN_IMAGE']],
    [{ placements: 0 }, ['NO_PLACEMENT']],
    [{ variants: 0, liveVariants: 0, defaultVariants: 0 }, ['NO_VARIANT']],
    [{ liveVariants: 0 }, ['NO_LIVE_VARIANT']],
    [{ defaultVariants: 0 }, ['NO_DEFAULT_VARIANT']],
    [{ unsoldVariants: 1 }, ['UNSOLD_VARIANT']],
    [
      { hasMainImage: false, placements: 0, liveVariants: 0, defaultVariants: 0 },
      ['NO_MAIN_IMAGE', 'NO_PLACEMENT', 'NO_LIVE_VARIANT', 'NO_DEFAULT_VARIANT'],
    ],
  ])('reject %j as %j', (facts, codes) => {
    expect(publishViolations({ ...complete, ...facts })).toEqual(codes);
  });
});
