import { isErpFailure } from '../../../erp/failure.ts';
import { anyOf } from '../../../platform/db/database.ts';
import {
  isPollSkipped,
  recordPoll,
  type PollDeps,
  type PollOutcome,
} from '../runs/poll-in-batches.ts';
import { recordRefusedOrganizations, refusedOrganizations } from '../runs/refused-organizations.ts';
import { recordAnswer, recordAsked } from '../runs/run-facts.ts';
import { isMenuResting } from './failing-menus.ts';
import { planMenu, type MenuOfConnection, type MenuPlan } from './plan-menu-import.ts';

type Plan = Extract<MenuPlan, { outcome: 'READY' }>;

/** After this time, later polls request the remaining rejected organizations (OPS-123). */
const REFUSED_SHARE_MS = 60_000;

/** Polls are incremental unless a full import is due. */
const SCHEDULED = { mode: null, hasApplied: false };

/**
 * Polls a menu, and records a run if its revision is unchanged (OPS-105). Returns CHANGED without a
 * call if a full import is due, the saved revision does not match the request, or the ERP prepares
 * menus in the background.
 */
export async function pollMenu(
  deps: PollDeps,
  menu: MenuOfConnection,
  { refusedMs = REFUSED_SHARE_MS, ...options }: { signal?: AbortSignal; refusedMs?: number } = {},
): Promise<PollOutcome> {
  const polled = { job: 'MENU', ...menu } as const;
  if (await isPollSkipped(deps, polled)) return 'SKIPPED';
  const began = performance.now();
  const { plan } = await planMenu(deps.db, menu, SCHEDULED);
  if (plan.outcome === 'SKIP') {
    if (plan.reason !== 'NO_ORGANIZATIONS') return 'SKIPPED';
    const end = { status: 'SKIPPED', reason: plan.reason } as const;
    await recordPoll(
      deps,
      polled,
      { beganMs: performance.now() - began, end },
      async () => undefined,
    );

    return 'UNCHANGED';
  }

  if (await isMenuResting(deps.db, menu.externalMenuId)) return 'SKIPPED';
  if (plan.mode === 'FULL' || plan.startRevision === null || plan.isAsync) return 'CHANGED';
  const bytes = await unchangedBytes(deps, menu, plan, refusedMs, options);
  if (bytes === null) return 'CHANGED';
  const end = { status: 'SKIPPED', reason: 'UNCHANGED' } as const;
  await recordPoll(deps, polled, { beganMs: performance.now() - began, end }, async (tx, runId) => {
    await recordAsked(tx, runId, {
      organizations: plan.batches.flat().length,
      calls: plan.batches.length,
    });

    await recordAnswer(tx, runId, { bytes, revision: plan.startRevision });
  });

  return 'UNCHANGED';
}

/** Returns null if a revision differs, or after a failure. */
async function unchangedBytes(
  { db, erp }: PollDeps,
  { connectionId, externalMenuId }: MenuOfConnection,
  { externalMenuErpId, priceCategoryErpId, startRevision, batches }: Plan,
  refusedMs: number,
  options: { signal?: AbortSignal },
): Promise<number | null> {
  const of = { connectionId, job: 'MENU', externalMenuId } as const;
  const refused = await refusedOrganizations(db, of);
  const organizations = await db.db
    .selectFrom('mirror_organization')
    .select(['id', 'erpId'])
    .where('id', '=', anyOf(batches.flat()))
    .execute();

  const erpIds = new Map(organizations.map(({ id, erpId }) => [id, erpId]));
  let bytes = 0;
  let refusedUntil = Infinity;

  for (const batch of batches) {
    const [first] = batch;
    const isRefused = batch.length === 1 && first !== undefined && refused.includes(first);
    if (isRefused && performance.now() >= refusedUntil) continue;
    if (isRefused) refusedUntil = Math.min(refusedUntil, performance.now() + refusedMs);

    try {
      const answer = await erp.menu(
        connectionId,
        {
          externalMenuId: externalMenuErpId,
          organizationIds: batch.map((id) => erpIds.get(id)!),
          ...(priceCategoryErpId === null ? {} : { priceCategoryId: priceCategoryErpId }),
          ...(startRevision === null ? {} : { startRevision }),
          asyncMode: false,
        },
        { ...options, isPart: true, isSplit: isRefused },
      );

      // If an organization was rejected before, its menu must be imported.
      if (
        isRefused ||
        answer.data.kind === 'pending' ||
        answer.data.menu.revision !== startRevision
      )
        return null;

      bytes += answer.bytes;
    } catch (failure) {
      if (!isErpFailure(failure)) throw failure;
      if (!isRefused) return null;
      await recordRefusedOrganizations(db, of, [{ id: first, failure }]);
    }
  }

  return bytes;
}
