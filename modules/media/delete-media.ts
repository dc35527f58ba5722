import { Problem } from '../../kernel/problem.ts';
import { Media } from './tables/media.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { holdForEdit } from '../../kernel/edits.ts';
import { listUsages, type MediaDeps } from './media-uses.ts';
import { MISSING_MEDIA } from './media-rows.ts';
import { retireRenditions } from './retired-renditions.ts';

const NAMED = 5;

/**
 * Deletes unused media. Files stay while a stored menu shows them (decision 6). The row lock blocks
 * new uses. Problems: not-found, media-in-use with the first usages.
 */
export function deleteMedia(deps: MediaDeps, actor: Actor, id: number): Promise<void> {
  return retryConflicts(() =>
    deps.db.transaction(async (tx) => {
      const media = await holdForEdit(tx, Media, id, { detail: MISSING_MEDIA });
      const { items: usages, total } = await listUsages(tx, deps.media.uses, id, {
        page: 1,
        size: NAMED,
      });

      if (total > 0)
        throw new Problem('media-in-use', {
          detail: `The media is shown in ${total} ${total === 1 ? 'place' : 'places'}.`,
          extra: { usages, usageCount: total },
        });

      await retireRenditions(tx, id, { isDeleted: true });
      await tx.db.deleteFrom('media').where('id', '=', id).execute();
      const { originalName, alt, folder } = media;
      await recordAudit(tx, actor, {
        entityType: 'media',
        entityId: id,
        action: 'delete',
        before: { originalName, alt, folder },
      });
    }),
  );
}
