import type { Selectable } from 'kysely';
import type { Media } from './schemas/media.ts';
import { Problem, invalidField } from '../../kernel/problem.ts';
import { json, anyOf, type Sql } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { Rendition } from './tables/media.ts';

export type { Rendition };

/** `url` is relative to the public origin. */
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

export const MEDIA_COLUMNS = [
  'id',
  'originalName',
  'mime',
  'width',
  'height',
  'bytes',
  'alt',
  'focalX',
  'focalY',
  'folder',
  'renditions',
  'createdAt',
  'version',
] as const;

export type MediaRow = Pick<Selectable<Tables['media']>, (typeof MEDIA_COLUMNS)[number]>;

export const MISSING_MEDIA = 'No such media.';

/** Throws if the whole image is missing; all stored media have it. */
export function toMediaView(row: MediaRow): MediaView {
  const {
    id,
    originalName,
    mime,
    width,
    height,
    bytes,
    alt,
    folder,
    renditions,
    createdAt,
    version,
  } = row;

  const full = renditions.find(
    (rendition) => rendition.name === 'full' && rendition.format === 'webp',
  );
  if (full === undefined) throw new Error(`Media ${id} has no full rendition`);

  const focalPoint = { x: row.focalX, y: row.focalY };
  const content = { alt, focalPoint, folder, renditions };

  return {
    id,
    url: full.url,
    originalName,
    mime,
    width,
    height,
    bytes,
    ...content,
    createdAt,
    version,
  };
}

export async function findMediaBySha({ db }: Sql, sha256: string): Promise<MediaView | undefined> {
  const row = await db
    .selectFrom('media')
    .select(MEDIA_COLUMNS)
    .where('sha256', '=', sha256)
    .executeTakeFirst();

  return row === undefined ? undefined : toMediaView(row);
}

/** Returns undefined if a concurrent upload stored the same content. */
export async function insertMedia({ db }: Sql, media: NewMedia): Promise<MediaView | undefined> {
  const row = await db
    .insertInto('media')
    .values({ ...media, renditions: json(media.renditions) })
    .onConflict((conflict) => conflict.constraint('media_sha256_unique').doNothing())
    .returning(MEDIA_COLUMNS)
    .executeTakeFirst();

  return row === undefined ? undefined : toMediaView(row);
}

/** Problem `not-found`. */
export async function getMedia(sql: Sql, id: number): Promise<MediaView> {
  const { sha256: _sha256, ...view } = await readMedia(sql, id);
  return view;
}

export type StoredMedia = MediaView & { sha256: string };

/** Returns media with the digest of the original. Problem `not-found`. */
export async function readMedia({ db }: Sql, id: number): Promise<StoredMedia> {
  const row = await db
    .selectFrom('media')
    .select([...MEDIA_COLUMNS, 'sha256'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: MISSING_MEDIA }));

  return { ...toMediaView(row), sha256: row.sha256 };
}

/** Locks existing media against deletion and returns their ids. */
export async function existingMedia({ db }: Sql, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const query = db
    .selectFrom('media')
    .select('id')
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forKeyShare();

  return new Set((await query.execute()).map((media) => media.id));
}

/** Locks the media of a field. Problem `validation`. */
export async function requireMedia(tx: Sql, field: string, id: number | null): Promise<void> {
  if (id !== null && !(await existingMedia(tx, [id])).has(id))
    throw invalidField(field, 'not_found', 'No such media.');
}
