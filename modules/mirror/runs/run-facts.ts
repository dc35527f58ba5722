import { sql } from 'kysely';
import { json, type Sql } from '../../../platform/db/database.ts';
import type { Anomaly } from '../rules/anomalies.ts';

/** Records the numbers of requested organizations and calls. Ignored after the end of the run. */
export async function recordAsked(
  { db }: Sql,
  runId: number,
  { organizations, calls }: { organizations: number; calls: number },
): Promise<void> {
  await db
    .updateTable('sync_run')
    .set({ organizations, batches: Math.min(organizations, calls) })
    .where('id', '=', runId)
    .where('status', '=', 'RUNNING')
    .execute();
}

/**
 * Adds an ERP answer, also a repeated one: bytes and, for a menu, the lowest revision. Ignored
 * after the end of the run.
 */
export async function recordAnswer(
  { db }: Sql,
  runId: number,
  { bytes, revision = null }: { bytes: number; revision?: number | null },
): Promise<void> {
  await db
    .updateTable('sync_run')
    .set({
      payloadBytes: sql`payload_bytes + ${bytes}`,
      revisionTo: sql`least(revision_to, ${revision}::bigint)`,
    })
    .where('id', '=', runId)
    .where('status', '=', 'RUNNING')
    .execute();
}

/** Records who would lose rows by a rejected list, for comparison with the next list (MIR-45). */
export async function recordRefused(
  { db }: Sql,
  runId: number,
  lost: readonly number[],
): Promise<void> {
  await db
    .updateTable('sync_run')
    .set({ result: sql`result || ${json({ lost })}::jsonb` })
    .where('id', '=', runId)
    .where('status', '=', 'RUNNING')
    .execute();
}

/** Appends anomalies to a run. Call it in the transaction that found them. */
export async function addAnomalies(
  tx: Sql,
  runId: number,
  anomalies: readonly Anomaly[],
): Promise<void> {
  if (anomalies.length === 0) return;
  await tx.db
    .updateTable('sync_run')
    .set({ anomalies: sql`anomalies || ${json(anomalies)}::jsonb` })
    .where('id', '=', runId)
    .execute();
}
