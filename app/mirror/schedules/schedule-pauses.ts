import { scheduleIds } from '../../../contracts/ids.ts';
import type { Job } from '../../../contracts/jobs.ts';
import type { Sql } from '../../../db/database.ts';
import type { SyncTarget } from './desired-schedules.ts';

/** Why a schedule is paused, from the row of an operator. */
export type SchedulePause = { pauseId: number; reason: string };

type Row = SchedulePause & { job: Job; connectionId: number; externalMenuId: number | null };

/**
 * Pauses in force by the id of the schedule they stop. The nightly one is never stopped: it marks its menus, their runs are skipped
 * while they are paused, and the first run after the pause is full.
 */
export async function schedulePauses(
  sql: Sql,
  targets: readonly SyncTarget[],
): Promise<ReadonlyMap<string, SchedulePause>> {
  const rows = await sql.query<Row>(
    `select id as "pauseId", reason, job, connection_id as "connectionId", external_menu_id as "externalMenuId" from import_pause
      where ended_at is null and (until is null or until > now()) order by id desc`,
  );
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
  if (job !== 'MENU') return [scheduleIds.job(job, connectionId)];
  if (externalMenuId !== null) return [scheduleIds.menu(connectionId, externalMenuId)];
  return menuIds.map((menuId) => scheduleIds.menu(connectionId, menuId));
}
