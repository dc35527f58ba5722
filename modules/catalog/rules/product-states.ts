/** Every status of a product; a new one is DRAFT (rule CAT-1). */
export const PRODUCT_STATUSES = ['DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

/** The moves staff can ask for: from which statuses, and where to. */
export const PRODUCT_MOVES = {
  publish: { from: ['DRAFT', 'UNPUBLISHED'], to: 'PUBLISHED' },
  unpublish: { from: ['PUBLISHED'], to: 'UNPUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'UNPUBLISHED'], to: 'ARCHIVED' },
} as const satisfies Record<string, { from: readonly ProductStatus[]; to: ProductStatus }>;
export type ProductMove = keyof typeof PRODUCT_MOVES;

export type MoveDecision = { kind: 'moves'; to: ProductStatus } | { kind: 'already' } | { kind: 'refused' };

/** Decides a move: into the present status it changes nothing, from a status outside `from` it is refused. */
export function decideMove(status: ProductStatus, move: ProductMove): MoveDecision {
  const { from, to } = PRODUCT_MOVES[move];
  if (status === to) return { kind: 'already' };
  return (from as readonly ProductStatus[]).includes(status) ? { kind: 'moves', to } : { kind: 'refused' };
}
