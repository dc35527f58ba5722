import { createHash } from 'node:crypto';
import { Problem } from '../../contracts/problem.ts';
import { ACCEPTED_FORMATS, decidePicture, type AcceptedFormat } from '../../domain/media/accepted.ts';
import { planRenditions, RENDITION_FORMATS, type FocalPoint } from '../../domain/media/rendition-plan.ts';
import { readPictureHeader, renderPictures } from '../../platform/images.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { MediaDeps } from './media-deps.ts';
import { originalKey, renditionAddress, renditionFile, renditionFolder } from './media-address.ts';
import { findMediaBySha, insertMedia, type MediaView, type NewMedia, type Rendition } from './media-rows.ts';

export type Upload = { originalName: string; bytes: Buffer; folder?: string; alt?: string };

const CENTRE: FocalPoint = { x: 0.5, y: 0.5 };
const RETRY_AFTER_SECONDS = '2';

/**
 * Takes a picture: all renditions exist when this returns (spec 1, Admin: media). The same content gives the same media
 * whatever its name, also when two uploads arrive at once; then nothing of the stored one changes and `reused` is true.
 * Problems: media-unreadable (no picture, damaged, too many pixels), busy when the room for pictures in work is full.
 */
export async function uploadMedia(
  deps: MediaDeps,
  actor: Actor,
  upload: Upload,
): Promise<{ media: MediaView; reused: boolean }> {
  const sha256 = createHash('sha256').update(upload.bytes).digest('hex');
  const known = await findMediaBySha(deps.db, sha256);
  if (known !== undefined) return { media: known, reused: true };

  const picture = await acceptedPicture(upload.bytes);
  const work = deps.media.pool.run(() => produceFiles(deps, upload.bytes, sha256, picture));
  if (work === undefined) throw new Problem('busy', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
  const renditions = await work;

  // Files first: a crash here leaves files without a row, which the next upload of this picture finds in place.
  return saveRow(deps, actor, {
    sha256,
    originalName: upload.originalName.trim().slice(0, 255),
    mime: ACCEPTED_FORMATS[picture.format].mime,
    width: picture.width,
    height: picture.height,
    bytes: upload.bytes.length,
    alt: upload.alt ?? null,
    folder: upload.folder ?? '',
    renditions,
    createdBy: actor.type === 'USER' ? actor.userId : null,
  });
}

type Picture = { format: AcceptedFormat; width: number; height: number };

async function acceptedPicture(bytes: Buffer): Promise<Picture> {
  const header = await readPictureHeader(bytes);
  if (header === undefined) throw unreadable('unsupported_format', 'The file is not a jpeg, png or webp picture.');
  const decision = decidePicture(header);
  if (decision.kind === 'refused') throw unreadable(decision.code, decision.message);
  return { format: decision.format, width: header.width, height: header.height };
}

async function produceFiles(deps: MediaDeps, bytes: Buffer, sha256: string, picture: Picture): Promise<Rendition[]> {
  const rendered = await renderPictures({ ...picture, bytes }, planRenditions(picture, CENTRE), RENDITION_FORMATS);
  if (rendered === undefined) throw unreadable('damaged', 'The picture is damaged.');

  const folder = renditionFolder(sha256, CENTRE);
  const files = rendered.map(({ cut, format, bytes: content }) => {
    const { key, url } = renditionAddress(folder, renditionFile(cut.name, cut.density, format));
    const { name, density, width, height } = cut;
    return { key, content, rendition: { name, density, format, width, height, bytes: content.length, url } };
  });
  const { extension, mime } = ACCEPTED_FORMATS[picture.format];
  await Promise.all([
    deps.media.store.put(originalKey(sha256, extension), bytes, mime),
    ...files.map(({ key, content, rendition }) => deps.media.store.put(key, content, `image/${rendition.format}`)),
  ]);
  return files.map((file) => file.rendition);
}

function saveRow(deps: MediaDeps, actor: Actor, row: NewMedia): Promise<{ media: MediaView; reused: boolean }> {
  return deps.db.transaction(async (tx) => {
    const created = await insertMedia(tx, row);
    if (created === undefined) {
      const first = await findMediaBySha(tx, row.sha256);
      if (first === undefined) throw new Error('A picture is neither new nor known');
      return { media: first, reused: true };
    }
    await recordAudit(tx, actor, {
      entityType: 'media',
      entityId: created.id,
      action: 'create',
      after: { originalName: row.originalName, sha256: row.sha256, folder: row.folder, bytes: row.bytes },
    });
    return { media: created, reused: false };
  });
}

function unreadable(code: string, message: string): Problem {
  return new Problem('media-unreadable', { detail: message, errors: [{ field: 'file', code, message }] });
}
