import { sql } from 'kysely';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import type { RunMode, RunStatus } from '../rules/jobs.ts';

const REJECTED = ['CLIENT', 'FORBIDDEN', 'GONE'] as const;
/** Failures that do not end without staff. */
const LASTING: readonly string[] = [...REJECTED, 'INVALID_ANSWER', 'NOT_JSON', 'ASYNC_MENU_FAILED'];

const NOTIFIED_AFTER = 2;
const MOST_COUNTED = 6;
const MINUTE_MS = 60_000;
/** Pauses end a minute early, so that the poll at their end is not skipped. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5 * MINUTE_MS, 60 * MINUTE_MS];

/** Returns runs that sent a request, newest first. */
async function lastRuns({ db }: Sql, externalMenuId: number) {
  return db
    .selectFrom('sync_run as run')
    .innerJoin('external_menu_setting as setting', 'setting.externalMenuId', 'run.externalMenuId')
    .select(['run.status', 'run.reason'])
    .select(
      sql<number>`extract(epoch from now() - run.started_at)::double precision * 1000`.as('ageMs'),
    )
    .select(sql<boolean>`setting.updated_at > run.started_at`.as('isEdited'))
    .where('run.job', '=', 'MENU')
    .where('run.externalMenuId', '=', externalMenuId)
    .where('run.status', '<>', 'RUNNING')
    .where(sql<boolean>`run.mode is distinct from 'PLAN'`)
    .orderBy('run.id', 'desc')
    .limit(MOST_COUNTED)
    .execute();
}

function countFailures(
  runs: readonly { status: RunStatus; reason: string | null }[],
  reasons: readonly string[],
): number {
  const other = runs.findIndex(
    ({ status, reason }) => status !== 'FAILED' || !reasons.includes(reason ?? ''),
  );
  return other === -1 ? runs.length : other;
}

/**
 * Returns true while polls of a rejected menu pause (MIR-85). The first pause, after the second
 * failure, lasts 10 minutes. Pauses double up to an hour. An edit by staff ends them.
 */
export async function isMenuResting(from: Sql, externalMenuId: number): Promise<boolean> {
  const runs = await lastRuns(from, externalMenuId);
  const [last] = runs;
  const failures = countFailures(runs, REJECTED);
  if (last === undefined || failures < 2 || last.isEdited) return false;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);

  return last.ageMs < pauseMs - MINUTE_MS;
}

/**
 * Raises a notification about a menu from the second consecutive lasting failure, or resolves it
 * (MIR-86).
 */
export async function reportMenuRun(
  tx: Tx,
  run: { runId: number; connectionId: number; externalMenuId: number },
  { status, reason, mode }: { status: RunStatus; reason: string | null; mode: RunMode | null },
): Promise<void> {
  if (mode === 'PLAN') return;
  if (status === 'SUCCESS' || reason === 'UNCHANGED') return endMenuFailure(tx, run.externalMenuId);
  if (status !== 'FAILED' || !LASTING.includes(reason ?? '')) return;
  const failures = countFailures(await lastRuns(tx, run.externalMenuId), LASTING);
  if (failures < NOTIFIED_AFTER) return;
  await raiseNotification(tx, {
    kind: 'MENU_NOT_IMPORTED',
    subjectType: 'external-menu',
    subjectId: run.externalMenuId,
    details: { ...run, reason },
  });
}

/** Resolves the notification after an import, a withdrawal or a switch-off. */
export async function endMenuFailure(tx: Sql, externalMenuId: number): Promise<void> {
  await resolveNotification(tx, 'MENU_NOT_IMPORTED', 'external-menu', externalMenuId);
}
