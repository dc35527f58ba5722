export const COMPENSATION_REASONS = ['LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'] as const;
export type CompensationReason = (typeof COMPENSATION_REASONS)[number];

export const COMPENSATION_SOURCES = ['ERP_CATEGORY', 'ERP_COMMENT', 'ADMIN', 'AUTO'] as const;
export type CompensationSource = (typeof COMPENSATION_SOURCES)[number];

/** Client categories (variant A), blocks in comments (variant B). */
export type MarkerSource = Extract<CompensationSource, 'ERP_CATEGORY' | 'ERP_COMMENT'>;

/**
 * SECOND_RIGHT: the client has a right, or several markers came at once. REMOVED_BY_HAND: an unused
 * right has lost its marker.
 */
export const CONFLICT_KINDS = ['SECOND_RIGHT', 'REMOVED_BY_HAND'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** WITHDRAWN: the marker was removed or has returned. */
export const CONFLICT_STATUSES = ['OPEN', 'GRANTED', 'IGNORED', 'WITHDRAWN'] as const;
export type ConflictStatus = (typeof CONFLICT_STATUSES)[number];

/** GRANT: the client gets or keeps the gift. IGNORE: the promise gives nothing. */
export const CONFLICT_DECISIONS = ['GRANT', 'IGNORE'] as const;

/** REPEATED: another order has redeemed the right. */
export const UNAUTHORIZED_KINDS = ['NO_RIGHT', 'REPEATED'] as const;
export type UnauthorizedKind = (typeof UNAUTHORIZED_KINDS)[number];
/** WITHDRAWN: the order no longer contains the gift. */
export const UNAUTHORIZED_STATUSES = ['OPEN', 'ALLOWED', 'NOT_ALLOWED', 'WITHDRAWN'] as const;
export type UnauthorizedStatus = (typeof UNAUTHORIZED_STATUSES)[number];

export const CANDIDATE_STATUSES = ['OPEN', 'CONFIRMED', 'DISMISSED'] as const;
export type CandidateStatus = (typeof CANDIDATE_STATUSES)[number];
