import { ApplicationFailure, sleep } from '@temporalio/workflow';
import type { MenuActivities } from '../../activities/menu.ts';
import type { RunActivities } from '../../activities/runs.ts';
import type { ImportInput } from '../../modules/mirror/messages/sync.ts';
import { erpActivities, fetchActivities } from './activity-sets.ts';
import type { Tell } from './import-run.ts';

export type MenuRun = ImportInput & { runId: number; externalMenuId: number };

type Plan = Extract<Awaited<ReturnType<RunActivities['planMenuImport']>>, { outcome: 'READY' }>;
type Fetched = Awaited<ReturnType<MenuActivities['fetchAndStage']>>;
type Staged = Extract<Fetched, { outcome: 'STAGED' }>;
type Refused = Extract<Fetched, { outcome: 'REFUSED' }>;

export type FetchedMenu = { batches: Staged[]; organizationIds: number[] } | 'UNCHANGED';

/** Numbers the fetches of a run, so that their staged rows are not mixed. */
export type Calls = { made: number };

/** Asynchronous mode (ERP-13). */
const POLL_EVERY_MS = 2_000;
const POLL_LIMIT_MS = 180_000;

/**
 * Stages batches one by one, so that only one menu is in memory. Returns UNCHANGED if all batches
 * have the requested revision. If only some have, fetches these again without a revision, because
 * their lists were empty. Fails if all organizations are rejected (MIR-67).
 */
export async function fetchMenu(
  run: MenuRun,
  plan: Plan,
  calls: Calls,
  tell: Tell,
): Promise<FetchedMenu> {
  const fetchBatch = batchFetcher(run, plan, calls);
  const staged: Staged[] = [];
  const unchanged: number[] = [];
  const refusals: Refused[] = [];
  const refused = new Set<number>();
  // Includes batches that were unchanged or rejected (MIR-68).
  let answered = 0;
  const tellFetched = (): void => {
    const rows = staged
      .flatMap((entry) => Object.values(entry.rows))
      .reduce((sum, count) => sum + count, 0);
    tell({ stage: 'FETCHING', batches: plan.batches.length, batchesFetched: answered, rows });
  };

  tellFetched();

  for (const batch of plan.batches.keys()) {
    const fetched = await fetchBatch(batch, plan.startRevision);
    answered += 1;
    // Histories of earlier releases do not contain `refused`.
    for (const id of fetched.refused ?? []) refused.add(id);
    if (fetched.outcome === 'STAGED') staged.push(fetched);
    else if (fetched.outcome === 'REFUSED') refusals.push(fetched);
    else unchanged.push(batch);
    tellFetched();
  }

  const [refusal] = refusals;
  if (refusal !== undefined && refusals.length === plan.batches.length)
    throw ApplicationFailure.nonRetryable(refusal.message, refusal.kind);
  if (staged.length === 0) return 'UNCHANGED';

  for (const batch of unchanged) {
    const fetched = await fetchBatch(batch, null);
    for (const id of fetched.refused ?? []) refused.add(id);
    if (fetched.outcome === 'STAGED') staged.push(fetched);
    tellFetched();
  }

  const organizationIds = plan.batches.flat().filter((id) => !refused.has(id));

  return { batches: staged.toSorted((a, b) => a.batch - b.batch), organizationIds };
}

type BatchFetcher = (
  batch: number,
  startRevision: number | null,
) => Promise<Exclude<Fetched, { outcome: 'PENDING' }>>;

function batchFetcher(run: MenuRun, plan: Plan, calls: Calls): BatchFetcher {
  const { runId, connectionId, timings, queues } = run;
  const { externalMenuErpId, priceCategoryErpId } = plan;

  return async (batch, startRevision) => {
    const organizationIds = plan.batches[batch] ?? [];
    const fetch = async (asyncMode: boolean): Promise<Fetched> => {
      calls.made += 1;
      return fetchActivities(queues, timings?.heartbeatMs).fetchAndStage({
        runId,
        connectionId,
        externalMenuErpId,
        priceCategoryErpId,
        batch,
        batches: plan.batches.length,
        organizationIds,
        startRevision,
        asyncMode,
        call: calls.made,
      });
    };

    let fetched = await fetch(plan.isAsync);
    if (fetched.outcome === 'PENDING') {
      await untilPrepared(
        run,
        fetched.organizationId ?? organizationIds[0] ?? 0,
        fetched.correlationId,
      );

      fetched = await fetch(false);
    }

    if (fetched.outcome === 'PENDING')
      throw ApplicationFailure.nonRetryable(
        'The ERP answers asynchronously without being requested to',
        'ASYNC_MENU',
      );

    return fetched;
  };
}

/**
 * Polls an asynchronous request with workflow timers. Throws if the ERP fails or takes too long.
 */
async function untilPrepared(
  run: MenuRun,
  organizationId: number,
  correlationId: string,
): Promise<void> {
  const everyMs = run.timings?.asyncPollEveryMs ?? POLL_EVERY_MS;
  const deadline = Date.now() + (run.timings?.asyncPollLimitMs ?? POLL_LIMIT_MS);

  while (Date.now() < deadline) {
    await sleep(everyMs, { summary: 'The ERP prepares the menu' });
    const { connectionId, queues } = run;
    const status = await erpActivities(queues).asyncMenuStatus({
      connectionId,
      organizationId,
      correlationId,
    });
    if (status.state === 'Success') return;

    if (status.state === 'Error')
      throw ApplicationFailure.nonRetryable(
        status.reason ?? 'The ERP could not prepare the menu',
        'ASYNC_MENU_FAILED',
      );
  }

  throw ApplicationFailure.nonRetryable(
    'The ERP did not prepare the menu in time',
    'ASYNC_MENU_TIMEOUT',
  );
}
