import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { MediaUsage } from './schemas/media.ts';
import type { Sql, Database } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { bulkhead, type BulkheadPolicy } from 'cockatiel';
import type { MediaStore } from '../../platform/media-store.ts';

/**
 * A kind of use of media. Modules that use media declare it as data, so that media depends on none
 * of them: `of` selects the id and the name of the user.
 */
export type UsageKind = { kind: string; entityType: string; of: (mediaId: MediaId) => RawBuilder<unknown> };

/** An id, or the column that has it in a query of many media. */
export type MediaId = number | RawBuilder<number>;

/** All uses of media: edited content, and published menus. */
export type MediaUses = {
  kinds: readonly UsageKind[];
  /** True while a published menu that is kept shows the media. */
  isPublished: (sql: Sql, mediaId: number) => Promise<boolean>;
};

/**
 * One page of the current uses of the media: products and other entities in any state, archived
 * ones too.
 */
export function listUsages(
  { db }: Sql,
  { kinds }: MediaUses,
  mediaId: number,
  paging: Paging,
): Promise<Page<MediaUsage>> {
  const entry = kinds.map(
    ({ kind, entityType, of }, rank) =>
      sql`select ${rank}::int as rank, ${kind}::text as kind, ${entityType}::text as entity_type, used.id::text as entity_id, used.name
            from (${of(mediaId)}) used (id, name)`,
  );
  const usages = db
    .selectFrom(sql<MediaUsage & { rank: number }>`(${sql.join(entry, sql` union all `)})`.as('usage'))
    .select(['kind', 'entityType', 'entityId', 'name'])
    .orderBy('rank')
    .orderBy(sql`length(entity_id)`)
    .orderBy('entityId');
  return readPage(usages, paging);
}

/** The number of current uses of the media of this column, for a query of many media. */
export const usageCount = ({ kinds }: MediaUses, mediaId: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`(select count(*) from (${sql.join(
    kinds.map(({ of }) => sql`select 1 from (${of(mediaId)}) used`),
    sql` union all `,
  )}) usages)`;

/** The condition that the media of this column has no current use (rule MED-17). */
export const isUnused = ({ kinds }: MediaUses, mediaId: RawBuilder<number>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    kinds.map(({ of }) => sql`not exists (${of(mediaId)})`),
    sql` and `,
  )})`;

/**
 * The dependencies of media besides the database: where files live, the bounded room for
 * images in work, and who shows media.
 */
export type MediaDeps = { db: Database; media: { store: MediaStore; pool: BulkheadPolicy; uses: MediaUses } };

/**
 * Concurrent and queued images per process: each has its upload and its decoded pixels in memory.
 */
const ROOM = { slots: 2, waiting: 8 };

/** Media on a store, with the product's room for images in work. */
export function createMedia(
  { store, uses }: { store: MediaStore; uses: MediaUses },
  room: { slots: number; waiting: number } = ROOM,
): MediaDeps['media'] {
  return { store, uses, pool: bulkhead(room.slots, room.waiting) };
}
