import { sql, type RawBuilder } from 'kysely';
import type { PausableJob } from '../rules/jobs.ts';
import type { Sql } from '../../../platform/db/database.ts';

type Import = {
  job: RawBuilder<unknown>;
  connectionId: RawBuilder<unknown>;
  externalMenuId: RawBuilder<unknown>;
};

/**
 * Returns a condition that an import is paused. A MENU pause without a menu applies to all menus of
 * the connection.
 */
export function pausedCondition({
  job,
  connectionId,
  externalMenuId,
}: Import): RawBuilder<boolean> {
  return sql`exists (
    select 1 from import_pause pause
     where ${IN_FORCE} and pause.job = ${job} and pause.connection_id = ${connectionId}
       and (pause.external_menu_id is null or pause.external_menu_id = ${externalMenuId}))`;
}

/** A condition that the `pause` row of import_pause is active. */
export const IN_FORCE = sql<boolean>`pause.ended_at is null and (pause.until is null or pause.until > now())`;

/** Returns true if an import is paused. Manual runs ignore pauses. */
export async function isPaused(
  { db }: Sql,
  {
    job,
    connectionId,
    externalMenuId,
  }: { job: PausableJob; connectionId: number; externalMenuId?: number | undefined },
): Promise<boolean> {
  const paused = pausedCondition({
    job: sql`${job}`,
    connectionId: sql`${connectionId}::bigint`,
    externalMenuId: sql`${externalMenuId ?? null}::bigint`,
  });
  const row = await db.selectNoFrom(paused.as('paused')).executeTakeFirst();

  return row?.paused === true;
}
