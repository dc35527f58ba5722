import { sql } from 'kysely';
import type { PausedSchedule } from '../schemas/sync-status.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';

/** Stores pauses of Temporal itself for `/sync/status`. Writes only changes. */
export async function rememberPausedElsewhere(
  db: Database,
  seen: readonly PausedSchedule[],
): Promise<void> {
  const ids = seen.map((entry) => entry.scheduleId);
  await db.transaction(async (tx) => {
    await sql`delete from schedule_paused_elsewhere where schedule_id <> all (${ids}::text[])`.execute(
      tx.db,
    );
    await sql`
      insert into schedule_paused_elsewhere (schedule_id, note)
      select id, note from unnest(${ids}::text[], ${seen.map((entry) => entry.note)}::text[]) as seen (id, note) order by id
      on conflict (schedule_id) do update set note = excluded.note where schedule_paused_elsewhere.note <> excluded.note`.execute(
      tx.db,
    );
  });
}

/** Schedules last seen paused in Temporal itself. */
export function pausedElsewhere({ db }: Sql): Promise<PausedSchedule[]> {
  return db
    .selectFrom('schedule_paused_elsewhere')
    .select(['scheduleId', 'note'])
    .orderBy('scheduleId')
    .execute();
}
