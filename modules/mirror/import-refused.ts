/** Each is a reason of runs and a kind of notification. */
export const LIST_REFUSALS = ['SUSPICIOUS_LIST', 'EMPTY_LIST'] as const;
export type ListRefusal = (typeof LIST_REFUSALS)[number];
export const isListRefusal = (reason: string | null): reason is ListRefusal =>
  LIST_REFUSALS.some((entry) => entry === reason);

export type RefusedReason = 'DISABLED' | 'OWNER_INACTIVE' | ListRefusal;

/** Ends an import that a retry would not help. Recognize it by `name`. */
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

/** Works across realms. */
export function isImportRefused(error: unknown): error is ImportRefused {
  return error instanceof Error && error.name === 'ImportRefused' && 'reason' in error;
}
