import type { InjectedSinks } from '@temporalio/worker';
import type { TraceSinks } from '../kernel/pure/trace-header.ts';
import { currentTracer } from '../platform/tracing.ts';

/** What workflows tell of their ends; whatever runs or replays workflows has it, or each end would be a line of its log. */
export const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    executionEnded: {
      fn: ({ workflowType, workflowId, runId, startTime }, end) =>
        currentTracer()?.executionEnded({ workflowType, workflowId, runId, startedAt: startTime, ...end }),
      callDuringReplay: false,
    },
  },
};
