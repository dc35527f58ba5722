import { isProblem } from '../kernel/problem.ts';
import { isErpFailure } from '../erp/failure.ts';
import { isImportRefused } from '../modules/mirror/import-refused.ts';
import { isSnapshotBroken } from '../modules/menus/snapshot/snapshot-broken.ts';

/**
 * The report of a fault by an activity: its type for operators, and whether and when to try again.
 */
export type ActivityFailure = {
  type: string;
  message: string;
  retryable: boolean;
  retryAfterMs: number | null;
};

const DATABASE = 'DATABASE_';

/** True for a failure that the database has reported. */
export const isOfDatabase = ({ type }: Pick<ActivityFailure, 'type'>): boolean =>
  type.startsWith(DATABASE);

/** PostgreSQL's class of broken constraints: the same statement breaks them again. */
const CONSTRAINT_CLASS = '23';

/**
 * Translates a fault of a use case into retry semantics: Temporal's policy is their only owner, so
 * the use case only states if a retry can help. Deadlocks (40P01), serialization failures (40001)
 * and lost connections can; null means unknown, and then the policy's attempts bound it.
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
