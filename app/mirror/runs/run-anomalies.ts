import type { Sql } from '../../../db/database.ts';
import type { Anomaly } from '../../../domain/mirror/anomalies.ts';

/** Appends anomalies to the record of a run, in the transaction that found them. */
export async function addAnomalies(sql: Sql, runId: number, anomalies: readonly Anomaly[]): Promise<void> {
  if (anomalies.length === 0) return;
  await sql.query('update sync_run set anomalies = anomalies || $2::jsonb where id = $1', [
    runId,
    JSON.stringify(anomalies),
  ]);
}
