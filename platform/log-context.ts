import { AsyncLocalStorage } from 'node:async_hooks';

/** The context of every log line of the present work. Ids only. */
export type LogContext = {
  /** The API request that everything follows from, also in the workflows it has started. */
  requestId?: string | undefined;
  /** The trace that it belongs to; absent when nothing is traced (rule OPS-51). */
  traceId?: string | undefined;
  workflowId?: string;
  runId?: string;
  activity?: string;
};

const contexts = new AsyncLocalStorage<LogContext>();

/**
 * Runs `work` with these attributes on each of its log lines; attributes of a context around it
 * stay unless they are named again.
 */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...context }, work);
}

/** The attributes of the work available. */
export function logContext(): LogContext {
  return contexts.getStore() ?? {};
}
