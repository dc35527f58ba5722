import { ApplicationFailure, type Context, type Info } from '@temporalio/activity';
import { ApplicationFailureCategory, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { activityFailure, isOfDatabase } from './activity-failure.ts';
import { requestIdIn, traceparentIn } from '../platform/pure/headers.ts';
import { withLogContext } from '../platform/log-context.ts';
import { reportingTo, type Progress } from '../platform/progress.ts';
import { currentTracer, inSpan } from '../platform/tracing.ts';
import type { SpanAbout } from '../platform/tracer.ts';

/** Heartbeats per time-out while a call cannot report progress. */
const REPORTS_PER_TIMEOUT = 4;
const SHORTEST_INTERVAL_MS = 100;

/**
 * Wraps every activity: ids in log lines, progress as heartbeats (rule OPS-191), and
 * ApplicationFailures with the code as type.
 */
export const activityInterceptor: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    execute: (input, next) => {
      const { activityType: activity, workflowExecution } = context.info;
      const { workflowId, runId } = workflowExecution ?? {};
      const where = {
        activity,
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(runId === undefined ? {} : { runId }),
      };

      return inSpan(
        () => buildSpan(context.info, input.headers),
        (span) =>
          withLogContext(
            { ...where, requestId: requestIdIn(input.headers), traceId: span?.traceId },
            () => reportingProgress(context, () => translated(context, () => next(input))),
          ),
      );
    },
  },
});

function buildSpan(
  { activityType, activityId, attempt, workflowExecution }: Info,
  headers: Headers,
): SpanAbout {
  const { workflowId = '', runId = '' } = workflowExecution ?? {};
  return {
    name: `RunActivity:${activityType}`,
    kind: 'consumer',
    parent: traceparentIn(headers) ?? currentTracer()?.traceparentOfExecution(runId) ?? null,
    attributes: {
      temporalWorkflowId: workflowId,
      temporalRunId: runId,
      temporalActivityId: activityId,
      temporalActivityAttempt: attempt,
    },
  };
}

/** An activity without a heartbeat time-out has no heartbeats. */
function reportingProgress(context: Context, work: () => Promise<unknown>): Promise<unknown> {
  const { heartbeatTimeoutMs, heartbeatDetails } = context.info;
  if (heartbeatTimeoutMs === undefined) return work();

  return reportingTo(
    {
      report: (progress) => context.heartbeat(progress),
      earlier: (heartbeatDetails ?? {}) as Progress,
      everyMs: Math.max(SHORTEST_INTERVAL_MS, heartbeatTimeoutMs / REPORTS_PER_TIMEOUT),
    },
    work,
  );
}

/**
 * Permanent faults are not retried, and `Retry-After` delays the next try. Unknown faults pass
 * through.
 */
async function translated(
  { cancellationSignal }: Context,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    // Any other error would count as a failure of the canceled activity.
    if (cancellationSignal.aborted) throw cancellationSignal.reason;
    const failure = activityFailure(error);
    if (failure === null) throw error;

    throw ApplicationFailure.create({
      type: failure.type,
      message: failure.message,
      nonRetryable: !failure.retryable,
      // The caller reports answers that no retry can change (rule OPS-193).
      ...(failure.retryable || isOfDatabase(failure)
        ? {}
        : { category: ApplicationFailureCategory.BENIGN }),
      ...(failure.retryAfterMs === null ? {} : { nextRetryDelay: failure.retryAfterMs }),
    });
  }
}
