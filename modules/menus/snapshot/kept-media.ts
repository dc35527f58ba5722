import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { forgetRetiredRenditions } from '../../media/retired-renditions.ts';

const shows = (id: RawBuilder<number>) => sql<boolean>`${id} = any (kept.media_ids)`;

/** Returns true if a stored revision shows the image. */
export async function isMediaKept({ db }: Sql, mediaId: number): Promise<boolean> {
  const row = await db
    .selectFrom('snapshot_revision as kept')
    .select('kept.revision')
    .where(shows(sql`${mediaId}`))
    .limit(1)
    .executeTakeFirst();

  return row !== undefined;
}

/**
 * Deletes at most `limit` unused renditions: those of deleted media that no stored revision shows,
 * and former crops if no stored revision that shows them is older than their replacement.
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
