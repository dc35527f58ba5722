import type { Job } from './jobs.ts';
import type { ImportStatus } from '../schemas/sync-status.ts';

/** OPS-6. */
export const ALERT_AFTER_SECONDS = {
  ORGANIZATIONS: null,
  TERMINALS: null,
  MENU_LIST: null,
  MENU: 1800,
  STOP_LIST: 300,
  ZONES: null,
} as const satisfies Record<Job, number | null>;

/** Number of intervals after which other jobs are outdated. */
const INTERVALS_TOLERATED = 2;
/** Tolerates late starts and long runs of full imports. */
const FULL_TOLERATED_MS = 26 * 3_600_000;
/** Share of an interval after which a run counts as missed. */
const LATE_SHARE = 0.5;

/** Unix ms. */
export type ImportFacts = {
  now: number;
  alertAfterSeconds: number | null;
  hasNightly: boolean;
  everyMs: number;
  /** False if disabled, paused, or without an active owner. */
  isDue: boolean;
  isRunning: boolean;
  /** Since when the import is due without interruption. */
  dueSince: number;
  lastStartedAt: number | null;
  lastSuccessAt: number | null;
  /** Set only for MENU. */
  lastFullAt: number | null;
};

export type Freshness = Pick<
  ImportStatus,
  'ageSeconds' | 'isStale' | 'missedRuns' | 'isFullOverdue'
>;

export function computeFreshness(facts: ImportFacts): Freshness {
  const { now, everyMs, isDue, dueSince, lastSuccessAt } = facts;
  const allowedMs =
    facts.alertAfterSeconds === null
      ? INTERVALS_TOLERATED * everyMs
      : facts.alertAfterSeconds * 1000;

  const late = now - Math.max(dueSince, facts.lastStartedAt ?? 0) - LATE_SHARE * everyMs;

  return {
    ageSeconds:
      lastSuccessAt === null ? null : Math.max(0, Math.round((now - lastSuccessAt) / 1000)),
    isStale: now - (lastSuccessAt ?? dueSince) > allowedMs,
    missedRuns: isDue && !facts.isRunning ? Math.max(0, Math.floor(late / everyMs)) : 0,
    isFullOverdue:
      facts.hasNightly &&
      isDue &&
      now - Math.max(dueSince, facts.lastFullAt ?? 0) > FULL_TOLERATED_MS,
  };
}
