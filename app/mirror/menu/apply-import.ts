import type { RunMode } from '../../../contracts/jobs.ts';
import type { BulkTx } from '../../../db/database.ts';
import { appendOutbox } from '../../../db/outbox.ts';
import { mergeAnomalies, type Anomaly } from '../../../domain/mirror/anomalies.ts';
import { revisionToSave } from '../../../domain/mirror/revision.ts';
import { isSuspiciousShrink, vanishedPercent } from '../../../domain/mirror/shrink.ts';
import { markDirty } from '../../events/mark-dirty.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { MirrorDeps } from '../mirror-deps.ts';
import { enterRun, storeApplied } from '../runs/run-fence.ts';
import { countVanished, deleteVanished } from './delete-vanished.ts';
import { mergeCategories } from './merge-categories.ts';
import type { MergeContext } from './merge-context.ts';
import { mergeItems } from './merge-items.ts';
import { mergeModifiers } from './merge-modifiers.ts';
import { mergePrices, mergeSizes } from './merge-sizes.ts';
import { execute } from './merge-rows.ts';
import { isStagedCompletely, mergeBatches, type StagedBatch } from './staged-batches.ts';

/** A batch as its fetch reported it: what is staged, and what the answer said. */
export type AppliedBatch = StagedBatch & { revision: number | null; bytes: number; anomalies: Anomaly[] };

export type ApplyInput = {
  runId: number;
  connectionId: number;
  externalMenuId: number;
  mode: RunMode;
  organizationIds: number[];
  /** Digest of the request; the saved revision is valid only with it. */
  fingerprint: string;
  batches: AppliedBatch[];
};

/** Counters of the run record (spec 2, Sync run record). */
export type ImportCounters = {
  categories: { created: number; updated: number };
  items: { created: number; updated: number; deleted: number };
  prices: { upserted: number; unchanged: number };
  modifiers: { groups: number; links: number; global: number };
};

export type Applied = { revision: number | null; changed: boolean; counters: ImportCounters };

export type ApplyOutcome =
  | { outcome: 'APPLIED'; applied: Applied }
  /** The staging tables lost rows: fetch again. */
  | { outcome: 'STAGING_INCOMPLETE' }
  | { outcome: 'SUSPICIOUS_SHRINK'; percent: number; thresholdPercent: number }
  /** The run was ended by somebody else meanwhile. */
  | { outcome: 'RUN_CLOSED' };

/**
 * Merges the staged rows of one run into the mirror, in one transaction and in the order of spec 2: a partial menu is
 * never visible. Counters, saved revision, dirty marks and the event `ErpMenuImported` commit with it.
 *
 * A second call is harmless: it finds the result of the first in the run record and returns it. Refusals are outcomes and
 * write nothing. Deadlocks and serialization failures are thrown with their PostgreSQL code; trying again is right.
 */
export async function applyImport(deps: MirrorDeps, input: ApplyInput): Promise<ApplyOutcome> {
  deps.failpoint('menu-staged');
  const outcome = await deps.db.bulkTransaction<ApplyOutcome>(async (tx) => {
    const fence = await enterRun<Applied>(tx, input);
    if (fence.state === 'APPLIED') return { outcome: 'APPLIED', applied: fence.applied };
    if (fence.state === 'CLOSED') return { outcome: 'RUN_CLOSED' };
    if (!(await isStagedCompletely(tx, input.runId, input.batches))) return { outcome: 'STAGING_INCOMPLETE' };
    return merge(deps, tx, input);
  });
  deps.failpoint('menu-committed');
  return outcome;
}

