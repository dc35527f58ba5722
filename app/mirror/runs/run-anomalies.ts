import { sql } from 'kysely';
import { json, type Sql } from '../../../db/database.ts';
import type { Anomaly } from '../../../domain/mirror/anomalies.ts';

/** Appends anomalies to the record of a run, in the transaction that found them. */
export async function addAnomalies(tx: Sql, runId: number, anomalies: readonly Anomaly[]): Promise<void> {
  if (anomalies.length === 0) return;
  await tx.db
    .updateTable('sync_run')
    .set({ anomalies: sql`anomalies || ${json(anomalies)}::jsonb` })
    .where('id', '=', runId)
    .execute();
}
