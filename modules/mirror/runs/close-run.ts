import { sql } from 'kysely';
import type { ObservedShrink } from '../schemas/mirror.ts';
import { formatOutcome } from '../../../platform/pure/search-attributes.ts';
import type { Job, RunMode, RunStatus } from '../rules/jobs.ts';
import { json, type Tx } from '../../../platform/db/database.ts';
import { statusesBefore } from '../rules/jobs.ts';
import { recordEvents } from '../../events/record-events.ts';
import { raiseNotification } from '../../notifications/raise-notification.ts';
import type { MirrorDeps } from './fenced-import.ts';
import { reportRefusedList } from '../list-shrink-guard.ts';
import { isListRefusal } from '../import-refused.ts';
import { reportMenuRun } from '../menu/failing-menus.ts';
import { clearStaging } from '../menu/stage-rows.ts';

export type RunEnd = {
  runId: number;
  status: Exclude<RunStatus, 'RUNNING'>;
  /** Null after success. */
  reason: string | null;
  /** A sentence without secrets. */
  detail?: string;
  shrink?: ObservedShrink;
  canceledBy?: number;
};

export type Closed = {
  status: RunStatus;
  reason: string | null;
  job: Job;
  mode: RunMode | null;
  connectionId: number;
  externalMenuId: number | null;
  seconds: number;
  items: Record<string, number>;
  /** Counters of jobs other than MENU; null if nothing was written. */
  applied: Record<string, unknown> | null;
};

/** Returns DISABLED for runs that were canceled because the connection was disabled. */
const toReason = (reason: string | null) =>
  reason === 'CANCELLED'
    ? sql<string>`case when exists (select from connection where connection.id = connection_id and status = 'DISABLED')
        then 'DISABLED' else 'CANCELLED' end`
    : reason;

/** Counters of written rows; other counters are of received rows. */
const ACTIONS = ['created', 'updated', 'deactivated', 'changed'];

/**
 * Ends a run and deletes its staged rows. A rejected shrink raises a notification and, for a full
 * run, clears `full_due`. Idempotent: a run ends once.
 */
export async function closeRun(
  deps: Pick<MirrorDeps, 'db' | 'metrics'>,
  end: RunEnd,
): Promise<{ status: RunStatus; reason: string | null; outcome: string }> {
  const closed = await deps.db.transaction((tx) => closeRunIn(tx, end));
  if (closed !== undefined) measureRun(deps.metrics, closed);
  const run = await deps.db.db
    .selectFrom('sync_run')
    .select(['status', 'reason'])
    .where('id', '=', end.runId)
    .executeTakeFirst();
  if (run === undefined) throw new Error(`run ${end.runId} has no record`);

  return { ...run, outcome: formatOutcome(run.status, run.reason) };
}

/**
 * {@link closeRun} in the caller's transaction, without metrics. Undefined if the run has ended.
 */
export async function closeRunIn(tx: Tx, end: RunEnd): Promise<Closed | undefined> {
  await clearStaging(tx, end.runId);
  const row = await tx.db
    .updateTable('sync_run')
    .set({
      status: end.status,
      reason: toReason(end.reason),
      detail: end.detail?.slice(0, 500) ?? null,
      finishedAt: sql`now()`,
      canceledBy: end.canceledBy ?? null,
      ...(end.shrink === undefined
        ? {}
        : { result: sql`result || ${json({ shrink: end.shrink })}::jsonb` }),
    })
    .where('id', '=', end.runId)
    .where('status', '=', sql<RunStatus>`any (${statusesBefore(end.status)}::text[])`)
    .returning([
      'status',
      'reason',
      'job',
      'mode',
      'connectionId',
      'externalMenuId',
      'items',
      sql<Closed['applied']>`result -> 'applied' -> 'result'`.as('applied'),
      sql<number>`extract(epoch from finished_at - started_at)::double precision`.as('seconds'),
    ])
    .executeTakeFirst();

  if (row?.status === 'FAILED') {
    const { job, connectionId, reason } = row;
    const data = { runId: end.runId, job, connectionId, reason };
    await recordEvents(tx, 'import.failed', [{ id: end.runId, organizationId: null, data }]);
  }

  if (row !== undefined && end.reason === 'SUSPICIOUS_SHRINK') await reportShrink(tx, end, row);
  if (row?.externalMenuId != null) {
    const { connectionId, externalMenuId } = row;
    await reportMenuRun(tx, { runId: end.runId, connectionId, externalMenuId }, row);
  }

  if (row !== undefined && isListRefusal(end.reason))
    await reportRefusedList(tx, { ...end, ...row }, end.reason);

  return row;
}

/** Clears `full_due`, so that incremental imports continue. */
async function reportShrink(
  tx: Tx,
  end: RunEnd,
  { mode, externalMenuId, connectionId }: Closed,
): Promise<void> {
  if (externalMenuId === null) return;
  if (mode === 'FULL')
    await tx.db
      .updateTable('mirror_external_menu')
      .set({ fullDue: false })
      .where('id', '=', externalMenuId)
      .where('fullDue', '=', true)
      .execute();

  await raiseNotification(tx, {
    kind: 'SUSPICIOUS_SHRINK',
    subjectType: 'external-menu',
    subjectId: externalMenuId,
    details: { runId: end.runId, connectionId, externalMenuId, ...end.shrink },
  });
}

export function measureRun(
  metrics: MirrorDeps['metrics'],
  { job, seconds, items, applied }: Closed,
): void {
  metrics.erpSyncDuration.observe({ job }, seconds);
  for (const [action, count] of Object.entries(job === 'MENU' ? items : pickCounts(applied ?? {})))
    metrics.erpSyncItems.inc({ job, action }, count);
}

/** Of the two lists of MENU_LIST, counts menus, because they start and end imports. */
function pickCounts(applied: Record<string, unknown>): Record<string, number> {
  const counters = (applied['menus'] ?? applied) as Record<string, unknown>;
  return Object.fromEntries(
    ACTIONS.flatMap((action) =>
      typeof counters[action] === 'number' ? [[action, counters[action]]] : [],
    ),
  );
}
