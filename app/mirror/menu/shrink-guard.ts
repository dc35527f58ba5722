import { sql } from 'kysely';
import type { ObservedShrink } from '../../../contracts/mirror.ts';
import type { Tx } from '../../../db/database.ts';
import { isCovered, isSuspicious, shrinkOf } from '../../../domain/mirror/shrink.ts';
import { resolveNotification } from '../../notifications/raise-notification.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { countVanished } from './delete-vanished.ts';
import type { MergeContext } from './merge-context.ts';

/** Whether a full run may delete. `acceptanceId`: the consent of staff that it needs for that. */
export type ShrinkVerdict =
  | { allowed: true; shrink: ObservedShrink; acceptanceId: number | null }
  | { allowed: false; shrink: ObservedShrink };

/**
 * Judges the deletions of a full run before anything is written (rule MIR-12): above the threshold they need an open
 * acceptance of this menu whose share is at least the one observed now. Runs of a menu take turns, so one of them uses it.
 */
export async function judgeShrink(context: MergeContext): Promise<ShrinkVerdict> {
  const { tx, externalMenuId } = context;
  const shrink = await observeShrink(context);
  if (!isSuspicious(shrink, shrink.thresholdPercent)) return { allowed: true, shrink, acceptanceId: null };
  const acceptance = await tx.db
    .selectFrom('sync_shrink_acceptance')
    .select(['id', 'percent'])
    .where('externalMenuId', '=', externalMenuId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (acceptance === undefined || !isCovered(shrink, acceptance.percent)) return { allowed: false, shrink };
  return { allowed: true, shrink, acceptanceId: acceptance.id };
}

/** The share of the menu's items that the answer lacks. Needs `new_item`; changes nothing. */
export async function observeShrink(context: MergeContext): Promise<ObservedShrink> {
  const settings = await readSettings(context.tx, 'sync.shrink_threshold_percent');
  const thresholdPercent = settings['sync.shrink_threshold_percent'];
  return { ...shrinkOf(await countVanished(context)), thresholdPercent };
}

/**
 * After a full run that was allowed: the acceptance it needed is used up, one it did not need must not cover tomorrow's shrink,
 * and the notification of an earlier refusal has lost its cause. In the transaction of the import.
 */
export async function settleShrink(
  tx: Tx,
  run: { runId: number; externalMenuId: number },
  acceptanceId: number | null,
): Promise<void> {
  await tx.db
    .updateTable('sync_shrink_acceptance')
    .set({
      endedAt: sql`now()`,
      endedRunId: run.runId,
      outcome: sql<string>`case when id = ${acceptanceId}::bigint then 'USED' else 'NOT_NEEDED' end`,
    })
    .where('externalMenuId', '=', run.externalMenuId)
    .where('endedAt', 'is', null)
    .execute();
  await resolveNotification(tx, 'SUSPICIOUS_SHRINK', 'external-menu', run.externalMenuId);
}
