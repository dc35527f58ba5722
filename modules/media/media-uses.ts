import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { MediaUsage } from './schemas/media.ts';
import type { Sql, Database } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { bulkhead, type BulkheadPolicy } from 'cockatiel';
import type { MediaStore } from '../../platform/media-store.ts';

/** A kind of use, declared by its module. `of` selects id and name of the users. */
export type UsageKind = {
  kind: string;
  entityType: string;
  of: (mediaId: MediaId) => RawBuilder<unknown>;
};

export type MediaId = number | RawBuilder<number>;

export type MediaUses = {
  kinds: readonly UsageKind[];
  /** True if a stored menu shows the media. */
  isPublished: (sql: Sql, mediaId: number) => Promise<boolean>;
};

/** Returns one page of uses, also by archived entities. */
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
    .selectFrom(
      sql<MediaUsage & { rank: number }>`(${sql.join(entry, sql` union all `)})`.as('usage'),
    )
    .select(['kind', 'entityType', 'entityId', 'name'])
    .orderBy('rank')
    .orderBy(sql`length(entity_id)`)
    .orderBy('entityId');

  return readPage(usages, paging);
}

export const usageCount = ({ kinds }: MediaUses, mediaId: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`(select count(*) from (${sql.join(
    kinds.map(({ of }) => sql`select 1 from (${of(mediaId)}) used`),
    sql` union all `,
  )}) usages)`;

/** MED-17. */
export const isUnused = ({ kinds }: MediaUses, mediaId: RawBuilder<number>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    kinds.map(({ of }) => sql`not exists (${of(mediaId)})`),
    sql` and `,
  )})`;

export type MediaDeps = {
  db: Database;
  media: { store: MediaStore; pool: BulkheadPolicy; uses: MediaUses };
};

/** Limits the images in progress, because each needs memory for its pixels. */
const ROOM = { slots: 2, waiting: 8 };

export function createMedia(
  { store, uses }: { store: MediaStore; uses: MediaUses },
  room: { slots: number; waiting: number } = ROOM,
): MediaDeps['media'] {
  return { store, uses, pool: bulkhead(room.slots, room.waiting) };
}
