import type { MediaFolder } from '../../contracts/media.ts';
import { containsText, searchedText } from '../contains-text.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { MEDIA_COLUMNS, viewOf, type MediaRow, type MediaView } from './media-rows.ts';

/** Fields the library can be ordered by, and their columns. */
const SORT_COLUMNS = {
  id: 'id',
  originalName: 'lower(original_name)',
  folder: 'folder',
  bytes: 'bytes',
  createdAt: 'created_at',
} as const;
export type MediaSortField = keyof typeof SORT_COLUMNS;
export const MEDIA_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly MediaSortField[];

export type MediaFilter = Paging & {
  /** Exactly this folder; '' is the root. */
  folder?: string | undefined;
  /** With `folder`: the folders below it as well. */
  subfolders?: boolean | undefined;
  /** Part of the file name or of the alternative text, any case, е for ё. */
  q?: string | undefined;
  sort: readonly { field: MediaSortField; direction: 'asc' | 'desc' }[];
};

/** One page of pictures, newest first unless another order is asked for. */
export async function listMedia(sql: Sql, filter: MediaFilter): Promise<Page<MediaView>> {
  const { folder, subfolders = false, q } = filter;
  const keys = filter.sort.map(({ field, direction }) => `${SORT_COLUMNS[field]} ${direction}`);
  const page = await readPageOfText<MediaRow>(sql, filter, {
    columns: MEDIA_COLUMNS,
    from: `media where ($1::text is null or folder = $1 or $2 and ($1 = '' or starts_with(folder, $1 || '/'))) and ($3::text is null
      or ${containsText('original_name', '$3')} or ${containsText('alt', '$3')})`,
    order: [...keys, 'id desc'].join(', '),
    params: [folder ?? null, subfolders, searchedText(q)],
  });
  return { ...page, items: page.items.map(viewOf) };
}

/** One page of the folders that hold pictures, by name; '' is the root. */
export function listFolders(sql: Sql, paging: Paging): Promise<Page<MediaFolder>> {
  return readPageOfText<MediaFolder>(sql, paging, {
    columns: 'folder, media_count as "mediaCount"',
    from: '(select folder, count(*) as media_count from media group by folder) each',
    order: 'folder',
    params: [],
  });
}
