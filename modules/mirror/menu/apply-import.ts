import { sql } from 'kysely';
import type { ImportCounters, ObservedShrink } from '../schemas/mirror.ts';
import type { ImportMode } from '../rules/jobs.ts';
import { json, type Tx } from '../../../platform/db/database.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { mergeAnomalies, type Anomaly } from '../rules/anomalies.ts';
import { revisionToSave } from '../rules/revision.ts';
import { markDirty } from '../../menus/rebuilds/mark-dirty.ts';
import type { MirrorDeps } from '../runs/fenced-import.ts';
import { enterRun, storeApplied } from '../runs/run-fence.ts';
import { menuRefusal, type MenuRefusal } from './plan-menu-import.ts';
import { mergeContext } from './merge-context.ts';
import { clearOutrankedBy, clearOutrankedByOfAbsent } from './menu-order.ts';
import { mergeMenu, type MergedMenu } from './merge-menu.ts';
import { forgetRefusedOrganizations } from '../runs/refused-organizations.ts';
import { judgeShrink, reportHeldBack, settleShrink } from './shrink-guard.ts';
import { isStagedCompletely, mergeBatches, type StagedBatch } from './staged-batches.ts';

export type AppliedBatch = StagedBatch & { revision: number | null; anomalies: Anomaly[] };

export type StagedRun = {
  runId: number;
  connectionId: number;
  externalMenuId: number;
  organizationIds: number[];
  batches: AppliedBatch[];
};

export type ApplyInput = StagedRun & {
  mode: ImportMode;
  fingerprint: string;
};

export type Applied = { revision: number | null; changed: boolean; counters: ImportCounters };

/** Staging tables lost rows, which must be fetched again; or another process ended the run. */
export type Unmerged = { outcome: 'STAGING_INCOMPLETE' } | { outcome: 'RUN_CLOSED' };

export type ApplyOutcome =
  | { outcome: 'APPLIED'; applied: Applied }
  | Unmerged
  | ({ outcome: 'SUSPICIOUS_SHRINK' } & ObservedShrink)
  /** Staff or the ERP removed the menu during the fetch. */
  | { outcome: 'NOT_IMPORTED'; reason: MenuRefusal };

/**
 * Merges the staged rows of a run into the mirror in one transaction (MIR-5, MIR-7). A repetition
 * returns the stored result; a rejected run writes nothing. Deadlocks and serialization failures
 * are thrown with their PostgreSQL code: retry them.
 */
export async function applyImport(deps: MirrorDeps, input: ApplyInput): Promise<ApplyOutcome> {
  deps.failpoint('menu-staged');
  const outcome = await deps.db.transaction<ApplyOutcome>(async (tx) => {
    const fence = await enterRun<Applied>(tx, input);
    if (fence.state === 'APPLIED') return { outcome: 'APPLIED', applied: fence.applied };
    if (fence.state === 'CLOSED') return { outcome: 'RUN_CLOSED' };
    const refusal = await menuRefusal(tx, input.externalMenuId);
    if (refusal !== null) return { outcome: 'NOT_IMPORTED', reason: refusal };
    if (!(await isStagedCompletely(tx, input.runId, input.batches)))
      return { outcome: 'STAGING_INCOMPLETE' };

    return merge(deps, tx, input);
  });

  deps.failpoint('menu-committed');

  return outcome;
}

