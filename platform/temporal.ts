import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { requestHeader } from '../contracts/request-header.ts';
import { logContext } from './log-context.ts';
import { StartFailure } from './start-failure.ts';

/** Adds the id of the API request at hand to what a workflow is started or signalled with. */
const requestInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next(withRequest(input)),
  signal: (input, next) => next(withRequest(input)),
  signalWithStart: (input, next) => next(withRequest(input)),
};

function withRequest<T extends { readonly headers: Headers }>(input: T): T {
  return { ...input, headers: { ...input.headers, ...requestHeader(logContext().requestId) } };
}

function clientOn(connection: Connection, { namespace, identity }: { namespace: string; identity: string }): Client {
  return new Client({ connection, namespace, identity, interceptors: { workflow: [requestInterceptor] } });
}

/** A connected Temporal client and its end. Throws StartFailure within 10 s when the server does not answer. */
export async function connectTemporal(options: {
  address: string;
  namespace: string;
  identity: string;
}): Promise<{ client: Client; close(): Promise<void> }> {
  const connection = await Connection.connect({ address: options.address, connectTimeout: '10 seconds' }).catch(
    (cause: unknown) => {
      throw new StartFailure(`Temporal does not answer at ${options.address}; check TEMPORAL_ADDRESS.`, { cause });
    },
  );
  return {
    client: clientOn(connection, options),
    close: () => connection.close(),
  };
}

/**
 * A Temporal client that connects at its first call and whenever the server comes back: the API serves menus and edits
 * without Temporal too, only what starts workflows answers `unavailable` meanwhile.
 */
export function lazyTemporal(options: { address: string; namespace: string; identity: string }): {
  client: Client;
  close(): Promise<void>;
} {
  const connection = Connection.lazy({ address: options.address, connectTimeout: '10 seconds' });
  return {
    client: clientOn(connection, options),
    close: () => connection.close(),
  };
}

/** True when the error says that an execution with this id runs already, whichever realm made it. */
export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError';
}

/** gRPC codes of a server that cannot be reached or does not answer in time. */
const UNREACHABLE = [4, 14];

/** True when Temporal does not answer now; false for every answer it gave. */
export function isTemporalUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { code?: unknown };
  return UNREACHABLE.includes(code as number) || (cause !== error && isTemporalUnavailable(cause));
}
