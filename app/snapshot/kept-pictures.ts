import type { Sql } from '../../db/database.ts';

/** A kept revision shows the picture `id`; what was kept by an older version may show every one. */
const shows = (id: string) => `(kept.media_ids is null or ${id} = any (kept.media_ids))`;

/** True while a kept revision shows the picture: the served one, one that can be shown again, or a pinned one. */
export async function isPictureKept(sql: Sql, mediaId: number): Promise<boolean> {
  const rows = await sql.query(`select 1 from snapshot_revision kept where ${shows('$1')} limit 1`, [mediaId]);
  return rows.length > 0;
}

/**
 * Forgets renditions that no menu shows any more, at most `limit`, and returns how many; their files then have no row. They stay for a day whatever shows them, because clients hold menus for a while. Afterwards those of
 * a deleted picture stay while a kept revision shows the picture, since that revision may be shown again; replaced crops
 * while a revision is kept that was built before they were replaced.
 */
export async function forgetRetiredPictures(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from media_retired where ctid in (
       select retired.ctid from media_retired retired
        where retired.retired_at < now() - interval '1 day'
          and not exists (select 1 from snapshot_revision kept
                           where ${shows('retired.media_id')}
                             and (retired.is_deleted or kept.published_at < retired.retired_at + interval '1 hour'))
        limit $1) and retired_at < now() - interval '1 day'
     returning 1`,
    [limit],
  );
  return rows.length;
}
