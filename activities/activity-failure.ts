import { isProblem } from '../kernel/problem.ts';
import { isErpFailure } from '../erp/failure.ts';
import { isImportRefused } from '../modules/mirror/import-refused.ts';
import { isSnapshotBroken } from '../modules/menus/snapshot/snapshot-broken.ts';

/** A fault: its type for operators, and whether and when to retry. */
export type ActivityFailure = {
  type: string;
  message: string;
  retryable: boolean;
  retryAfterMs: number | null;
};

const DATABASE = 'DATABASE_';

export const isOfDatabase = ({ type }: Pick<ActivityFailure, 'type'>): boolean =>
  type.startsWith(DATABASE);

/** PostgreSQL's class of violated constraints: retries violate them again. */
const CONSTRAINT_CLASS = '23';

/**
 * Deadlocks (40P01), serialization failures (40001) and lost connections can be retried. Null
 * means unknown. Temporal's policy decides the rest.
 */
export function activityFailure(error: unknown): ActivityFailure | null {
  if (isErpFailure(error)) {
    const { kind, message, retryable, retryAfterMs } = error;
    return { type: kind, message, retryable, retryAfterMs: retryAfterMs ?? null };
  }

  if (isImportRefused(error))
    return { type: error.reason, message: error.message, retryable: false, retryAfterMs: null };
  if (isSnapshotBroken(error))
    return {
      type: 'SNAPSHOT_BROKEN',
      message: error.message,
      retryable: false,
      retryAfterMs: null,
    };

  if (isProblem(error))
    return { type: error.kind, message: error.message, retryable: false, retryAfterMs: null };
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const retryable = !error.code.startsWith(CONSTRAINT_CLASS);
    return {
      type: `${DATABASE}${error.code}`,
      message: error.message,
      retryable,
      retryAfterMs: null,
    };
  }

  return null;
}
