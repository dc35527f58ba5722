import { sql } from 'kysely';
import type { StoredMedia } from './rules/image-reference.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/** These media with their files. One that was deleted is found while a kept menu shows it, so that it can be shown again. */
export async function readStoredMedia(tx: Sql, ids: readonly number[]): Promise<StoredMedia[]> {
  const wanted = [...new Set(ids)];
  const { rows } = await sql<Row<'media', 'id' | 'renditions'>>`
    select id, renditions from media where id = any (${wanted}::bigint[])
    union all
    select media_id, renditions from media_retired where is_deleted and media_id = any (${wanted}::bigint[])`.execute(
    tx.db,
  );
  return rows;
}
