import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of all log lines of the current work. Ids only. */
export type LogContext = {
  /** The originating API request, also inside workflows that it started. */
  requestId?: string | undefined;
  /** Absent without tracing (OPS-51). */
  traceId?: string | undefined;
  workflowId?: string;
  runId?: string;
  activity?: string;
};

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs `work` with these fields in its log lines, added to those of the outer context. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...context }, work);
}

/** Returns the fields of the current work. */
export function logContext(): LogContext {
  return contexts.getStore() ?? {};
}
