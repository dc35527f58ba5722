import {
  ApplicationFailure,
  ContinueAsNew,
  isCancellation,
  proxySinks,
  workflowInfo,
  upsertSearchAttributes,
  type Headers,
} from '@temporalio/workflow';
import { traceHeader, traceparentIn, traceparentWithin, type TraceSinks } from '../../platform/pure/headers.ts';
import { searchAttributeUpdates } from '../../platform/pure/search-attributes.ts';

const { traces } = proxySinks<TraceSinks>();

/**
 * The trace of one execution (decision 120): it draws no random number, waits, or writes a
 * command, so an execution replays the same with it, without it, and when it is switched on
 * meanwhile.
 */
export function executionTrace() {
  let started: string | undefined;
  let last: string | undefined;
  return {
    /** A start or a signal with these headers; the last one counts. */
    follow(headers: Headers): void {
      last = traceparentIn(headers) ?? last;
    },
    /** Runs the execution, which begins with these headers. */
    accompany<T>(headers: Headers, run: () => Promise<T>): Promise<T> {
      started = traceparentIn(headers);
      last ??= started;
      const ended = (failure: string | null) => traces.executionEnded({ parent: started ?? null, failure });
      const done = run();
      // This is not awaited, so the order of the execution does not change.
      void done.then(
        () => ended(null),
        (error: unknown) => ended(failureOf(error)),
      );
      return done;
    },
    /**
     * Headers of what the execution starts: it follows from the execution, or from the last signal.
     */
    within(): Headers {
      if (last === undefined) return {};
      return traceHeader(last === started ? traceparentWithin(workflowInfo().runId, last) : last);
    },
    /** Headers of the execution that continues with it. */
    onward: (): Headers => traceHeader(last),
  };
}

function failureOf(error: unknown): string | null {
  if (error instanceof ContinueAsNew || isCancellation(error)) return null;
  if (error instanceof ApplicationFailure && error.type != null) return error.type;
  return error instanceof Error ? error.name : typeof error;
}

/** Makes the execution searchable by these attributes; null removes one. */
export function showAttributes(values: Parameters<typeof searchAttributeUpdates>[0]): void {
  upsertSearchAttributes(searchAttributeUpdates(values));
}

/**
 * Makes the execution searchable by its outcome (rule OPS-35). Does nothing while there is none.
 */
export function showOutcome(outcome: string | null): void {
  if (outcome !== null) showAttributes({ CarteOutcome: outcome });
}
