/** Every status of a product; a new one is DRAFT (rule CAT-1). */
export const PRODUCT_STATUSES = ['DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

/** The moves that staff can request, with their source and target statuses. */
export const PRODUCT_MOVES = {
  publish: { from: ['DRAFT', 'UNPUBLISHED'], to: 'PUBLISHED' },
  unpublish: { from: ['PUBLISHED'], to: 'UNPUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'UNPUBLISHED'], to: 'ARCHIVED' },
  restore: { from: ['ARCHIVED'], to: 'DRAFT' },
} as const satisfies Record<string, { from: readonly ProductStatus[]; to: ProductStatus }>;
export type ProductMove = keyof typeof PRODUCT_MOVES;

export type MoveDecision = { kind: 'moves'; to: ProductStatus } | { kind: 'already' } | { kind: 'refused' };

/**
 * Decides a move: into the present status it changes nothing, from a status outside `from` it is
 * rejected.
 */
export function decideMove(status: ProductStatus, move: ProductMove): MoveDecision {
  const { from, to } = PRODUCT_MOVES[move];
  if (status === to) return { kind: 'already' };
  return (from as readonly ProductStatus[]).includes(status) ? { kind: 'moves', to } : { kind: 'refused' };
}

/**
 * The state of the dish that a variant is bound to: `MISSING` when it was lost for longer
 * than the grace window (rule BND-7).
 */
export const BINDING_STATES = ['OK', 'MISSING'] as const;
export type BindingState = (typeof BINDING_STATES)[number];

/** Ways to choose in a modifier group: exactly one, any of them, or one several times. */
export const MODIFIER_UI_TYPES = ['RADIO', 'CHECKBOX', 'COUNTER'] as const;
export type ModifierGroupUiType = (typeof MODIFIER_UI_TYPES)[number];
