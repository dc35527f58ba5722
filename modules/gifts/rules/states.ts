export const COMPENSATION_STATUSES = [
  'GRANTED',
  'RESERVED',
  'REDEEMED',
  'EXPIRED',
  'CANCELLED',
  'BLOCKED',
] as const;

export type CompensationStatus = (typeof COMPENSATION_STATUSES)[number];

/** See {@link afterMove}. */
type Condition = 'IN_TERM' | 'TERM_ENDED' | 'OWN_ORDER' | 'ORDER' | 'REASON';

/** All moves of a right (rule CMP-1). */
export const COMPENSATION_MOVES = {
  /** Checks other than the conditions are in `checks.ts`. */
  RESERVE: { from: ['GRANTED'], to: 'RESERVED', conditions: ['IN_TERM', 'ORDER'] },
  /** After the ERP has created the order. */
  REDEEM: { from: ['RESERVED'], to: 'REDEEMED', conditions: ['OWN_ORDER'] },
  /**
   * For an order canceled unsent or never created. `releaseRights` then extends an ended term.
   */
  RELEASE: { from: ['RESERVED'], to: 'GRANTED', conditions: ['OWN_ORDER'] },
  EXPIRE: { from: ['GRANTED'], to: 'EXPIRED', conditions: ['TERM_ENDED'] },
  CANCEL: { from: ['GRANTED'], to: 'CANCELLED', conditions: ['REASON'] },
  /** Because the item is missing or misconfigured. */
  BLOCK: { from: ['GRANTED'], to: 'BLOCKED', conditions: ['REASON'] },
  UNBLOCK: { from: ['BLOCKED'], to: 'GRANTED', conditions: [] },
  /** By staff, or by the client if the promised gift is stopped. */
  REBIND: { from: ['GRANTED', 'BLOCKED'], to: 'GRANTED', conditions: ['REASON'] },
  EDIT: { from: ['GRANTED', 'BLOCKED'], to: 'SAME', conditions: ['REASON'] },
  /** For a gift in an order from another channel. */
  IMPORT: { from: ['GRANTED', 'RESERVED'], to: 'REDEEMED', conditions: ['ORDER'] },
} as const satisfies Record<
  string,
  {
    from: readonly CompensationStatus[];
    to: CompensationStatus | 'SAME';
    conditions: readonly Condition[];
  }
>;

export type CompensationMoveName = keyof typeof COMPENSATION_MOVES;

/** Default reasons, so that ledger and audit always have one (rule CMP-107). */
const OWN_REASONS = {
  RESERVE: 'ORDER_PLACED',
  REDEEM: 'ORDER_CREATED',
  EXPIRE: 'TERM_ENDED',
  UNBLOCK: 'GIFT_AVAILABLE',
  IMPORT: 'ORDER_FROM_ELSEWHERE',
} as const satisfies Partial<Record<CompensationMoveName, string>>;

/** Null if the caller must give a reason. */
export const reasonOfMove = (move: string): string | null =>
  move in OWN_REASONS ? OWN_REASONS[move as keyof typeof OWN_REASONS] : null;

export type MovableRight = {
  status: CompensationStatus;
  expiresAt: number | null;
  reservedOrderId: string | null;
};

export type MoveFacts = { at: number; orderId: string | null; reason: string | null };

export type AfterMove = { to: CompensationStatus } | { refusedBy: 'STATUS' | Condition };

const CONDITIONS: Readonly<Record<Condition, (right: MovableRight, facts: MoveFacts) => boolean>> =
  {
    IN_TERM: ({ expiresAt }, { at }) => expiresAt === null || at < expiresAt,
    TERM_ENDED: ({ expiresAt }, { at }) => expiresAt !== null && at >= expiresAt,
    OWN_ORDER: ({ reservedOrderId }, { orderId }) =>
      orderId !== null && orderId === reservedOrderId,
    ORDER: (_, { orderId }) => orderId !== null,
    REASON: (_, { reason }) => reason !== null && reason.trim() !== '',
  };

/**
 * Returns the state after a move, or the condition that prevents it (rule CMP-1). Requires a locked
 * row.
 */
export function afterMove(
  right: MovableRight,
  move: CompensationMoveName,
  facts: MoveFacts,
): AfterMove {
  const { from, to, conditions } = COMPENSATION_MOVES[move];
  if (!(from as readonly CompensationStatus[]).includes(right.status))
    return { refusedBy: 'STATUS' };
  const refusedBy = conditions.find((condition) => !CONDITIONS[condition](right, facts));
  return refusedBy === undefined ? { to: to === 'SAME' ? right.status : to } : { refusedBy };
}

export type StandingRight = {
  status: CompensationStatus;
  rewardId: number;
  reservedOrderId: string | null;
  redeemedOrderId: string | null;
  /** Increases with every move. */
  version: number;
};

/**
 * Even if another channel redeems a right, it still refers to the own order that had reserved it.
 */
export function movedRight<Right extends StandingRight>(
  right: Right,
  to: CompensationStatus,
  {
    orderId = null,
    rewardId = right.rewardId,
  }: { orderId?: string | null | undefined; rewardId?: number | undefined },
): Right {
  const isRedeemed = to === 'REDEEMED';
  return {
    ...right,
    status: to,
    rewardId,
    reservedOrderId: to === 'RESERVED' ? orderId : isRedeemed ? right.reservedOrderId : null,
    redeemedOrderId: isRedeemed ? orderId : null,
    version: right.version + 1,
  };
}
