import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure, type Headers, type WorkflowInterceptors } from '@temporalio/workflow';
import type { BusinessFailure } from '../../kernel/pure/business-failure.ts';
import { requestHeaderIn } from '../../platform/pure/headers.ts';
import { summarized } from './activity-summaries.ts';
import { executionTrace } from './trace.ts';

/**
 * Passes the request id and trace of the latest start, signal or update to all that the workflow
 * starts. Also adds summaries and the reason for a business failure (OPS-193).
 */
export function interceptors(): WorkflowInterceptors {
  let request: Headers = {};
  let business: BusinessFailure | undefined;
  const trace = executionTrace();
  const remember = (headers: Headers): void =>
    void (request = { ...request, ...requestHeaderIn(headers) });
  const carrying = <T extends { readonly headers: Headers }>(
    input: T,
    ofTrace = trace.within(),
  ): T => ({
    ...input,
    headers: { ...input.headers, ...request, ...ofTrace },
  });

  return {
    inbound: [
      {
        execute(input, next) {
          remember(input.headers);
          const done = trace.accompany(input.headers, () => next(input));
          // Not awaited, so that the order of execution does not change.
          void done.catch((error: unknown) => (business = toBusinessFailure(error)));
          return done;
        },
        handleSignal(input, next) {
          remember(input.headers);
          trace.follow(input.headers);
          return next(input);
        },
        handleUpdate(input, next) {
          remember(input.headers);
          trace.follow(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(summarized(carrying(input))),
        scheduleLocalActivity: (input, next) => next(summarized(carrying(input))),
        startChildWorkflowExecution: (input, next) => next(carrying(input)),
        continueAsNew: (input, next) => next(carrying(input, trace.onward())),
        getLogAttributes: (attributes, next) => next({ ...attributes, ...business }),
      },
    ],
  };
}

function toBusinessFailure(error: unknown): BusinessFailure | undefined {
  if (
    !(error instanceof ApplicationFailure) ||
    error.category !== ApplicationFailureCategory.BENIGN
  )
    return undefined;

  return { businessReason: error.type ?? 'UNKNOWN', detail: error.message };
}
