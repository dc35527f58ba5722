import type { Sql } from '../../db/database.ts';
import { SHRINK_THRESHOLD_PERCENT } from '../../domain/mirror/shrink.ts';

/** The setting `sync.shrink_threshold_percent`, read when it is used so that a change acts at once; 30 when absent. */
export async function shrinkThreshold(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ value: unknown }>(
    `select value from setting where key = 'sync.shrink_threshold_percent'`,
  );
  const value = Number(row?.value ?? SHRINK_THRESHOLD_PERCENT);
  return Number.isFinite(value) && value >= 0 && value <= 100 ? value : SHRINK_THRESHOLD_PERCENT;
}
