import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { forgetRetiredRenditions } from '../../media/retired-renditions.ts';

/** Condition: a kept revision shows the image `id`. */
const shows = (id: RawBuilder<number>) => sql<boolean>`${id} = any (kept.media_ids)`;

/**
 * True while a kept revision shows the image: the served one, one that can be shown again, or a
 * pinned one.
 */
export async function isMediaKept({ db }: Sql, mediaId: number): Promise<boolean> {
  const kept = await db
    .selectFrom('snapshot_revision as kept')
    .select('kept.revision')
    .where(shows(sql`${mediaId}`))
    .limit(1)
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * Deletes renditions that no menu shows, at most `limit`, and returns how many. Those of deleted
 * media stay while a kept revision shows them, since that revision may be shown again; replaced
 * crops while a revision is kept that was built before they were replaced.
 */
export function forgetRetiredMedia(tx: Sql, limit: number): Promise<number> {
  return forgetRetiredRenditions(
    tx,
    limit,
    ({ mediaId, isDeleted, retiredAt }) => sql`exists (
      select 1 from snapshot_revision kept
       where ${shows(mediaId)} and (${isDeleted} or kept.published_at < ${retiredAt} + interval '1 hour'))`,
  );
}
