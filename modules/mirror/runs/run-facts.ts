import { sql } from 'kysely';
import { json, type Sql } from '../../../platform/db/database.ts';
import type { Anomaly } from '../rules/anomalies.ts';

/**
 * Records how many organizations a run requests and in how many calls; without organizations there
 * is none. It is recorded for every end of the run. A run that has ended keeps what it has.
 */
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
 * Adds one answer of the ERP to the record of a run: its size in bytes and, of a menu, its
 * revision; the record keeps the smallest. An answer counts although it is fetched again
 * afterwards. A run that has ended keeps what it has.
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

/**
 * Keeps who would have lost something by a list that was rejected: the next list is measured by it
 * (rule MIR-45).
 */
export async function recordRefused({ db }: Sql, runId: number, lost: readonly number[]): Promise<void> {
  await db
    .updateTable('sync_run')
    .set({ result: sql`result || ${json({ lost })}::jsonb` })
    .where('id', '=', runId)
    .where('status', '=', 'RUNNING')
    .execute();
}

/** Appends anomalies to the record of a run, in the transaction that found them. */
export async function addAnomalies(tx: Sql, runId: number, anomalies: readonly Anomaly[]): Promise<void> {
  if (anomalies.length === 0) return;
  await tx.db
    .updateTable('sync_run')
    .set({ anomalies: sql`anomalies || ${json(anomalies)}::jsonb` })
    .where('id', '=', runId)
    .execute();
}
