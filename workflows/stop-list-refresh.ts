import { continueAsNew, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { stopListsMarked, type StopListRefreshInput } from '../modules/mirror/messages/sync.ts';
import { runActivities } from './support/activity-sets.ts';
import { underLock, type UnderLock } from './support/under-lock.ts';

/** Many webhooks must not cause as many calls. */
const PAUSES = { afterSuccessMs: 500, whileLockedMs: 250, afterFailureMs: 5_000 };
/** Number of failures after which only the schedule continues. The flags stay. */
const FAILURES = 5;
const ROUNDS_PER_RUN = 300;

/**
 * Imports stop-lists while one is flagged in the rows (WHK-7), and again if an import read the ERP
 * before the flag was set. Signals are hints. Ends when no flag is left, the connection may not be
 * imported, or imports fail repeatedly.
 */
export async function stopListRefresh(input: StopListRefreshInput): Promise<void> {
  const { connectionId, timings, queues } = input;
  const pauses = { ...PAUSES, ...input.pauses };
  let signals = 0;
  setHandler(stopListsMarked, () => void (signals += 1));

  let failures = 0;
  let pauseMs = 0;

  for (let round = 1; ; round += 1) {
    const seen = signals;
    const { marked } = await runActivities().stopListsMarked({ connectionId });
    // No await before the return: the server rejects a completion after a new signal.
    if (!marked && signals === seen) return;
    if (!marked) continue;
    if (round > ROUNDS_PER_RUN || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof stopListRefresh>(input);
    if (pauseMs > 0) await sleep(pauseMs, { summary: 'Pause before the next import' });
    const run = { job: 'STOP_LIST', connectionId, trigger: 'WEBHOOK', queues } as const;
    const ended = await underLock({ ...run, ...(timings === undefined ? {} : { timings }) });
    const status = statusOf(ended);
    if (status === 'SKIPPED') return;
    if (status !== 'ALREADY_RUNNING') failures = status === 'SUCCESS' ? 0 : failures + 1;
    if (failures === FAILURES) return;
    pauseMs = pauseAfter(status, pauses);
  }
}

type Status = ReturnType<typeof statusOf>;
const statusOf = (ended: UnderLock) => (typeof ended === 'string' ? ended : ended.status);

function pauseAfter(status: Status, pauses: typeof PAUSES): number {
  if (status === 'ALREADY_RUNNING') return pauses.whileLockedMs;
  return status === 'SUCCESS' ? pauses.afterSuccessMs : pauses.afterFailureMs;
}
