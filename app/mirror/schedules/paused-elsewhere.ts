import type { PausedSchedule } from '../../../contracts/observability.ts';
import type { Database, Sql } from '../../../db/database.ts';

/** A schedule that somebody has paused in Temporal itself, with the words left there. */
export type PausedElsewhere = PausedSchedule;

/** Keeps what was seen paused in Temporal, so that `/sync/status` shows it without asking Temporal. Writes only what changed. */
export async function rememberPausedElsewhere(db: Database, seen: readonly PausedElsewhere[]): Promise<void> {
  const ids = seen.map((each) => each.scheduleId);
  await db.transaction(async (tx) => {
    await tx.query('delete from schedule_paused_elsewhere where schedule_id <> all ($1)', [ids]);
    await tx.query(
      `insert into schedule_paused_elsewhere (schedule_id, note)
       select id, note from unnest($1::text[], $2::text[]) as seen (id, note) order by id
       on conflict (schedule_id) do update set note = excluded.note where schedule_paused_elsewhere.note <> excluded.note`,
      [ids, seen.map((each) => each.note)],
    );
  });
}

/** Schedules that were last seen paused in Temporal itself. */
export function pausedElsewhere(sql: Sql): Promise<PausedElsewhere[]> {
  return sql.query<PausedElsewhere>(
    'select schedule_id as "scheduleId", note from schedule_paused_elsewhere order by schedule_id',
  );
}
