import type { ObservedShrink } from '../../../contracts/mirror.ts';
import type { Job, RunStatus } from '../../../contracts/jobs.ts';
import type { Tx } from '../../../db/database.ts';
import { statusesBefore } from '../../../domain/mirror/run-states.ts';
import { raiseNotification } from '../../notifications/raise-notification.ts';
import type { MirrorDeps } from '../mirror-deps.ts';
import { clearStaging } from '../menu/stage-rows.ts';

/** How a run ends. Counters of what it wrote are in the record already, from the transaction that wrote it. */
export type RunEnd = {
  runId: number;
  status: Exclude<RunStatus, 'RUNNING'>;
  /** A code for operators: why it was skipped or failed; null after success. */
  reason: string | null;
  /** A sentence without secrets. */
  detail?: string;
  /** What was asked for and received, also by runs that wrote nothing. */
  organizations?: number;
  batches?: number;
  payloadBytes?: number;
  revisionTo?: number | null;
  /** What a refused full import would have taken away. */
  shrink?: ObservedShrink;
};

type Closed = {
  job: Job;
  connectionId: number;
  externalMenuId: number | null;
  seconds: number;
  items: Record<string, number>;
  /** Counters of a job other than MENU, from the transaction that wrote its rows; null when it wrote nothing. */
  applied: Record<string, unknown> | null;
};

/** A run that is cancelled because its connection was disabled says so. */
const REASON = `case when $3 = 'CANCELLED' and exists (
  select 1 from connection where connection.id = connection_id and status = 'DISABLED') then 'DISABLED' else $3 end`;

/** Counters of other jobs that count rows written; the rest of their result is about what they received. */
const ACTIONS = ['created', 'updated', 'deactivated', 'changed'];

/**
 * Ends a run: status, reason and what it received; its staged rows are deleted. A refused shrink clears `full_due` and raises a
 * notification in the same transaction. Returns the status that stands.
 * A second call changes nothing, because a run ends once (domain/mirror/run-states.ts).
 */
export async function closeRun(
  deps: Pick<MirrorDeps, 'db' | 'metrics'>,
  end: RunEnd,
): Promise<{ status: RunStatus; reason: string | null }> {
  const closed = await deps.db.transaction(async (tx) => {
    await clearStaging(tx, end.runId);
    const [row] = await tx.query<Closed>(
      `update sync_run
          set status = $2, reason = ${REASON}, detail = $4, finished_at = now(),
              organizations = greatest(organizations, $5), batches = greatest(batches, $6),
              payload_bytes = greatest(payload_bytes, $7), revision_to = coalesce(revision_to, $8),
              result = result || $10::jsonb
        where id = $1 and status = any ($9)
       returning job, connection_id as "connectionId", external_menu_id as "externalMenuId", items,
                 result -> 'applied' -> 'result' as applied,
                 extract(epoch from finished_at - started_at)::double precision as seconds`,
      [
        end.runId,
        end.status,
        end.reason,
        end.detail?.slice(0, 500) ?? null,
        end.organizations ?? 0,
        end.batches ?? 0,
        end.payloadBytes ?? 0,
        end.revisionTo ?? null,
        statusesBefore(end.status),
        end.shrink === undefined ? '{}' : JSON.stringify({ shrink: end.shrink }),
      ],
    );
    if (row !== undefined && end.reason === 'SUSPICIOUS_SHRINK') await reportShrink(tx, end, row);
    if (row !== undefined && end.reason === 'EMPTY_LIST') await reportEmptyList(tx, end, row);
    return row;
  });
  if (closed !== undefined) measure(deps.metrics, closed);
  const [stored] = await deps.db.query<{ status: RunStatus; reason: string | null }>(
    'select status, reason from sync_run where id = $1',
    [end.runId],
  );
  if (stored === undefined) throw new Error(`run ${end.runId} has no record`);
  return stored;
}

/** The nightly attempt was made, so prices may go on being imported; administrators learn of it with the same commit. */
async function reportShrink(tx: Tx, end: RunEnd, { externalMenuId, connectionId }: Closed): Promise<void> {
  if (externalMenuId === null) return;
  await tx.query('update mirror_external_menu set full_due = false where id = $1 and full_due', [externalMenuId]);
  await raiseNotification(tx, {
    kind: 'SUSPICIOUS_SHRINK',
    subjectType: 'external-menu',
    subjectId: externalMenuId,
    details: { runId: end.runId, connectionId, externalMenuId, ...end.shrink },
  });
}

/** Ended by the first list that names somebody: one that stays empty is a fact that somebody should still look at. */
async function reportEmptyList(tx: Tx, { runId }: RunEnd, { connectionId }: Closed): Promise<void> {
  await raiseNotification(tx, {
    kind: 'EMPTY_LIST',
    subjectType: 'connection',
    subjectId: connectionId,
    details: { runId, connectionId },
  });
}

function measure(metrics: MirrorDeps['metrics'], { job, seconds, items, applied }: Closed): void {
  metrics.erpSyncDuration.observe({ job }, seconds);
  for (const [action, count] of Object.entries(job === 'MENU' ? items : countsOf(applied ?? {})))
    metrics.erpSyncItems.inc({ job, action }, count);
}

/** MENU_LIST counts two lists; those of its menus are the ones that start and end imports. */
function countsOf(applied: Record<string, unknown>): Record<string, number> {
  const counters = (applied['menus'] ?? applied) as Record<string, unknown>;
  return Object.fromEntries(
    ACTIONS.flatMap((action) => (typeof counters[action] === 'number' ? [[action, counters[action]]] : [])),
  );
}
