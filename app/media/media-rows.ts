import { Problem } from '../../contracts/problem.ts';
import type { Rendition } from '../../db/entities/media.ts';
import type { Sql } from '../database.ts';
import { readPage, type Page, type Paging } from '../pages.ts';

export type { Rendition };

/** One picture as staff see it. `url` is its whole view, relative to the public origin. */
export type MediaView = {
  id: number;
  url: string;
  originalName: string;
  mime: string;
  width: number;
  height: number;
  bytes: number;
  alt: string | null;
  focalPoint: { x: number; y: number };
  folder: string;
  renditions: Rendition[];
  createdAt: Date;
  version: number;
};

export type NewMedia = {
  sha256: string;
  originalName: string;
  mime: string;
  width: number;
  height: number;
  bytes: number;
  alt: string | null;
  folder: string;
  renditions: Rendition[];
  createdBy: number | null;
};

type MediaRow = Omit<MediaView, 'url' | 'focalPoint'> & { focalX: number; focalY: number };

const COLUMNS = `id, original_name as "originalName", mime, width, height, bytes, alt, focal_x as "focalX",
  focal_y as "focalY", folder, renditions, created_at as "createdAt", version`;

function viewOf({ focalX, focalY, ...row }: MediaRow): MediaView {
  const full = row.renditions.find((each) => each.name === 'full' && each.format === 'webp');
  if (full === undefined) throw new Error(`Media ${row.id} has no full rendition`);
  return { ...row, url: full.url, focalPoint: { x: focalX, y: focalY } };
}

/** The picture with exactly this content, if it was uploaded before. */
export async function findMediaBySha(sql: Sql, sha256: string): Promise<MediaView | undefined> {
  const [row] = await sql.query<MediaRow>(`select ${COLUMNS} from media where sha256 = $1`, [sha256]);
  return row === undefined ? undefined : viewOf(row);
}

/** Inserts a picture unless its content is known; `undefined` means another upload of it has committed first. */
export async function insertMedia(tx: Sql, media: NewMedia): Promise<MediaView | undefined> {
  const [row] = await tx.query<MediaRow>(
    `insert into media (sha256, original_name, mime, width, height, bytes, alt, folder, renditions, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict on constraint media_sha256_unique do nothing returning ${COLUMNS}`,
    [
      media.sha256,
      media.originalName,
      media.mime,
      media.width,
      media.height,
      media.bytes,
      media.alt,
      media.folder,
      JSON.stringify(media.renditions),
      media.createdBy,
    ],
  );
  return row === undefined ? undefined : viewOf(row);
}

/** One picture. Problem `not-found`. */
export async function getMedia(sql: Sql, id: number): Promise<MediaView> {
  const [row] = await sql.query<MediaRow>(`select ${COLUMNS} from media where id = $1`, [id]);
  if (row === undefined) throw new Problem('not-found', { detail: 'No such media.' });
  return viewOf(row);
}

/** One page of pictures, newest first; `folder` is exact, `q` is a part of the file name or the alternative text. */
export async function listMedia(
  sql: Sql,
  input: Paging & { folder?: string | undefined; q?: string | undefined },
): Promise<Page<MediaView>> {
  const page = await readPage<MediaRow>(sql, input, {
    columns: COLUMNS,
    from: `media where ($1::text is null or folder = $1) and ($2::text is null
      or strpos(lower(original_name), lower($2)) > 0 or strpos(lower(coalesce(alt, '')), lower($2)) > 0)`,
    order: 'id desc',
    params: [input.folder ?? null, input.q ?? null],
  });
  return { ...page, items: page.items.map(viewOf) };
}
