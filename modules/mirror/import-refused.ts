/** Reasons to reject a list at first: reason of the run and kind of the notification. */
export const LIST_REFUSALS = ['SUSPICIOUS_LIST', 'EMPTY_LIST'] as const;
export type ListRefusal = (typeof LIST_REFUSALS)[number];
export const isListRefusal = (reason: string | null): reason is ListRefusal =>
  LIST_REFUSALS.some((entry) => entry === reason);

/** Reasons to end a run without writing, although nothing is broken. */
export type RefusedReason = 'DISABLED' | 'OWNER_INACTIVE' | ListRefusal;

/**
 * Thrown by an import that must not continue. A retry would be rejected as well. Recognize it by
 * `name`.
 */
export class ImportRefused extends Error {
  readonly reason: RefusedReason;
  readonly lost: readonly number[];

  constructor(reason: RefusedReason, message: string, lost: readonly number[] = []) {
    super(message);
    this.name = 'ImportRefused';
    this.reason = reason;
    this.lost = lost;
  }
}

/** Returns true for an ImportRefused of any realm. */
export function isImportRefused(error: unknown): error is ImportRefused {
  return error instanceof Error && error.name === 'ImportRefused' && 'reason' in error;
}
