import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { requestHeaderIn } from '../../kernel/pure/headers.ts';
import { summarized } from './activity-summaries.ts';
import { executionTrace } from './trace.ts';

/**
 * Carries the id of the API request, and its trace, from a start, signal or update of a workflow to
 * everything it starts in turn. The last one counts: a waiting rebuild gets the id of the last edit
 * that signaled it. Every activity gets its summary.
 */
export function interceptors(): WorkflowInterceptors {
  let request: Headers = {};
  const trace = executionTrace();
  const remember = (headers: Headers): void => void (request = { ...request, ...requestHeaderIn(headers) });
  const carrying = <T extends { readonly headers: Headers }>(input: T, ofTrace = trace.within()): T => ({
    ...input,
    headers: { ...input.headers, ...request, ...ofTrace },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          remember(input.headers);
          return trace.accompany(input.headers, () => next(input));
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
      },
    ],
  };
}
