import type { TracingEnv } from './env/tracing.ts';

/** No values of statements, URL queries or personal data (OPS-53). */
export type SpanAttributes = Record<string, string | number>;

export type SpanAbout = {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes: SpanAttributes;
  /** Null for a new trace; default: the current span. */
  parent?: string | null;
};

export type OpenSpan = {
  /** Undefined if this trace is not recorded. */
  readonly traceId: string | undefined;
  within<T>(work: () => T): T;
  set(attributes: SpanAttributes, name?: string): void;
  /** Records only code or name. */
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
  /** Call the result at the end of the statement. */
  statement(text: string): ((error?: unknown) => void) | undefined;
  traceparent(): string | undefined;
  /** For activities without a request. */
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
