import type { Media } from '../../contracts/media.ts';
import { Problem } from '../../contracts/problem.ts';
import type { Rendition } from '../../db/entities/media.ts';
import type { Sql } from '../database.ts';

export type { Rendition };

/** One picture as staff see it. `url` is its whole view, relative to the public origin. */
export type MediaView = Media;

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

export type MediaRow = Omit<MediaView, 'url' | 'focalPoint'> & { focalX: number; focalY: number };

/** What a view is made of. */
export const MEDIA_COLUMNS = `id, original_name as "originalName", mime, width, height, bytes, alt, focal_x as "focalX",
  focal_y as "focalY", folder, renditions, created_at as "createdAt", version`;

/** A row as staff see it. Throws when it has no file of the whole picture, which no stored picture lacks. */
export function viewOf({ focalX, focalY, ...row }: MediaRow): MediaView {
  const full = row.renditions.find((each) => each.name === 'full' && each.format === 'webp');
  if (full === undefined) throw new Error(`Media ${row.id} has no full rendition`);
  return { ...row, url: full.url, focalPoint: { x: focalX, y: focalY } };
}

/** The picture with exactly this content, if it was uploaded before. */
export async function findMediaBySha(sql: Sql, sha256: string): Promise<MediaView | undefined> {
  const [row] = await sql.query<MediaRow>(`select ${MEDIA_COLUMNS} from media where sha256 = $1`, [sha256]);
  return row === undefined ? undefined : viewOf(row);
}

/** Inserts a picture unless its content is known; `undefined` means another upload of it has committed first. */
export async function insertMedia(tx: Sql, media: NewMedia): Promise<MediaView | undefined> {
  const [row] = await tx.query<MediaRow>(
    `insert into media (sha256, original_name, mime, width, height, bytes, alt, folder, renditions, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict on constraint media_sha256_unique do nothing returning ${MEDIA_COLUMNS}`,
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
  const { sha256: _sha256, ...view } = await readMedia(sql, id);
  return view;
}

/** A picture with the digest of its original. */
export type StoredMedia = MediaView & { sha256: string };

/** One picture with the digest of its original. Problem `not-found`. */
export async function readMedia(sql: Sql, id: number): Promise<StoredMedia> {
  return storedOf(await sql.query<StoredRow>(`select ${MEDIA_COLUMNS}, sha256 from media where id = $1`, [id]));
}

/**
 * Like {@link readMedia}, locked until the transaction ends: nobody changes it, deletes it or begins to use it meanwhile, because
 * the foreign key of whoever does waits.
 */
export async function lockMedia(tx: Sql, id: number): Promise<StoredMedia> {
  return storedOf(
    await tx.query<StoredRow>(`select ${MEDIA_COLUMNS}, sha256 from media where id = $1 for update`, [id]),
  );
}

type StoredRow = MediaRow & { sha256: string };

function storedOf([row]: readonly StoredRow[]): StoredMedia {
  if (row === undefined) throw new Problem('not-found', { detail: 'No such media.' });
  const { sha256, ...rest } = row;
  return { ...viewOf(rest), sha256 };
}

/** What staff decide about a picture, and the files that follow from it. */
export type MediaContent = Pick<MediaView, 'alt' | 'focalPoint' | 'folder' | 'renditions'>;

/** Writes a changed picture, as its next version; the caller holds its lock. */
export async function writeMedia(tx: Sql, id: number, content: MediaContent): Promise<void> {
  const { alt, focalPoint, folder, renditions } = content;
  await tx.query(
    `update media set alt = $2, focal_x = $3, focal_y = $4, folder = $5, renditions = $6, updated_at = now(),
            version = version + 1 where id = $1`,
    [id, alt, focalPoint.x, focalPoint.y, folder, JSON.stringify(renditions)],
  );
}
