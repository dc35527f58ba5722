import { sql } from 'kysely';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import type { RunMode, RunStatus } from '../rules/jobs.ts';

/** Reasons of runs that the ERP has rejected: another request gets the same answer. */
const REJECTED = ['CLIENT', 'FORBIDDEN', 'GONE'] as const;
/** Those, and answers that cannot be read: only people can end them. */
const LASTING: readonly string[] = [...REJECTED, 'INVALID_ANSWER', 'NOT_JSON', 'ASYNC_MENU_FAILED'];

/** Failed runs in a row after which administrators are notified. */
const NOTIFIED_AFTER = 2;
/** Failed runs in a row after which the longest pause is reached. */
const MOST_COUNTED = 6;
const MINUTE_MS = 60_000;
/** Pauses are a minute shorter than their polls, so that the poll at their end is made. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5 * MINUTE_MS, 60 * MINUTE_MS];

/** The last runs of a menu that requested it, the newest first. */
async function lastRuns({ db }: Sql, externalMenuId: number) {
  return db
    .selectFrom('sync_run as run')
    .innerJoin('external_menu_setting as setting', 'setting.externalMenuId', 'run.externalMenuId')
    .select(['run.status', 'run.reason'])
    .select(sql<number>`extract(epoch from now() - run.started_at)::double precision * 1000`.as('ageMs'))
    .select(sql<boolean>`setting.updated_at > run.started_at`.as('isEdited'))
    .where('run.job', '=', 'MENU')
    .where('run.externalMenuId', '=', externalMenuId)
    .where('run.status', '<>', 'RUNNING')
    .where(sql<boolean>`run.mode is distinct from 'PLAN'`)
    .orderBy('run.id', 'desc')
    .limit(MOST_COUNTED)
    .execute();
}

/** Counts the newest runs that failed for one of these reasons. */
function failuresOf(runs: readonly { status: RunStatus; reason: string | null }[], reasons: readonly string[]): number {
  const other = runs.findIndex(({ status, reason }) => status !== 'FAILED' || !reasons.includes(reason ?? ''));
  return other === -1 ? runs.length : other;
}

/**
 * Returns whether polls of a menu that the ERP rejects pause: for 10 minutes after the second
 * failed run, then twice as long, up to an hour, or until staff edit the menu (rule MIR-85).
 */
export async function isMenuResting(from: Sql, externalMenuId: number): Promise<boolean> {
  const runs = await lastRuns(from, externalMenuId);
  const [last] = runs;
  const failures = failuresOf(runs, REJECTED);
  if (last === undefined || failures < 2 || last.isEdited) return false;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
  return last.ageMs < pauseMs - MINUTE_MS;
}

/**
 * Raises or resolves the notification about a menu whose run has ended (rule MIR-86): a lasting
 * failure counts from the second in a row, and other failures change nothing.
 */
export async function reportMenuRun(
  tx: Tx,
  run: { runId: number; connectionId: number; externalMenuId: number },
  { status, reason, mode }: { status: RunStatus; reason: string | null; mode: RunMode | null },
): Promise<void> {
  if (mode === 'PLAN') return;
  if (status === 'SUCCESS' || reason === 'UNCHANGED') return endMenuFailure(tx, run.externalMenuId);
  if (status !== 'FAILED' || !LASTING.includes(reason ?? '')) return;
  const failures = failuresOf(await lastRuns(tx, run.externalMenuId), LASTING);
  if (failures < NOTIFIED_AFTER) return;
  await raiseNotification(tx, {
    kind: 'MENU_NOT_IMPORTED',
    subjectType: 'external-menu',
    subjectId: run.externalMenuId,
    details: { ...run, reason },
  });
}

/** Resolves the notification: the menu was imported, withdrawn or switched off. */
export async function endMenuFailure(tx: Sql, externalMenuId: number): Promise<void> {
  await resolveNotification(tx, 'MENU_NOT_IMPORTED', 'external-menu', externalMenuId);
}
