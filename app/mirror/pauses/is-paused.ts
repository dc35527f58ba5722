import type { Job } from '../../../contracts/jobs.ts';
import type { Sql } from '../../../db/database.ts';
import { pausedCondition } from './paused-condition.ts';

const PAUSED = pausedCondition({ job: '$1', connectionId: '$2::bigint', externalMenuId: '$3::bigint' });

/** Whether an operator has paused this import. Manual runs do not ask: whoever starts one by hand wants it. */
export async function isPaused(
  sql: Sql,
  { job, connectionId, externalMenuId }: { job: Job; connectionId: number; externalMenuId?: number | undefined },
): Promise<boolean> {
  const [row] = await sql.query<{ paused: boolean }>(`select ${PAUSED} as paused`, [
    job,
    connectionId,
    externalMenuId ?? null,
  ]);
  return row?.paused === true;
}
