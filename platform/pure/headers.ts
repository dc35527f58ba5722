import { defaultPayloadConverter, type Headers } from '@temporalio/common';

const REQUEST_ID = 'carte-request-id';

/**
 * Headers that carry the id of the API request to workflows and their activities; none when there
 * is no request.
 */
export function requestHeader(requestId: string | undefined): Headers {
  return requestId === undefined ? {} : { [REQUEST_ID]: defaultPayloadConverter.toPayload(requestId) };
}

/** The part of these headers that carries the id of a request. */
export function requestHeaderIn(headers: Headers): Headers {
  const payload = headers[REQUEST_ID];
  return payload === undefined ? {} : { [REQUEST_ID]: payload };
}

/** The id of the request in these headers. */
export function requestIdIn(headers: Headers): string | undefined {
  const payload = headers[REQUEST_ID];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

const TRACEPARENT = 'traceparent';

/**
 * Headers by which a workflow, an activity or a child continues with a trace; none when nothing is
 * traced.
 */
export function traceHeader(traceparent: string | undefined): Headers {
  return traceparent === undefined ? {} : { [TRACEPARENT]: defaultPayloadConverter.toPayload(traceparent) };
}

/** Returns the trace that these headers continue. */
export function traceparentIn(headers: Headers): string | undefined {
  const payload = headers[TRACEPARENT];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

/**
 * The ids of the span of an execution, made of the id of its run: a replay and every process
 * compute the same ones, and no workflow needs a random number. The trace id is for an execution
 * that was not started by a request.
 */
export function executionSpan(runId: string): { traceId: string; spanId: string } {
  const traceId = runId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16) };
}

/** The `traceparent` for executions that this execution starts. */
export function traceparentWithin(runId: string, traceparent: string): string {
  const [version, traceId, , flags] = traceparent.split('-');
  return [version, traceId, executionSpan(runId).spanId, flags].join('-');
}

/** The trace events that a workflow passes to its worker, outside of its history. */
export type TraceSinks = {
  traces: {
    /** The execution has ended, with the type of its failure or null. */
    executionEnded(end: { parent: string | null; failure: string | null }): void;
  };
};
