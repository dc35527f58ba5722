import { createHash } from 'node:crypto';
import type { UploadFields } from './schemas/media.ts';
import { Problem } from '../../kernel/problem.ts';
import { ACCEPTED_FORMATS, decideImage } from './rules/accepted.ts';
import { normalFolder, shownFileName } from './rules/folder.ts';
import { CENTRE } from './rules/rendition-plan.ts';
import { readImageHeader } from './images.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { omitUndefined } from '../../kernel/pages.ts';
import type { Tx } from '../../platform/db/database.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import type { MediaDeps } from './media-uses.ts';
import { storeFiles, unreadable, type Original } from './media-files.ts';
import {
  findMediaBySha,
  getMedia,
  insertMedia,
  MISSING_MEDIA,
  type MediaView,
  type NewMedia,
} from './media-rows.ts';
import { Media } from './tables/media.ts';
import { announceToGuests } from './update-media.ts';

export type Upload = UploadFields & { originalName: string; bytes: Buffer };
export type Uploaded = { media: MediaView; reused: boolean };

/**
 * Stores an image with all renditions (MED-2). If the content exists (`reused`), only the given
 * folder and text change (MED-9). Problems: media-unreadable, busy, and those of `once`.
 */
export async function uploadMedia(
  deps: MediaDeps,
  actor: Actor,
  upload: Upload,
  idempotency: Idempotency | null,
): Promise<Uploaded> {
  const sha256 = createHash('sha256').update(upload.bytes).digest('hex');
  const existing = await findMediaBySha(deps.db, sha256);
  const row = existing === undefined ? await newMedia(deps, actor, upload, sha256) : undefined;

  return deps.db.transaction((tx) =>
    once(tx, idempotency, async () => {
      const created = row === undefined ? undefined : await insertMedia(tx, row);
      if (row === undefined || created === undefined)
        return reuse(tx, deps, actor, { ...upload, sha256 });
      await recordAudit(tx, actor, {
        entityType: 'media',
        entityId: created.id,
        action: 'create',
        after: { originalName: row.originalName, sha256, folder: row.folder, bytes: row.bytes },
      });

      return { media: created, reused: false };
    }),
  );
}

async function newMedia(
  deps: MediaDeps,
  actor: Actor,
  upload: Upload,
  sha256: string,
): Promise<NewMedia> {
  const original = await acceptedImage(upload.bytes, sha256);
  return {
    sha256,
    originalName: shownFileName(upload.originalName),
    mime: ACCEPTED_FORMATS[original.format].mime,
    width: original.width,
    height: original.height,
    bytes: upload.bytes.length,
    alt: upload.alt ?? null,
    folder: normalFolder(upload.folder ?? ''),
    renditions: await storeFiles(deps, original, CENTRE),
    createdBy: actor.type === 'USER' ? actor.userId : null,
  };
}

async function acceptedImage(bytes: Buffer, sha256: string): Promise<Original> {
  const header = await readImageHeader(bytes);
  if (header === undefined)
    throw unreadable('unsupported_format', 'The file is not a jpeg, png or webp image.');
  const decision = decideImage(header);
  if (decision.kind === 'refused') throw unreadable(decision.code, decision.message);

  return { bytes, sha256, format: decision.format, width: header.width, height: header.height };
}

async function reuse(
  tx: Tx,
  deps: MediaDeps,
  actor: Actor,
  { alt, folder, sha256 }: Upload & { sha256: string },
): Promise<Uploaded> {
  const existing = await findMediaBySha(tx, sha256);
  // Deleted meanwhile; the next attempt stores it again.
  if (existing === undefined) throw new Problem('busy', { headers: { 'Retry-After': '1' } });
  const media = await holdForEdit(tx, Media, existing.id, { detail: MISSING_MEDIA });
  const edit = omitUndefined({
    alt,
    folder: folder === undefined ? undefined : normalFolder(folder),
  });
  const changed = await saveEdit(tx, media, edit);
  if (changed === null) return { media: existing, reused: true };
  if (existing.alt !== media.alt) await announceToGuests(tx, deps, existing.id, actor);
  await recordAudit(tx, actor, {
    entityType: 'media',
    entityId: existing.id,
    action: 'update',
    ...changed,
  });

  return { media: await getMedia(tx, existing.id), reused: true };
}
