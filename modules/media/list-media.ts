import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ListedMedia, MediaFolder } from './schemas/media.ts';
import { contains, searchedText, readPage, type Page, type Paging } from '../../kernel/pages.ts';
import type { Sql } from '../../platform/db/database.ts';
import { MEDIA_COLUMNS, toMediaView } from './media-rows.ts';
import { isUnused, usageCount, type MediaUses } from './media-uses.ts';

const SORT_COLUMNS = {
  id: sql`id`,
  originalName: sql`lower(original_name)`,
  folder: sql`folder`,
  bytes: sql`bytes`,
  createdAt: sql`created_at`,
} as const;

export type MediaSortField = keyof typeof SORT_COLUMNS;
export const MEDIA_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly MediaSortField[];

const ID = sql<number>`media.id`;
const WITHOUT_ALT = sql<SqlBool>`(coalesce(alt, '') = '')`;

export type MediaFilter = Paging & {
  /** '' is the root. */
  folder?: string | undefined;
  subfolders?: boolean | undefined;
  /** Part of the file name or alternative text. */
  q?: string | undefined;
  unused?: boolean | undefined;
  withoutAlt?: boolean | undefined;
  sort: readonly { field: MediaSortField; direction: 'asc' | 'desc' }[];
};

/** Returns one page of media, by default newest first. */
export async function listMedia(
  { db }: Sql,
  uses: MediaUses,
  filter: MediaFilter,
): Promise<Page<ListedMedia>> {
  const q = searchedText(filter.q);
  let mediaQuery = db
    .selectFrom('media')
    .select([...MEDIA_COLUMNS, usageCount(uses, ID).as('usageCount')])
    .where((eb) => eb.or([contains(eb.ref('originalName'), q), contains(eb.ref('alt'), q)]))
    .where(inFolder(filter))
    .$if(filter.unused !== undefined, (query) =>
      query.where(sql<SqlBool>`${isUnused(uses, ID)} = ${filter.unused}`),
    )
    .$if(filter.withoutAlt !== undefined, (query) =>
      query.where(sql<SqlBool>`${WITHOUT_ALT} = ${filter.withoutAlt}`),
    );

  for (const { field, direction } of filter.sort)
    mediaQuery = mediaQuery.orderBy(SORT_COLUMNS[field], direction);
  const page = await readPage(mediaQuery.orderBy('id', 'desc'), {
    page: filter.page,
    size: filter.size,
  });

  return {
    ...page,
    items: page.items.map(({ usageCount: count, ...row }) => ({
      ...toMediaView(row),
      usageCount: count,
    })),
  };
}

function inFolder({ folder, subfolders = false }: MediaFilter): RawBuilder<SqlBool> {
  if (folder === undefined || (subfolders && folder === '')) return sql<SqlBool>`true`;
  const below = sql<SqlBool>`starts_with(folder, ${`${folder}/`})`;
  return subfolders
    ? sql<SqlBool>`(folder = ${folder} or ${below})`
    : sql<SqlBool>`folder = ${folder}`;
}

/** Returns one page of folders by name; '' is the root. */
export function listFolders({ db }: Sql, paging: Paging): Promise<Page<MediaFolder>> {
  const folders = db.selectFrom((eb) =>
    eb
      .selectFrom('media')
      .select((builder) => ['folder', builder.fn.countAll<number>().as('mediaCount')])
      .groupBy('folder')
      .as('folders'),
  );

  return readPage(folders.select(['folder', 'mediaCount']).orderBy('folder'), paging);
}
