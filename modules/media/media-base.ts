import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import { markAllDirty } from '../menus/rebuilds/mark-dirty.ts';
import type { StoredMedia } from './rules/image-reference.ts';

/**
 * Increase this when the fields of image references change: the next release then rebuilds every
 * menu (SNP-57).
 */
export const REFERENCE_VERSION = 1;

/** Null if URLs are relative. */
export const mediaBaseUrl = sql<string | null>`(select url from media_base)`;

/** Selects an image reference as JSON; null without an image. */
export const storedMedia = sql<StoredMedia | null>`case when media.id is not null then json_build_object(
  'id', media.id, 'renditions', media.renditions, 'alt', media.alt, 'baseUrl', ${mediaBaseUrl}) end`;

/**
 * Stores `PUBLIC_MEDIA_URL` and the version of image references. Returns true after a change, which
 * flags every menu once (SNP-54).
 */
export function recordMediaBase({ db }: { db: Database }, url: string | null): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await sql`
      insert into media_base (id, url, reference_version) values (1, ${url}, ${REFERENCE_VERSION})
      on conflict (id) do update set url = excluded.url, reference_version = excluded.reference_version
        where (media_base.url, media_base.reference_version) is distinct from (excluded.url, excluded.reference_version)
      returning id`.execute(tx.db);
    if (changed.rows.length === 0) return false;

    const reason = 'media-base';
    await markAllDirty(tx, reason);
    await appendOutbox(tx, 'CatalogChanged', { organizationIds: null, reason });

    return true;
  });
}
