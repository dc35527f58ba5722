import { ApplicationFailure } from '@temporalio/workflow';
import type { MenuActivities } from '../activities/menu.ts';
import type { ObservedShrink } from '../modules/mirror/messages/sync.ts';
import type { ImportInput, ImportResult } from '../modules/mirror/messages/sync.ts';
import { applyActivities, runActivities } from './support/activity-sets.ts';
import { importRun, skipped, type Ending, type Tell } from './support/import-run.ts';
import { fetchMenu, type Calls, type MenuRun } from './support/menu-fetch.ts';

type ApplyOutcome = Awaited<ReturnType<MenuActivities['applyImport']>>;
type PreviewOutcome = Awaited<ReturnType<MenuActivities['previewImport']>>;

/** Several rounds, because a database crash empties the unlogged staging tables. */
const FETCH_ROUNDS = 3;

/**
 * Stages batches and applies all in one transaction, so a partial menu is never visible (MIR-5).
 * The id is the lock for full and incremental imports. A plan keeps only the result.
 */
export async function menuImport(input: ImportInput): Promise<ImportResult> {
  const { externalMenuId } = input;
  if (externalMenuId === undefined)
    throw ApplicationFailure.nonRetryable('A menu import needs an external menu', 'INVALID_INPUT');
  return importRun(input, (run, tell) => importMenu({ ...run, externalMenuId }, tell));
}

async function importMenu(run: MenuRun, tell: Tell): Promise<Ending> {
  const { runId, connectionId, externalMenuId } = run;
  const plan = await runActivities().planMenuImport({ runId, connectionId, externalMenuId });
  if (plan.outcome === 'SKIP') return skipped(plan.reason);
  const { mode, fingerprint } = plan;
  const { applyImport, previewImport } = applyActivities(run.queues, run.timings?.heartbeatMs);

  const calls: Calls = { made: 0 };

  for (let round = 1; round <= FETCH_ROUNDS; round += 1) {
    const fetched = await fetchMenu(run, plan, calls, tell);
    if (fetched === 'UNCHANGED') return skipped('UNCHANGED');
    tell({ stage: 'APPLYING' });
    const staged = { runId, connectionId, externalMenuId, ...fetched };
    const result =
      mode === 'PLAN'
        ? await previewImport(staged)
        : await applyImport({ ...staged, mode, fingerprint });
    if (result.outcome !== 'STAGING_INCOMPLETE') return toEnding(result);
  }

  return { status: 'FAILED', reason: 'STAGING_INCOMPLETE' };
}

function toEnding(
  result: Exclude<ApplyOutcome | PreviewOutcome, { outcome: 'STAGING_INCOMPLETE' }>,
): Ending {
  switch (result.outcome) {
    case 'APPLIED':
      return { status: 'SUCCESS', reason: null };
    case 'PLANNED':
      return skipped('PLANNED');
    case 'NOT_IMPORTED':
      return skipped(result.reason);
    case 'RUN_CLOSED':
      return { status: 'FAILED', reason: 'RUN_CLOSED' };
    case 'SUSPICIOUS_SHRINK': {
      const { outcome: reason, ...shrink } = result;
      return { status: 'FAILED', reason, detail: shrinkDetail(shrink), shrink };
    }
  }
}

function shrinkDetail({
  percent,
  thresholdPercent,
  organization,
  modifierGroups,
}: ObservedShrink): string {
  const isOfRestaurant = organization != null && organization.percent === percent;
  const isOfModifiers = modifierGroups != null && modifierGroups.percent === percent;
  const lost = isOfRestaurant
    ? `prices of organization ${organization.organizationId} vanished`
    : isOfModifiers
      ? 'dishes with modifiers lost all of them'
      : 'items vanished';

  return `${percent.toFixed(1)} % of the ${lost}, ${thresholdPercent} % are allowed`;
}
