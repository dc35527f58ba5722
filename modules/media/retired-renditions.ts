import { sql, type RawBuilder } from 'kysely';
import { touchedBy, type Sql } from '../../platform/db/database.ts';
import { mediaBaseUrl } from './media-base.ts';
import type { StoredMedia } from './rules/image-reference.ts';
import type { Row } from '../../platform/db/row.ts';

export type RetiredColumns = {
  mediaId: RawBuilder<number>;
  isDeleted: RawBuilder<boolean>;
  retiredAt: RawBuilder<Date>;
};

const RETIRED: RetiredColumns = {
  mediaId: sql.ref('retired.media_id'),
  isDeleted: sql.ref('retired.is_deleted'),
  retiredAt: sql.ref('retired.retired_at'),
};

/** Records renditions that menus may still show. */
export async function retireRenditions(
  tx: Sql,
  mediaId: number,
  { isDeleted }: { isDeleted: boolean },
): Promise<void> {
  await sql`insert into media_retired (media_id, rendition_set, renditions, is_deleted)
    select id, rendition_set, renditions, ${isDeleted} from media where id = ${mediaId}
    on conflict (media_id, rendition_set) do update set retired_at = now(), is_deleted = excluded.is_deleted`.execute(
    tx.db,
  );
}

/**
 * Deletes at most `limit` unused renditions. They are kept for at least a day, because clients
 * cache menus.
 */
export async function forgetRetiredRenditions(
  { db }: Sql,
  limit: number,
  isShown: (retired: RetiredColumns) => RawBuilder<boolean>,
): Promise<number> {
  const forgotten = await sql`
    delete from media_retired where ctid in (
      select retired.ctid from media_retired retired
       where retired.retired_at < now() - interval '1 day' and not ${isShown(RETIRED)}
       limit ${limit}) and retired_at < now() - interval '1 day'`.execute(db);

  return touchedBy(forgotten);
}

/** Reads media, including deleted ones that a stored menu shows. */
export async function readStoredMedia(tx: Sql, ids: readonly number[]): Promise<StoredMedia[]> {
  const uniqueIds = [...new Set(ids)];
  const { rows } = await sql<Row<'media', 'id' | 'renditions' | 'alt', { baseUrl: string | null }>>`
    select id, renditions, alt, ${mediaBaseUrl} as base_url from media where id = any (${uniqueIds}::bigint[])
    union all
    select media_id, renditions, null, ${mediaBaseUrl} from media_retired where is_deleted and media_id = any (${uniqueIds}::bigint[])`.execute(
    tx.db,
  );

  return rows;
}
