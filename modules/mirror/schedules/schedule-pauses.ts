import { tickScheduleId } from '../messages/sync.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Job } from '../rules/jobs.ts';
import { CONNECTION_JOBS } from './desired-schedules.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';

/** Why a schedule is paused, from the row of an operator. */
export type SchedulePause = { pauseId: number; reason: string };

/**
 * Active pauses by the id of the schedule that they stop. Menus, stop-lists and orders have none,
 * because the loop of their connection reads the rows itself. The nightly schedule is never paused:
 * it marks its menus, their runs are skipped while they are paused, and the first run after the
 * pause is full.
 */
export async function schedulePauses({ db }: Sql): Promise<ReadonlyMap<string, SchedulePause>> {
  const rows = await db
    .selectFrom('import_pause as pause')
    .select(['id as pauseId', 'reason', 'job', 'connectionId'])
    .where(IN_FORCE)
    .where('job', 'in', CONNECTION_JOBS)
    .orderBy('id', 'desc')
    .execute();
  return new Map(
    rows.map(({ job, connectionId, ...pause }) => [tickScheduleId({ job: job as Job, connectionId }), pause] as const),
  );
}
