import { tickScheduleId } from '../messages/sync.ts';
import type { Job } from '../rules/jobs.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';
import type { SyncTarget } from './desired-schedules.ts';

/** Why a schedule is paused, from the row of an operator. */
export type SchedulePause = { pauseId: number; reason: string };

type Row = SchedulePause & { job: Job; connectionId: number; externalMenuId: number | null };

/**
 * Pauses in force by the id of the schedule they stop. The nightly one is never stopped: it marks its menus, their runs are skipped
 * while they are paused, and the first run after the pause is full.
 */
export async function schedulePauses(
  { db }: Sql,
  targets: readonly SyncTarget[],
): Promise<ReadonlyMap<string, SchedulePause>> {
  const rows: Row[] = await db
    .selectFrom('import_pause as pause')
    .select(['id as pauseId', 'reason', 'job', 'connectionId', 'externalMenuId'])
    .where(IN_FORCE)
    .orderBy('id', 'desc')
    .execute();
  const menus = new Map(targets.map((target) => [target.connectionId, target.externalMenuIds]));
  return new Map(
    rows.flatMap(({ pauseId, reason, ...stopped }) =>
      schedulesOf(stopped, menus.get(stopped.connectionId) ?? []).map((id) => [id, { pauseId, reason }] as const),
    ),
  );
}

function schedulesOf(
  { job, connectionId, externalMenuId }: Omit<Row, keyof SchedulePause>,
  menuIds: number[],
): string[] {
  if (job !== 'MENU') return [tickScheduleId({ job, connectionId })];
  if (externalMenuId !== null) return [tickScheduleId({ job, connectionId, externalMenuId })];
  return menuIds.map((menuId) => tickScheduleId({ job, connectionId, externalMenuId: menuId }));
}
