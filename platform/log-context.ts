import { AsyncLocalStorage } from 'node:async_hooks';

/** Ids only. */
export type LogContext = {
  /** Also inside workflows that it started. */
  requestId?: string | undefined;
  /** Absent without tracing (OPS-51). */
  traceId?: string | undefined;
  workflowId?: string;
  runId?: string;
  activity?: string;
};

const contexts = new AsyncLocalStorage<LogContext>();

/** Adds these fields to the log lines of `work`. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...context }, work);
}

export function logContext(): LogContext {
  return contexts.getStore() ?? {};
}
