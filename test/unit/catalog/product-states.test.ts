import { describe, expect, test } from '@jest/globals';
import {
  decideMove,
  PRODUCT_MOVES,
  PRODUCT_STATUSES,
  type ProductMove,
  type ProductStatus,
} from '../../../modules/catalog/rules/states.ts';

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

describe('the statuses of a product', () => {
  test('[CAT-1] include only those reachable from a new product', () => {
    expect([...reachable('DRAFT')].toSorted()).toEqual([...PRODUCT_STATUSES].toSorted());
  });

  test('[CAT-20] allow every status to be reached from every other status', () => {
    for (const status of PRODUCT_STATUSES)
      expect([...reachable(status)].toSorted()).toEqual([...PRODUCT_STATUSES].toSorted());
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
    ['ARCHIVED', 'restore', { kind: 'moves', to: 'DRAFT' }],
    ['DRAFT', 'restore', { kind: 'already' }],
    ['PUBLISHED', 'restore', { kind: 'refused' }],
    ['UNPUBLISHED', 'restore', { kind: 'refused' }],
  ] as const)('%s, %s: %j', (status, move, decision) => {
    expect(decideMove(status, move)).toEqual(decision);
  });
});
