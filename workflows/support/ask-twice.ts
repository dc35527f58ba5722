import { sleep } from '@temporalio/workflow';
import type { AskAgain } from '../../activities/ask-again.ts';
import type { ImportInput } from '../../modules/mirror/messages/sync.ts';

/** Pause in which a temporary fault of a list should end, ms. */
const ASK_AGAIN_MS = 30_000;

type ListRun = { runId: number; connectionId: number; isSecond?: true };

/**
 * Imports a list. If the list would remove too much, requests it again after a pause, and accepts
 * an equal second answer (MIR-45).
 */
export async function askTwice<Outcome extends { outcome: string }>(
  { runId, connectionId, timings }: ImportInput & { runId: number },
  act: (run: ListRun) => Promise<Outcome | AskAgain>,
): Promise<Exclude<Outcome, AskAgain>> {
  const isAnswered = (answer: Outcome | AskAgain): answer is Exclude<Outcome, AskAgain> =>
    answer.outcome !== 'ASK_AGAIN';
  const first = await act({ runId, connectionId });
  if (isAnswered(first)) return first;
  await sleep(timings?.askAgainMs ?? ASK_AGAIN_MS, {
    summary: 'Pause before a suspicious list is requested again',
  });
  const second = await act({ runId, connectionId, isSecond: true });
  if (!isAnswered(second)) throw new Error('the second answer decides');

  return second;
}
