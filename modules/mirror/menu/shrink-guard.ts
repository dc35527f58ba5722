import { sql } from 'kysely';
import type { ImportMode } from '../rules/jobs.ts';
import type { HeldBack, ObservedShrink } from '../schemas/mirror.ts';
import { anyOf, json, type Tx } from '../../../platform/db/database.ts';
import {
  isCovered,
  shareOf,
  shrinkOf,
  verdictOf,
  type AcceptedRestaurants,
  type Bared,
  type LosingRestaurant,
  type Verdict,
} from '../rules/shrink.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { countLostPrices } from './count-lost-prices.ts';
import { countVanished } from './delete-vanished.ts';
import type { MergeContext } from './merge-context.ts';

/** Restaurants and modifiers that a run leaves as they are, although its answer takes much away. */
export type Kept = { heldBack: LosingRestaurant[]; keepsModifiers: boolean };

/**
 * The effects of an allowed run. `acceptanceId`: the acceptance by staff that it uses.
 * `endsSuspicion`: what earlier runs would have removed is back.
 */
type Settled = { acceptanceId: number | null; endsSuspicion: boolean };

/** The evaluation of the removals of a run. */
export type ShrinkVerdict =
  | ({ allowed: true; shrink: ObservedShrink } & Settled & Kept)
  | { allowed: false; shrink: ObservedShrink };

/**
 * Evaluates the removals of a run before anything is written (rules MIR-12, MIR-44 and MIR-63):
 * suspicious ones need an open acceptance of this menu for at least the current share. Runs of a
 * menu take turns, so one of them uses it.
 */
export async function judgeShrink(context: MergeContext): Promise<ShrinkVerdict> {
  const acceptance = await openAcceptance(context);
  const named = acceptance?.organizationIds ?? null;
  const accepted = acceptance === undefined || named === null ? null : { ...acceptance, organizationIds: named };
  const { shrink, verdict } = await observeShrink(context, accepted);
  const { fails, released, ...kept } = verdict;
  const nothing = { heldBack: [], keepsModifiers: false };
  const acceptanceId = acceptance !== undefined && released.length > 0 ? acceptance.id : null;
  if (!isAnythingSuspicious(verdict)) {
    const endsSuspicion = acceptanceId !== null || context.isFull || (await isSuspicionOver(context));
    return { allowed: true, shrink, acceptanceId, endsSuspicion, ...nothing };
  }
  if (acceptance !== undefined && named === null && isCovered(shrink, acceptance.percent))
    return { allowed: true, shrink, acceptanceId: acceptance.id, endsSuspicion: true, ...nothing };
  return fails ? { allowed: false, shrink } : { allowed: true, shrink, acceptanceId, endsSuspicion: false, ...kept };
}