async function merge(deps: MirrorDeps, tx: Tx, input: ApplyInput): Promise<ApplyOutcome> {
  const { runId, externalMenuId, organizationIds } = input;
  const isFull = input.mode === 'FULL';
  const context = await mergeContext(tx, input, isFull);
  await mergeBatches(context);
  const verdict = await judgeShrink(context);
  if (!verdict.allowed) return { outcome: 'SUSPICIOUS_SHRINK', ...verdict.shrink };

  const { heldBack, keepsModifiers } = verdict;
  const heldBackIds = heldBack.map(({ organizationId }) => organizationId);
  const merged = await mergeMenu({ ...context, heldBackIds, keepsModifiers });
  const isHeldBack = heldBack.length > 0 || keepsModifiers;
  if (isHeldBack) await reportHeldBack(tx, input, verdict, verdict.shrink);
  if (!isHeldBack || verdict.acceptanceId !== null) await settleShrink(tx, input, verdict);
  await forgetRefusedOrganizations(tx, { ...input, job: 'MENU' }, organizationIds);
  const applied: Applied = {
    revision: revisionToSave(input.batches.map((batch) => batch.revision)),
    changed: merged.changed,
    counters: merged.counters,
  };

  const anomalies = await findAnomalies(tx, input, applied.revision);
  await saveMenu(tx, input, applied.revision, merged);
  await saveRun(tx, runId, applied.counters, anomalies);
  const outdatesMenus = applied.changed || isFull;
  // Groups, categories and hours also apply to rejected restaurants of the menu.
  const outdated = outdatesMenus
    ? await readRestaurantIds(tx, externalMenuId, organizationIds)
    : organizationIds;
  if (outdatesMenus) await markDirty(tx, 'menu-import', outdated);
  await appendOutbox(tx, 'ErpMenuImported', {
    runId,
    connectionId: input.connectionId,
    externalMenuId,
    organizationIds: outdated,
    revision: applied.revision ?? 0,
    mode: input.mode,
    changed: outdatesMenus,
  });

  await storeApplied(tx, runId, applied);
  deps.failpoint('menu-apply');

  return { outcome: 'APPLIED', applied };
}

async function readRestaurantIds(
  { db }: Tx,
  externalMenuId: number,
  imported: readonly number[],
): Promise<number[]> {
  const others = await db
    .selectFrom('menu_of_organization')
    .select('organizationId')
    .where('externalMenuId', '=', externalMenuId)
    .execute();
  const all = new Set([...imported, ...others.map(({ organizationId }) => organizationId)]);

  return [...all].toSorted((one, other) => one - other);
}

async function findAnomalies(
  tx: Tx,
  input: ApplyInput,
  revision: number | null,
): Promise<Anomaly[]> {
  const anomalyLists = input.batches.map((batch) => batch.anomalies);
  const revisions = new Set(input.batches.map((batch) => batch.revision));
  if (revisions.size > 1)
    anomalyLists.push([
      { code: 'REVISIONS_DIFFER', count: 1, samples: [...revisions].map(String) },
    ]);
  const saved = await tx.db
    .selectFrom('mirror_external_menu')
    .select(['revision', 'revisionFingerprint as fingerprint'])
    .where('id', '=', input.externalMenuId)
    .executeTakeFirst();

  const isOlder = revision !== null && saved?.revision != null && revision < saved.revision;
  if (isOlder && saved.fingerprint === input.fingerprint)
    anomalyLists.push([
      { code: 'REVISION_OLDER', count: 1, samples: [`${revision} after ${saved.revision}`] },
    ]);

  return mergeAnomalies(anomalyLists);
}

async function saveMenu(
  tx: Tx,
  input: ApplyInput,
  revision: number | null,
  merged: MergedMenu,
): Promise<void> {
  await tx.db
    .updateTable('mirror_external_menu')
    .set({
      revision,
      revisionFingerprint: input.fingerprint,
      outrankedBy: merged.outrankedBy,
      importedAt: sql`now()`,
      ...(input.mode === 'FULL' ? { fullDue: false } : {}),
    })
    .where('id', '=', input.externalMenuId)
    .execute();

  await clearOutrankedBy(tx, input.externalMenuId);
  await clearOutrankedByOfAbsent(tx, input.mode === 'FULL');
}

async function saveRun(
  tx: Tx,
  runId: number,
  counters: ImportCounters,
  anomalies: Anomaly[],
): Promise<void> {
  const { categories, items, prices, modifiers } = counters;
  await tx.db
    .updateTable('sync_run')
    .set({
      categories: json(categories),
      items: json(items),
      prices: json(prices),
      modifiers: json(modifiers),
      anomalies: json(anomalies),
    })
    .where('id', '=', runId)
    .execute();
}
