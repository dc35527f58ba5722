import { defaultPayloadConverter, type Headers } from '@temporalio/common';

const REQUEST_ID = 'carte-request-id';

/** Returns none without a request. */
export function requestHeader(requestId: string | undefined): Headers {
  return requestId === undefined
    ? {}
    : { [REQUEST_ID]: defaultPayloadConverter.toPayload(requestId) };
}

export function requestHeaderIn(headers: Headers): Headers {
  const payload = headers[REQUEST_ID];
  return payload === undefined ? {} : { [REQUEST_ID]: payload };
}

export function requestIdIn(headers: Headers): string | undefined {
  const payload = headers[REQUEST_ID];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

const TRACEPARENT = 'traceparent';

/** Returns none without tracing. */
export function traceHeader(traceparent: string | undefined): Headers {
  return traceparent === undefined
    ? {}
    : { [TRACEPARENT]: defaultPayloadConverter.toPayload(traceparent) };
}

export function traceparentIn(headers: Headers): string | undefined {
  const payload = headers[TRACEPARENT];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

/**
 * Derives span ids from the run id, so that replays compute the same ids. The trace id is for
 * executions without a request.
 */
export function executionSpan(runId: string): { traceId: string; spanId: string } {
  const traceId = runId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16) };
}

export function traceparentWithin(runId: string, traceparent: string): string {
  const [version, traceId, , flags] = traceparent.split('-');
  return [version, traceId, executionSpan(runId).spanId, flags].join('-');
}

/** Passed to the worker outside of the history. */
export type TraceSinks = {
  traces: {
    /** `failure`: its type, or null. */
    executionEnded(end: { parent: string | null; failure: string | null }): void;
  };
};
