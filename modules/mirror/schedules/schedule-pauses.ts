import { tickScheduleId } from '../messages/sync.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';

/** Why a schedule is paused, from the row of an operator. */
export type SchedulePause = { pauseId: number; reason: string };

/**
 * Active pauses by the id of the schedule that they stop. Menus and stop-lists have none, because
 * their polls read the rows themselves. The nightly schedule is never paused: it marks its menus,
 * their runs are skipped while they are paused, and the first run after the pause is full.
 */
export async function schedulePauses({ db }: Sql): Promise<ReadonlyMap<string, SchedulePause>> {
  const rows = await db
    .selectFrom('import_pause as pause')
    .select(['id as pauseId', 'reason', 'job', 'connectionId'])
    .where(IN_FORCE)
    .where('job', 'not in', ['MENU', 'STOP_LIST'])
    .orderBy('id', 'desc')
    .execute();
  return new Map(
    rows.map(({ job, connectionId, ...pause }) => [tickScheduleId({ job, connectionId }), pause] as const),
  );
}
