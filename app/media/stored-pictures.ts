import { sql } from 'kysely';
import type { StoredPicture } from '../../domain/media/image-reference.ts';
import type { Sql } from '../database.ts';

/** These media with their files. One that was deleted is found while a kept menu shows it, so that it can be shown again. */
export async function readStoredPictures(tx: Sql, ids: readonly number[]): Promise<StoredPicture[]> {
  const wanted = [...new Set(ids)];
  const { rows } = await sql<StoredPicture>`
    select id, renditions from media where id = any (${wanted}::bigint[])
    union all
    select media_id, renditions from media_retired where is_deleted and media_id = any (${wanted}::bigint[])`.execute(
    tx.db,
  );
  return rows;
}

/** Keeps the renditions of media for menus that were published with them; the files go when no menu does any more. */
export async function retireRenditions(tx: Sql, mediaId: number, { isDeleted }: { isDeleted: boolean }): Promise<void> {
  await sql`insert into media_retired (media_id, rendition_set, renditions, is_deleted)
    select id, rendition_set, renditions, ${isDeleted} from media where id = ${mediaId}
    on conflict (media_id, rendition_set) do update set retired_at = now(), is_deleted = excluded.is_deleted`.execute(
    tx.db,
  );
}
