import type { StoredPicture } from '../../domain/media/image-reference.ts';
import type { Sql } from '../database.ts';

/** These images with their files. A deleted image is found while a kept menu shows it, so that it can be shown again. */
export function readStoredPictures(sql: Sql, ids: readonly number[]): Promise<StoredPicture[]> {
  return sql.query<StoredPicture>(
    `select id, renditions from media where id = any ($1::bigint[])
     union all
     select media_id, renditions from media_retired where is_deleted and media_id = any ($1::bigint[])`,
    [[...new Set(ids)]],
  );
}

/** Keeps the renditions of a picture for menus that were published with them; the files go when no menu does any more. */
export async function retireRenditions(tx: Sql, mediaId: number, { isDeleted }: { isDeleted: boolean }): Promise<void> {
  await tx.query(
    `insert into media_retired (media_id, rendition_set, renditions, is_deleted)
     select id, rendition_set, renditions, $2 from media where id = $1
     on conflict (media_id, rendition_set) do update set retired_at = now(), is_deleted = excluded.is_deleted`,
    [mediaId, isDeleted],
  );
}
