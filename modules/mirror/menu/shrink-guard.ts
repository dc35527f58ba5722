import { sql } from 'kysely';
import type { ImportMode } from '../rules/jobs.ts';
import type { HeldBack, ObservedShrink } from '../schemas/mirror.ts';
import { anyOf, json, type Tx } from '../../../platform/db/database.ts';
import {
  isCovered,
  measureShare,
  measureShrink,
  evaluateShrink,
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

/** Data that stays unchanged, because the response would remove too much. */
export type Kept = { heldBack: LosingRestaurant[]; keepsModifiers: boolean };

/** `endsSuspicion`: earlier rejected removals no longer apply. */
type Settled = { acceptanceId: number | null; endsSuspicion: boolean };

export type ShrinkVerdict =
  | ({ allowed: true; shrink: ObservedShrink } & Settled & Kept)
  | { allowed: false; shrink: ObservedShrink };

/**
 * Evaluates the removals of a run before it writes (MIR-12, MIR-44, MIR-63). Suspicious removals
 * need an open acceptance for at least their share. Runs of a menu are serialized, so only one uses
 * the acceptance.
 */
export async function judgeShrink(context: MergeContext): Promise<ShrinkVerdict> {
  const acceptance = await openAcceptance(context);
  const named = acceptance?.organizationIds ?? null;
  const accepted =
    acceptance === undefined || named === null ? null : { ...acceptance, organizationIds: named };
  const { shrink, verdict } = await observeShrink(context, accepted);
  const { fails, released, ...kept } = verdict;
  const nothing = { heldBack: [], keepsModifiers: false };
  const acceptanceId = acceptance !== undefined && released.length > 0 ? acceptance.id : null;
  if (!isAnythingSuspicious(verdict)) {
    const endsSuspicion =
      acceptanceId !== null || context.isFull || (await isSuspicionOver(context));
    return { allowed: true, shrink, acceptanceId, endsSuspicion, ...nothing };
  }

  if (acceptance !== undefined && named === null && isCovered(shrink, acceptance.percent))
    return { allowed: true, shrink, acceptanceId: acceptance.id, endsSuspicion: true, ...nothing };

  return fails
    ? { allowed: false, shrink }
    : { allowed: true, shrink, acceptanceId, endsSuspicion: false, ...kept };
}

/** `organizationIds` is null if all restaurants are accepted. */
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

type Suspicion = {
  heldBack?: { organizationId: number | null }[];
  organization?: { organizationId: number } | null;
};

/**
 * Returns true if the run covers the reported restaurants and a full run would remove nothing
 * suspicious (MIR-88).
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

/** Computes the shares that the response removes. Requires the `new_…` tables. */
export async function observeShrink(
  context: MergeContext,
  accepted: AcceptedRestaurants | null = null,
): Promise<{ shrink: ObservedShrink; verdict: Verdict }> {
  const settings = await readSettings(context.tx, 'sync.shrink_threshold_percent');
  const thresholdPercent = settings['sync.shrink_threshold_percent'];
  const items = context.isFull ? await countVanished(context) : [];
  const prices = await countLostPrices(context);
  const shrink = measureShrink(items, prices, await countBared(context));
  const verdict = evaluateShrink(
    { menu: measureShare(items), modifierGroups: shrink.modifierGroups },
    prices,
    {
      isFull: context.isFull,
      thresholdPercent,
      accepted,
    },
  );

  return { shrink: { ...shrink, thresholdPercent }, verdict };
}

async function listHeldBack(
  tx: Tx,
  { heldBack, keepsModifiers }: Kept,
  shrink: ObservedShrink,
): Promise<HeldBack[]> {
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

  return [
    ...prices,
    { what: 'MODIFIERS', organizationId: null, name: null, ...shrink.modifierGroups },
  ];
}

/**
 * Records rows that were held back and notifies administrators (MIR-44), in the import's
 * transaction.
 */
export async function reportHeldBack(
  tx: Tx,
  {
    runId,
    connectionId,
    externalMenuId,
  }: { runId: number; connectionId: number; externalMenuId: number },
  verdict: Kept,
  shrink: ObservedShrink,
): Promise<void> {
  const heldBack = await listHeldBack(tx, verdict, shrink);
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
 * Ends the menu's acceptances after a full run or their use, because an unused acceptance must not
 * cover a later shrink. Resolves the notification if its cause has ended.
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

  if (endsSuspicion)
    await resolveNotification(tx, 'SUSPICIOUS_SHRINK', 'external-menu', run.externalMenuId);
}

/** Reads `new_link` only once. */
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