/** The acceptance of this menu that is valid now; `organizationIds` is null for all restaurants. */
const openAcceptance = ({ tx, externalMenuId }: MergeContext) =>
  tx.db
    .selectFrom('sync_shrink_acceptance')
    .select(['id', 'percent', 'organizationIds'])
    .where('externalMenuId', '=', externalMenuId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();

const isAnythingSuspicious = ({ fails, heldBack, keepsModifiers }: Verdict): boolean =>
  fails || keepsModifiers || heldBack.length > 0;

/** The restaurants that a notification names. */
type Suspicion = {
  heldBack?: { organizationId: number | null }[];
  organization?: { organizationId: number } | null;
};

/**
 * Returns whether an incremental run ends the reported suspicion about its menu (rule MIR-88): its
 * answer covers the reported restaurants, and a full run of it would remove nothing suspicious.
 */
async function isSuspicionOver(context: MergeContext): Promise<boolean> {
  const open = await context.tx.db
    .selectFrom('notification')
    .select(sql<Suspicion>`details`.as('details'))
    .where('kind', '=', 'SUSPICIOUS_SHRINK')
    .where('subjectType', '=', 'external-menu')
    .where('subjectId', '=', String(context.externalMenuId))
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  if (open === undefined) return false;
  const { heldBack = [], organization } = open.details;
  const reported = [...heldBack, organization].flatMap((entry) => entry?.organizationId ?? []);
  if (!reported.every((id) => context.organizationIds.includes(id))) return false;
  const { verdict } = await observeShrink({ ...context, isFull: true });
  return !isAnythingSuspicious(verdict);
}

/**
 * The shares of the menu's items, of each restaurant's prices and of the composed dishes that the
 * answer removes. Needs the `new_…` tables; changes nothing.
 */
export async function observeShrink(
  context: MergeContext,
  accepted: AcceptedRestaurants | null = null,
): Promise<{ shrink: ObservedShrink; verdict: Verdict }> {
  const settings = await readSettings(context.tx, 'sync.shrink_threshold_percent');
  const thresholdPercent = settings['sync.shrink_threshold_percent'];
  const items = context.isFull ? await countVanished(context) : [];
  const prices = await countLostPrices(context);
  const shrink = shrinkOf(items, prices, await countBared(context));
  const verdict = verdictOf({ menu: shareOf(items), modifierGroups: shrink.modifierGroups }, prices, {
    isFull: context.isFull,
    thresholdPercent,
    accepted,
  });
  return { shrink: { ...shrink, thresholdPercent }, verdict };
}

/** Returns the rows that a run has held back, in its record and for staff. */
async function heldBackOf(tx: Tx, { heldBack, keepsModifiers }: Kept, shrink: ObservedShrink): Promise<HeldBack[]> {
  const names = await tx.db
    .selectFrom('mirror_organization')
    .select(['id', 'name'])
    .where('id', '=', anyOf(heldBack.map(({ organizationId }) => organizationId)))
    .execute();
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const prices = heldBack.map((row): HeldBack => ({
    what: 'PRICES',
    name: nameOf.get(row.organizationId) ?? '',
    ...row,
  }));
  if (!keepsModifiers || shrink.modifierGroups == null) return prices;
  return [...prices, { what: 'MODIFIERS', organizationId: null, name: null, ...shrink.modifierGroups }];
}

/**
 * Records what a run has held back and notifies administrators, who can accept it (rule MIR-44). In
 * the transaction of the import.
 */
export async function reportHeldBack(
  tx: Tx,
  { runId, connectionId, externalMenuId }: { runId: number; connectionId: number; externalMenuId: number },
  kept: Kept,
  shrink: ObservedShrink,
): Promise<void> {
  const heldBack = await heldBackOf(tx, kept, shrink);
  await tx.db
    .updateTable('sync_run')
    .set({ result: sql`result || ${json({ shrink, heldBack })}::jsonb` })
    .where('id', '=', runId)
    .execute();
  await raiseNotification(tx, {
    kind: 'SUSPICIOUS_SHRINK',
    subjectType: 'external-menu',
    subjectId: externalMenuId,
    details: { runId, connectionId, externalMenuId, ...shrink, heldBack },
  });
}

/**
 * After a run that was allowed. A full one, and one that uses an acceptance, ends the acceptances
 * of the menu: one that was not needed must not cover tomorrow's shrink. The notification of
 * earlier rejections is resolved when their cause has ended. In the transaction of the import.
 */
export async function settleShrink(
  tx: Tx,
  run: { runId: number; externalMenuId: number; mode: ImportMode },
  { acceptanceId, endsSuspicion }: Settled,
): Promise<void> {
  if (run.mode === 'FULL' || acceptanceId !== null)
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
  if (endsSuspicion) await resolveNotification(tx, 'SUSPICIOUS_SHRINK', 'external-menu', run.externalMenuId);
}

/**
 * Sizes that the answer names and that have modifiers in this menu, and how many of them it states
 * none for. Needs the `new_…` tables, of which `new_link` is read once; changes nothing.
 */
async function countBared({ tx, externalMenuId }: MergeContext): Promise<Bared> {
  const { rows } = await sql<Bared>`
    select count(*) as before,
           count(*) filter (where item.erp_id not in (select item_erp_id from new_link)
                               and item.id not in (select item_id from unread_item)) as vanished
      from mirror_item_size size join mirror_item item on item.id = size.item_id and item.role = 'DISH'
      join new_size named on named.item_erp_id = item.erp_id and named.role = item.role and named.erp_size_id = size.erp_size_id
     where exists (select from mirror_modifier_group stored join mirror_modifier_link link on link.modifier_group_id = stored.id
                    where stored.item_size_id = size.id and stored.external_menu_id = ${externalMenuId})`.execute(
    tx.db,
  );
  return rows[0]!;
}
