/** Why a client was promised a gift. */
export const COMPENSATION_REASONS = ['LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'] as const;
export type CompensationReason = (typeof COMPENSATION_REASONS)[number];

/** Where a promise comes from. */
export const COMPENSATION_SOURCES = ['ERP_CATEGORY', 'ERP_COMMENT', 'ADMIN', 'AUTO'] as const;
export type CompensationSource = (typeof COMPENSATION_SOURCES)[number];
