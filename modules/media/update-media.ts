import type { MediaEdit } from './schemas/media.ts';
import { buffer } from 'node:stream/consumers';
import { Media } from './tables/media.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import { ACCEPTED_FORMATS, formatOfMime } from './rules/accepted.ts';
import { normalFolder } from './rules/folder.ts';
import { CENTRE, type FocalPoint } from './rules/rendition-plan.ts';
import { MediaStoreFailure } from '../../platform/media-store.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { holdForEdit, requireVersion, touchEdited } from '../../kernel/edits.ts';
import { markAllDirty } from '../menus/rebuilds/mark-dirty.ts';
import { originalKey } from './media-urls.ts';
import { listUsages, type MediaDeps } from './media-uses.ts';
import { storeFiles } from './media-files.ts';
import {
  getMedia,
  MISSING_MEDIA,
  readMedia,
  toMediaView,
  type MediaView,
  type StoredMedia,
} from './media-rows.ts';
import { retireRenditions } from './retired-renditions.ts';

const FIELDS = ['alt', 'focalPoint', 'folder'] as const;

type MediaContent = Pick<MediaView, 'alt' | 'focalPoint' | 'folder' | 'renditions'>;

/**
 * Changes media. New crops get new URLs, and old files stay for published menus (decision 6). Files
 * are written before the row. Problems: not-found; version-conflict with `currentVersion`; busy;
 * unavailable if the store has lost the original.
 */
export async function updateMedia(
  deps: MediaDeps,
  actor: Actor,
  id: number,
  change: MediaEdit,
): Promise<MediaView> {
  const seen = await readMedia(deps.db, id);
  requireVersion(seen.version, change.version);
  const after = await merged(deps, seen, change);
  const changed = FIELDS.filter(
    (field) => JSON.stringify(seen[field]) !== JSON.stringify(after[field]),
  );
  if (changed.length === 0) return getMedia(deps.db, id);

  const { alt, folder, focalPoint, renditions } = after;

  return retryConflicts(() =>
    deps.db.transaction(async (tx) => {
      const media = await holdForEdit(tx, Media, id, {
        seen: change.version,
        detail: MISSING_MEDIA,
      });

      if (changed.includes('focalPoint')) {
        await retireRenditions(tx, id, { isDeleted: false });
        Object.assign(media, { focalX: focalPoint.x, focalY: focalPoint.y, renditions });
      }

      Object.assign(media, { alt, folder });
      if (changed.some((field) => field !== 'folder')) await announceToGuests(tx, deps, id, actor);
      await touchEdited(tx, media);
      const only = (content: MediaContent) =>
        Object.fromEntries(changed.map((field) => [field, content[field]]));
      await recordAudit(tx, actor, {
        entityType: 'media',
        entityId: id,
        action: 'update',
        before: only(seen),
        after: only(after),
      });

      return toMediaView(media);
    }),
  );
}

async function merged(
  deps: MediaDeps,
  before: StoredMedia,
  change: MediaEdit,
): Promise<MediaContent> {
  const focalPoint =
    change.focalPoint === undefined ? before.focalPoint : (change.focalPoint ?? CENTRE);
  const isMoved = focalPoint.x !== before.focalPoint.x || focalPoint.y !== before.focalPoint.y;

  return {
    alt: change.alt === undefined ? before.alt : change.alt,
    folder: change.folder === undefined ? before.folder : normalFolder(change.folder ?? ''),
    focalPoint: { x: focalPoint.x, y: focalPoint.y },
    renditions: isMoved ? await recut(deps, before, focalPoint) : before.renditions,
  };
}

async function recut(
  deps: MediaDeps,
  { id, sha256, mime, width, height }: StoredMedia,
  focal: FocalPoint,
) {
  const format = formatOfMime(mime);
  const content = await deps.media.store.find(
    originalKey(sha256, ACCEPTED_FORMATS[format].extension),
  );
  if (content === undefined)
    throw new MediaStoreFailure(`the original of media ${id} is not in the store`);

  const bytes = await buffer(await content.read());

  return storeFiles(deps, { bytes, sha256, format, width, height }, focal);
}

/** Flags menus if one shows the media. */
export async function announceToGuests(
  tx: Tx,
  { media: { uses } }: MediaDeps,
  id: number,
  actor: Actor,
): Promise<void> {
  const { total } = await listUsages(tx, uses, id, { page: 1, size: 1 });
  if (total === 0 && !(await uses.isPublished(tx, id))) return;
  await markAllDirty(tx, 'media-update', actor);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds: null, reason: 'media-update' });
}
