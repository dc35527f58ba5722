import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { requestHeader, traceHeader } from './pure/headers.ts';
import { logContext } from './log-context.ts';
import { StartFailure } from './start-failure.ts';
import type { TemporalServer } from './temporal-server.ts';
import { inSpan, traceparent } from './tracing.ts';

/** Adds the request id and trace. */
const requestInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inRequestSpan(`StartWorkflow:${input.workflowType}`, input.options.workflowId, () =>
      next(withRequest(input)),
    ),
  signal: (input, next) =>
    inRequestSpan(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId, () =>
      next(withRequest(input)),
    ),
  signalWithStart: (input, next) =>
    inRequestSpan(`SignalWithStartWorkflow:${input.workflowType}`, input.options.workflowId, () =>
      next(withRequest(input)),
    ),
  startUpdate: (input, next) =>
    inRequestSpan(`UpdateWorkflow:${input.updateName}`, input.workflowExecution.workflowId, () =>
      next(withRequest(input)),
    ),
  startUpdateWithStart: (input, next) =>
    inRequestSpan(
      `UpdateWithStartWorkflow:${input.workflowType}`,
      input.workflowStartOptions.workflowId,
      () => {
        const { headers } = withRequest({ headers: {} });
        const { workflowStartHeaders, updateHeaders } = input;

        return next({
          ...input,
          workflowStartHeaders: { ...workflowStartHeaders, ...headers },
          updateHeaders: { ...updateHeaders, ...headers },
        });
      },
    ),
};

function withRequest<T extends { readonly headers: Headers }>(input: T): T {
  return {
    ...input,
    headers: {
      ...input.headers,
      ...requestHeader(logContext().requestId),
      ...traceHeader(traceparent()),
    },
  };
}

/** Names the span like Temporal's own interceptors. */
function inRequestSpan<T>(
  name: string,
  workflowId: string | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  return inSpan(
    () => ({ name, kind: 'producer', attributes: { temporalWorkflowId: workflowId ?? '' } }),
    ask,
  );
}

function clientOn(
  connection: Connection,
  { namespace, identity }: { namespace: string; identity: string },
): Client {
  return new Client({
    connection,
    namespace,
    identity,
    interceptors: { workflow: [requestInterceptor] },
  });
}

type Access = TemporalServer & { identity: string };
type Retries = ReturnType<typeof endingRetries>;

const endpoint = ({ address, tls, apiKey }: Access, { interceptor }: Retries) => ({
  address,
  interceptors: [interceptor],
  ...(tls === undefined ? {} : { tls }),
  ...(apiKey === undefined ? {} : { apiKey }),
  connectTimeout: '10 seconds' as const,
});

/**
 * Prevents retries on a closed channel: the SDK retries from a timer that cannot be canceled, and
 * would throw outside any call (OPS-113).
 */
function endingRetries() {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions();
  const waiting = new Set<Promise<void>>();
  let isEnding = false;

  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !isEnding && retryableDecider(attempt, status),
      delayFunction(attempt, status) {
        const ms = delayFunction(attempt, status);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(promise);
        // Node runs timers of equal length in order, so the retry runs between these lines.
        setTimeout(() => setImmediate(resolve), ms);
        void promise.then(() => waiting.delete(promise));

        return ms;
      },
    }),
    /** Resolves within 6 s, after the last timer. */
    async end(): Promise<void> {
      isEnding = true;
      await Promise.all(waiting);
    },
  };
}

/** Throws StartFailure within 10 s without an answer or access. */
export async function connectTemporal(
  access: Access,
): Promise<{ client: Client; close(): Promise<void> }> {
  const retries = endingRetries();
  const connection = await Connection.connect(endpoint(access, retries)).catch((cause: unknown) => {
    throw new StartFailure(refusalSentence(access, cause), { cause });
  });
  return closeable(connection, access, retries);
}

/** Codes in the cause of the SDK's error. */
const NOT_ACCEPTED = [7, 16];

function refusalSentence({ address, tls }: Access, cause: unknown): string {
  if (NOT_ACCEPTED.includes((cause as { cause?: { code?: number } }).cause?.code ?? -1))
    return `Temporal at ${address} rejects the connection; check TEMPORAL_API_KEY and TEMPORAL_TLS_CLIENT_CERT_PATH.`;
  if (tls === undefined) return `Temporal does not answer at ${address}; check TEMPORAL_ADDRESS.`;
  return `Temporal does not answer at ${address} over TLS; check TEMPORAL_ADDRESS and the settings TEMPORAL_TLS_….`;
}

/** Connects at the first call, because the API serves menus and edits even without Temporal. */
export function lazyTemporal(access: Access): { client: Client; close(): Promise<void> } {
  const retries = endingRetries();
  return closeable(Connection.lazy(endpoint(access, retries)), access, retries);
}

/** Waits for running calls (OPS-113). */
function closeable(
  connection: Connection,
  access: Access,
  retries: Retries,
): { client: Client; close(): Promise<void> } {
  return {
    client: clientOn(connection, access),
    async close() {
      await retries.end();
      await connection.close();
    },
  };
}

/** Works across realms. */
export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError';
}

/** gRPC codes: unreachable or timed out. */
const UNREACHABLE = [4, 14];

/** False for any answer. */
export function isTemporalUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { code?: unknown };
  return UNREACHABLE.includes(code as number) || (cause !== error && isTemporalUnavailable(cause));
}
