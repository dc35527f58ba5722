import { ApplicationFailureCategory } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
  TemporalFailure,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { ImportStage } from '../../modules/mirror/rules/jobs.ts';
import {
  importProgress,
  type ObservedShrink,
  type RunProgress,
  type ImportInput,
  type ImportResult,
} from '../../modules/mirror/messages/sync.ts';
import { runActivities } from './activity-sets.ts';
import { showOutcome } from './trace.ts';

/** The record already has requests, data and writes. */
export type Ending = {
  status: 'SUCCESS' | 'SKIPPED' | 'FAILED';
  reason: string | null;
  detail?: string;
  shrink?: ObservedShrink;
};

/**
 * Reports progress to the query `progress` and to Temporal's UI (OPS-33). `text` replaces the
 * description of the stage.
 */
export type Tell = (news: Partial<RunProgress>, text?: string) => void;

export const skipped = (reason: string): Ending => ({ status: 'SKIPPED', reason });

/**
 * Runs an import and always closes its run. A failed import becomes a failed execution (OPS-23):
 * the reason is its type, and the result is in the details, which `underLock` reads.
 */
export async function importRun(
  input: ImportInput,
  work: (run: ImportInput & { runId: number }, tell: Tell) => Promise<Ending>,
): Promise<ImportResult> {
  const runs = runActivities();
  const tell = tellProgress();
  const { workflowId, runId: workflowRunId } = workflowInfo();
  // Not cancellable, because an existing record must be closed. The next step detects the
  // cancellation.
  const { runId, skip, limitMs } = await CancellationScope.nonCancellable(() =>
    runs.openRun({ ...input, workflowId, workflowRunId }),
  );
  let ending: Ending;
  let cancelled: unknown;
  tell({ stage: 'FETCHING' });

  try {
    ending =
      skip === null
        ? await withinLimit(limitMs, () => work({ ...input, runId }, tell))
        : skipped(skip);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    if (isCancellation(error)) cancelled = error;
    ending = failed(error);
  }

  tell({ stage: 'CLOSING' });
  const { outcome, ...closed } = await CancellationScope.nonCancellable(() =>
    runs.closeRun({ runId, ...ending }),
  );
  tell(
    { stage: 'CLOSING' },
    `Ended: ${outcome}.${ending.detail === undefined ? '' : ` ${ending.detail}`}`,
  );

  showOutcome(outcome);
  if (cancelled !== undefined) throw cancelled;
  const result = { runId, ...closed };
  if (closed.status === 'FAILED') throw toFailure(result, ending);

  return result;
}

const STAGES: Readonly<Record<ImportStage, string>> = {
  STARTING: 'The record of the run is written.',
  FETCHING: 'Data are requested from the ERP.',
  APPLYING: 'The response of the ERP is compared with the mirror and written in one transaction.',
  CLOSING: 'The record of the run is closed.',
};

function tellProgress(): Tell {
  let progress: RunProgress = { stage: 'STARTING', batchesFetched: 0, batches: null, rows: 0 };
  setHandler(importProgress, () => progress);

  return (news, text) => {
    progress = { ...progress, ...news };
    const { stage, batches, batchesFetched, rows } = progress;
    const counts = `${batchesFetched} of ${batches} batches are fetched, ${rows} rows wait to be written.`;
    setCurrentDetails([text ?? STAGES[stage], ...(batches === null ? [] : [counts])].join('\n\n'));
  };
}

/** Closes the run as RUN_TIMEOUT (MIR-47). */
async function withinLimit(
  limitMs: number | undefined,
  work: () => Promise<Ending>,
): Promise<Ending> {
  // Histories of earlier releases have no limit. Temporal ends them.
  if (limitMs === undefined) return work();
  const scope = new CancellationScope();
  let isOver = false;
  // Canceling the timer would cost an event.
  void CancellationScope.nonCancellable(() =>
    sleep(limitMs, { summary: 'Time limit of the import' }),
  ).then(() => {
    isOver = true;
    scope.cancel();
  });

  try {
    return await scope.run(work);
  } catch (error) {
    if (!isOver || !isCancellation(error)) throw error;
    throw ApplicationFailure.nonRetryable(
      `The import did not end within ${limitMs / 1000} s.`,
      'RUN_TIMEOUT',
    );
  }
}

/** Shown to operators and not counted as a bug. */
function toFailure(result: ImportResult, { detail }: Ending): ApplicationFailure {
  return ApplicationFailure.create({
    type: result.reason ?? 'INTERNAL',
    message: detail ?? `The import has failed; GET /sync/runs/${result.runId} shows its record.`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    details: [result],
  });
}

function failed(error: TemporalFailure): Ending {
  if (isCancellation(error)) return { status: 'FAILED', reason: 'CANCELLED' };
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure)
    return { status: 'FAILED', reason: cause.type ?? 'INTERNAL', detail: cause.message };
  if (cause instanceof TimeoutFailure)
    return { status: 'FAILED', reason: 'ACTIVITY_TIMEOUT', detail: cause.message };

  return { status: 'FAILED', reason: 'INTERNAL', detail: error.message };
}

/** Converts the outcome of a job that consists of one call and one transaction. */
export function jobEnding({ outcome }: { outcome: 'APPLIED' | 'RUN_CLOSED' }): Ending {
  return outcome === 'RUN_CLOSED'
    ? { status: 'FAILED', reason: 'RUN_CLOSED' }
    : { status: 'SUCCESS', reason: null };
}
