import type { TracingEnv } from './env/tracing.ts';

/** Never contain values of statements, URL queries or personal data (OPS-53). */
export type SpanAttributes = Record<string, string | number>;

export type SpanAbout = {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes: SpanAttributes;
  /** The parent `traceparent`, null for a new trace. By default the current one. */
  parent?: string | null;
};

export type OpenSpan = {
  /** Undefined if this trace is not recorded. */
  readonly traceId: string | undefined;
  within<T>(work: () => T): T;
  set(attributes: SpanAttributes, name?: string): void;
  /** Records the code or name of the error only: messages may contain values. */
  fail(error: unknown): void;
  end(): void;
};

export type EndedExecution = {
  workflowType: string;
  workflowId: string;
  runId: string;
  startedAt: Date;
  /** Null if it was not started by a request. */
  parent: string | null;
  failure: string | null;
};

export type Tracer = {
  open(about: SpanAbout): OpenSpan;
  /**
   * Opens a span of a statement inside of the current span. Call the result at its end, with the
   * error if it failed.
   */
  statement(text: string): ((error?: unknown) => void) | undefined;
  traceparent(): string | undefined;
  /** Returns the parent of an execution's activities without a request. */
  traceparentOfExecution(runId: string): string;
  executionEnded(execution: EndedExecution): void;
};

export type TracingSettings = Pick<
  TracingEnv,
  | 'OTEL_TRACES_EXPORTER'
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'OTEL_BSP_SCHEDULE_DELAY'
>;
