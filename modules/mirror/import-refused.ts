/** Why a list is not believed at once: the reason of its run and the kind of the notification. */
export const LIST_REFUSALS = ['SUSPICIOUS_LIST', 'EMPTY_LIST'] as const;
export type ListRefusal = (typeof LIST_REFUSALS)[number];
export const isListRefusal = (reason: string | null): reason is ListRefusal =>
  LIST_REFUSALS.some((entry) => entry === reason);

/**
 * Why a run must end without writing anything, although nothing is broken: the reason of its
 * record.
 */
export type RefusedReason = 'DISABLED' | 'OWNER_INACTIVE' | ListRefusal;

/**
 * Thrown by an import that must not continue; another try would be rejected as well. Recognise it
 * by `name`.
 */
export class ImportRefused extends Error {
  readonly reason: RefusedReason;
  /** Ids of the restaurants that would have lost something by a rejected list. */
  readonly lost: readonly number[];

  constructor(reason: RefusedReason, message: string, lost: readonly number[] = []) {
    super(message);
    this.name = 'ImportRefused';
    this.reason = reason;
    this.lost = lost;
  }
}

/** True when `error` is an ImportRefused of any realm. */
export function isImportRefused(error: unknown): error is ImportRefused {
  return error instanceof Error && error.name === 'ImportRefused' && 'reason' in error;
}
