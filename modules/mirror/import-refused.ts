import type { ListRefusal } from './list-shrink-guard.ts';

/** Why a run must end without writing anything, although nothing is broken: the reason of its record. */
export type RefusedReason = 'DISABLED' | 'OWNER_INACTIVE' | ListRefusal;

/** Thrown by an import that must not go on; another try would be refused as well. Recognise it by `name`. */
export class ImportRefused extends Error {
  readonly reason: RefusedReason;
  /** Ids of the restaurants that would have lost something by a refused list. */
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
