import { tickScheduleId } from '../messages/sync.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Job } from '../rules/jobs.ts';
import { CONNECTION_JOBS } from './desired-schedules.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';

export type SchedulePause = { pauseId: number; reason: string };

/**
 * Returns active pauses by schedule id. The nightly schedule is never paused: it flags its menus,
 * whose first run after a pause is then full.
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
    rows.map(
      ({ job, connectionId, ...pause }) =>
        [tickScheduleId({ job: job as Job, connectionId }), pause] as const,
    ),
  );
}
