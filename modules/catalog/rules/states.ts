/** A new product is DRAFT (CAT-1). */
export const PRODUCT_STATUSES = ['DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

export const PRODUCT_MOVES = {
  publish: { from: ['DRAFT', 'UNPUBLISHED'], to: 'PUBLISHED' },
  unpublish: { from: ['PUBLISHED'], to: 'UNPUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'UNPUBLISHED'], to: 'ARCHIVED' },
  restore: { from: ['ARCHIVED'], to: 'DRAFT' },
} as const satisfies Record<string, { from: readonly ProductStatus[]; to: ProductStatus }>;

export type ProductMove = keyof typeof PRODUCT_MOVES;

export type MoveDecision =
  | { kind: 'moves'; to: ProductStatus }
  | { kind: 'already' }
  | { kind: 'refused' };

/** A move to the current status changes nothing. */
export function decideMove(status: ProductStatus, move: ProductMove): MoveDecision {
  const { from, to } = PRODUCT_MOVES[move];
  if (status === to) return { kind: 'already' };
  return (from as readonly ProductStatus[]).includes(status)
    ? { kind: 'moves', to }
    : { kind: 'refused' };
}

/** `MISSING`: the dish was lost for longer than the grace period (BND-7). */
export const BINDING_STATES = ['OK', 'MISSING'] as const;
export type BindingState = (typeof BINDING_STATES)[number];

/** RADIO: exactly one. CHECKBOX: several. COUNTER: the same modifier several times. */
export const MODIFIER_UI_TYPES = ['RADIO', 'CHECKBOX', 'COUNTER'] as const;
export type ModifierGroupUiType = (typeof MODIFIER_UI_TYPES)[number];
