import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';
import { executionDetails } from './details.ts';
import { showOutcome } from './trace.ts';

/** Ids and words only. */
type Standing = { stage: string; outcome: string | null; retryAfterMs?: number | null };

/**
 * Tracks a row by reads with pauses, which a hint ends early. After `pausesPerRun` pauses it
 * continues as new by `beginAnew`. Call `rejectUnknownSignals` after all handlers are set.
 */
export function pollingLoop<Found extends Standing>({
  pausesPerRun,
  beginAnew,
  inWords,
}: {
  pausesPerRun: number;
  beginAnew: () => Promise<never>;
  inWords: (found: Found) => string;
}) {
  let standing: Found | null = null;
  /** State reported by the last signal since the last read. */
  let news: Found | null = null;
  let hints = 0;
  let seen = 0;
  let pauses = 0;
  const hasNews = () => hints !== seen;
  const details = executionDetails();

  return {
    rejectSignal: details.reject,
    rejectUnknownSignals: () => details.rejectUnknownSignals(),
    found: () => standing,
    isAt: (stage: Found['stage']): boolean => standing?.stage === stage,
    /**
     * Records a hint. A reported state replaces the next read, unless a later hint reports none.
     */
    hint(reported: Found | null = null): void {
      hints += 1;
      news = reported;
    },
    async look(act: () => Promise<Found>): Promise<void> {
      seen = hints;
      standing = news ?? (await act());
      // A state that was reported during the step may be older than its result, so it counts only
      // as a hint.
      news = null;
      details.show(inWords(standing));
      showOutcome(standing.outcome);
    },
    /**
     * Waits for a hint for up to `ms`, or longer if the ERP requires a longer pause. Returns
     * whether a hint arrived.
     */
    async pause(ms: number): Promise<boolean> {
      pauses += 1;
      if (hasNews()) return true;
      const isLong = pauses > pausesPerRun || workflowInfo().continueAsNewSuggested;
      // Continue-as-new would lose a running update.
      if (isLong && allHandlersFinished()) await beginAnew();

      return condition(hasNews, Math.max(ms, standing?.retryAfterMs ?? 0), {
        summary: `Pause before the next poll: ${standing?.stage}`,
      });
    },
  };
}

/** Returns a pause that doubles each time up to the longest, ms. */
export const growing = (firstMs: number, times: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (times - 1), longestMs);
