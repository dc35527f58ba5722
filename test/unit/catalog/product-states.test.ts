import { describe, expect, test } from '@jest/globals';
import {
  decideMove,
  PRODUCT_MOVES,
  PRODUCT_STATUSES,
  type ProductMove,
  type ProductStatus,
} from '../../../modules/catalog/rules/product-states.ts';

const moves = Object.keys(PRODUCT_MOVES) as ProductMove[];

function reachable(from: ProductStatus): Set<ProductStatus> {
  const found = new Set([from]);
  for (const status of found)
    for (const move of moves) {
      const decision = decideMove(status, move);
      if (decision.kind === 'moves') found.add(decision.to);
    }
  return found;
}

describe('statuses of a product', () => {
  test('[CAT-1] every status is reached from a new product', () => {
    expect([...reachable('DRAFT')].toSorted()).toEqual([...PRODUCT_STATUSES].toSorted());
  });

  test('a product is hidden and shown again, an archived one stays archived', () => {
    expect(reachable('UNPUBLISHED')).toContain('PUBLISHED');
    expect([...reachable('ARCHIVED')]).toEqual(['ARCHIVED']);
  });

  test.each([
    ['DRAFT', 'publish', { kind: 'moves', to: 'PUBLISHED' }],
    ['UNPUBLISHED', 'publish', { kind: 'moves', to: 'PUBLISHED' }],
    ['PUBLISHED', 'publish', { kind: 'already' }],
    ['ARCHIVED', 'publish', { kind: 'refused' }],
    ['PUBLISHED', 'unpublish', { kind: 'moves', to: 'UNPUBLISHED' }],
    ['UNPUBLISHED', 'unpublish', { kind: 'already' }],
    ['DRAFT', 'unpublish', { kind: 'refused' }],
    ['ARCHIVED', 'unpublish', { kind: 'refused' }],
    ['DRAFT', 'archive', { kind: 'moves', to: 'ARCHIVED' }],
    ['PUBLISHED', 'archive', { kind: 'moves', to: 'ARCHIVED' }],
    ['UNPUBLISHED', 'archive', { kind: 'moves', to: 'ARCHIVED' }],
    ['ARCHIVED', 'archive', { kind: 'already' }],
  ] as const)('%s, %s: %j', (status, move, decision) => {
    expect(decideMove(status, move)).toEqual(decision);
  });
});
