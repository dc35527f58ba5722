import {
  ApplicationFailure,
  ContinueAsNew,
  isCancellation,
  proxySinks,
  workflowInfo,
  upsertSearchAttributes,
  type Headers,
} from '@temporalio/workflow';
import {
  traceHeader,
  traceparentIn,
  traceparentWithin,
  type TraceSinks,
} from '../../platform/pure/headers.ts';
import { searchAttributeUpdates } from '../../platform/pure/search-attributes.ts';

const { traces } = proxySinks<TraceSinks>();

/**
 * Traces one execution (decision 120). Uses no random numbers, waits or commands, so that replays
 * are equal with and without it.
 */
export function executionTrace() {
  let started: string | undefined;
  let last: string | undefined;

  return {
    /** Adopts the headers of the last start or signal. */
    follow(headers: Headers): void {
      last = traceparentIn(headers) ?? last;
    },
    accompany<T>(headers: Headers, run: () => Promise<T>): Promise<T> {
      started = traceparentIn(headers);
      last ??= started;
      const ended = (failure: string | null) =>
        traces.executionEnded({ parent: started ?? null, failure });
      const done = run();
      // Not awaited, so that the order of execution does not change.
      void done.then(
        () => ended(null),
        (error: unknown) => ended(describeFailure(error)),
      );

      return done;
    },
    /** Returns headers whose parent is the execution or the last signal. */
    within(): Headers {
      if (last === undefined) return {};
      return traceHeader(last === started ? traceparentWithin(workflowInfo().runId, last) : last);
    },
    /** Headers for continue-as-new. */
    onward: (): Headers => traceHeader(last),
  };
}

function describeFailure(error: unknown): string | null {
  if (error instanceof ContinueAsNew || isCancellation(error)) return null;
  if (error instanceof ApplicationFailure && error.type != null) return error.type;
  return error instanceof Error ? error.name : typeof error;
}

/** Sets search attributes. Null removes one. */
export function showAttributes(values: Parameters<typeof searchAttributeUpdates>[0]): void {
  upsertSearchAttributes(searchAttributeUpdates(values));
}

/** OPS-35. */
export function showOutcome(outcome: string | null): void {
  if (outcome !== null) showAttributes({ CarteOutcome: outcome });
}
