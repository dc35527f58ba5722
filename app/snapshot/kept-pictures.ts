import { sql, type RawBuilder } from 'kysely';
import { touchedBy, type Sql } from '../../db/database.ts';

/** A kept revision shows the picture `id`; what was kept by an older version may show every one. */
const shows = (id: RawBuilder<number>) => sql<boolean>`(kept.media_ids is null or ${id} = any (kept.media_ids))`;

/** True while a kept revision shows the picture: the served one, one that can be shown again, or a pinned one. */
export async function isPictureKept({ db }: Sql, mediaId: number): Promise<boolean> {
  const kept = await db
    .selectFrom('snapshot_revision as kept')
    .select('kept.revision')
    .where(shows(sql`${mediaId}`))
    .limit(1)
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * Forgets renditions that no menu shows any more, at most `limit`, and returns how many; their files then have no row. They stay for a day whatever shows them, because clients hold menus for a while. Afterwards those of
 * a deleted picture stay while a kept revision shows the picture, since that revision may be shown again; replaced crops
 * while a revision is kept that was built before they were replaced.
 */
export async function forgetRetiredPictures({ db }: Sql, limit: number): Promise<number> {
  const forgotten = await sql`
    delete from media_retired where ctid in (
      select retired.ctid from media_retired retired
       where retired.retired_at < now() - interval '1 day'
         and not exists (select 1 from snapshot_revision kept
                          where ${shows(sql.ref('retired.media_id'))}
                            and (retired.is_deleted or kept.published_at < retired.retired_at + interval '1 hour'))
       limit ${limit}) and retired_at < now() - interval '1 day'`.execute(db);
  return touchedBy(forgotten);
}
