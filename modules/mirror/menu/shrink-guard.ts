import { sql } from 'kysely';
import type { ImportMode, RunMode } from '../rules/jobs.ts';
import type { ObservedShrink } from '../schemas/mirror.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { isCovered, isSuspicious, shrinkOf, type Bared } from '../rules/shrink.ts';
import { resolveNotification } from '../../notifications/raise-notification.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { countLostPrices } from './count-lost-prices.ts';
import { countVanished } from './delete-vanished.ts';
import type { MergeContext } from './merge-context.ts';

/** Whether a run may write what it takes away. `acceptanceId`: the consent of staff that it needs for that. */
export type ShrinkVerdict =
  | { allowed: true; shrink: ObservedShrink; acceptanceId: number | null }
  | { allowed: false; shrink: ObservedShrink };

/**
 * Judges what a run takes away before anything is written (rules MIR-12, MIR-44 and MIR-63): above the threshold it needs an open
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

/** The shares of the menu's items, of each restaurant's prices and of the composed dishes that the answer takes away. Needs the `new_…` tables; changes nothing. */
export async function observeShrink(context: MergeContext): Promise<ObservedShrink> {
  const settings = await readSettings(context.tx, 'sync.shrink_threshold_percent');
  const thresholdPercent = settings['sync.shrink_threshold_percent'];
  const items = context.isFull ? await countVanished(context) : [];
  return { ...shrinkOf(items, await countLostPrices(context), await countBared(context)), thresholdPercent };
}

/**
 * After a run that was allowed. A full one: the acceptance it needed is used up, one it did not need must not cover tomorrow's
 * shrink, and the notification of an earlier refusal has lost its cause. Another one looked at no items, so it settles only what one
 * of its kind was refused for. In the transaction of the import.
 */
export async function settleShrink(
  tx: Tx,
  run: { runId: number; externalMenuId: number; mode: ImportMode },
  acceptanceId: number | null,
): Promise<void> {
  if (run.mode !== 'FULL' && acceptanceId === null) {
    if ((await modeRefusedLast(tx, run)) === 'INCREMENTAL')
      await resolveNotification(tx, 'SUSPICIOUS_SHRINK', 'external-menu', run.externalMenuId);
    return;
  }
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

/** The mode of the last run of this menu that was refused for its shrink. */
async function modeRefusedLast({ db }: Tx, run: { runId: number; externalMenuId: number }): Promise<RunMode | null> {
  const last = await db
    .selectFrom('sync_run')
    .select('mode')
    .where('job', '=', 'MENU')
    .where('externalMenuId', '=', run.externalMenuId)
    .where('id', '<', run.runId)
    .where('reason', '=', 'SUSPICIOUS_SHRINK')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.mode ?? null;
}

/**
 * Sizes that the answer names and that have modifiers in this menu, and how many of them it states none for. Needs `new_size` and `new_link`, which is read
 * once; changes nothing.
 */
async function countBared({ tx, externalMenuId }: MergeContext): Promise<Bared> {
  const { rows } = await sql<Bared>`
    select count(*) as before,
           count(*) filter (where item.erp_id not in (select item_erp_id from new_link)) as vanished
      from mirror_item_size size join mirror_item item on item.id = size.item_id and item.role = 'DISH'
      join new_size named on named.item_erp_id = item.erp_id and named.role = item.role and named.erp_size_id = size.erp_size_id
     where exists (select from mirror_modifier_group stored join mirror_modifier_link link on link.modifier_group_id = stored.id
                    where stored.item_size_id = size.id and stored.external_menu_id = ${externalMenuId})`.execute(
    tx.db,
  );
  return rows[0]!;
}