async function merge(deps: MirrorDeps, tx: BulkTx, input: ApplyInput): Promise<ApplyOutcome> {
  const { runId, externalMenuId, organizationIds } = input;
  const isFull = input.mode === 'FULL';
  const [run] = await tx.query<{ startedAt: Date }>('select started_at as "startedAt" from sync_run where id = $1', [
    runId,
  ]);
  if (run === undefined) return { outcome: 'RUN_CLOSED' };
  const context: MergeContext = { tx, runId, externalMenuId, organizationIds, isFull, startedAt: run.startedAt };

  await mergeBatches(tx, runId);
  if (isFull) {
    const vanished = await countVanished(context);
    const thresholdPercent = (await readSettings(tx, 'sync.shrink_threshold_percent'))['sync.shrink_threshold_percent'];
    if (isSuspiciousShrink(vanished, thresholdPercent))
      return { outcome: 'SUSPICIOUS_SHRINK', percent: vanishedPercent(vanished), thresholdPercent };
  }
  const categories = await mergeCategories(context);
  const { items, ...itemLinks } = await mergeItems(context);
  const sizes = await mergeSizes(context);
  const prices = await mergePrices(context);
  const modifiers = await mergeModifiers(context);
  const deleted = isFull ? await deleteVanished(context) : { items: 0, touched: 0 };

  const merged = [categories, items, ...Object.values(itemLinks), ...Object.values(sizes), ...Object.values(modifiers)];
  const rows = merged.reduce((sum, each) => sum + each.created + each.updated, 0);
  const removed = modifiers.groups.deleted + modifiers.links.deleted + deleted.touched + deleted.items;
  const applied: Applied = {
    revision: revisionToSave(input.batches.map((each) => each.revision)),
    changed: rows + removed + prices.upserted + prices.lost > 0,
    counters: {
      categories: { created: categories.created, updated: categories.updated },
      items: { ...items, deleted: deleted.items },
      prices: { upserted: prices.upserted, unchanged: prices.unchanged },
      modifiers: await statedModifiers(tx),
    },
  };
  await saveMenu(tx, input, applied, await anomaliesOf(tx, input, applied.revision));
  if (applied.changed || isFull) {
    await markDirty(tx, 'menu-import', organizationIds);
    await appendOutbox(tx, 'ErpMenuImported', {
      runId,
      connectionId: input.connectionId,
      externalMenuId,
      organizationIds,
      revision: applied.revision ?? 0,
      mode: input.mode,
    });
  }
  await storeApplied(tx, runId, applied);
  deps.failpoint('menu-apply');
  return { outcome: 'APPLIED', applied };
}

/** What the answer states, whether it changed or not. */
async function statedModifiers(tx: BulkTx): Promise<ImportCounters['modifiers']> {
  const [counts] = await tx.query<ImportCounters['modifiers']>(
    `select (select count(*) from new_group) as groups, (select count(*) from new_link) as links,
            (select count(*) from new_item where role = 'MODIFIER') as global`,
  );
  return counts ?? { groups: 0, links: 0, global: 0 };
}

async function anomaliesOf(tx: BulkTx, input: ApplyInput, revision: number | null): Promise<Anomaly[]> {
  const found = input.batches.map((each) => each.anomalies);
  const revisions = new Set(input.batches.map((each) => each.revision));
  if (revisions.size > 1) found.push([{ code: 'REVISIONS_DIFFER', count: 1, samples: [...revisions].map(String) }]);
  const [saved] = await tx.query<{ revision: number | null; fingerprint: string | null }>(
    'select revision, revision_fingerprint as fingerprint from mirror_external_menu where id = $1',
    [input.externalMenuId],
  );
  const isOlder = revision !== null && saved?.revision != null && revision < saved.revision;
  if (isOlder && saved.fingerprint === input.fingerprint)
    found.push([{ code: 'REVISION_OLDER', count: 1, samples: [`${revision} after ${saved.revision}`] }]);
  return mergeAnomalies(found);
}

async function saveMenu(tx: BulkTx, input: ApplyInput, applied: Applied, anomalies: Anomaly[]): Promise<void> {
  await execute(
    tx,
    `update mirror_external_menu
        set revision = $2, revision_fingerprint = $3, imported_at = now(), full_due = full_due and not $4
      where id = $1`,
    [input.externalMenuId, applied.revision, input.fingerprint, input.mode === 'FULL'],
  );
  const { categories, items, prices, modifiers } = applied.counters;
  await execute(
    tx,
    `update sync_run set categories = $2, items = $3, prices = $4, modifiers = $5, organizations = $6, batches = $7,
            payload_bytes = $8, revision_to = $9, anomalies = $10
      where id = $1`,
    [
      input.runId,
      ...[categories, items, prices, modifiers].map((each) => JSON.stringify(each)),
      input.organizationIds.length,
      input.batches.length,
      input.batches.reduce((sum, each) => sum + each.bytes, 0),
      applied.revision,
      JSON.stringify(anomalies),
    ],
  );
}
