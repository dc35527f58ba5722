import type { TracingEnv } from './env/tracing.ts';

/**
 * Words and numbers of our own; never a value of a statement, a query of a URL or anything of a
 * person (rule OPS-53).
 */
export type SpanAttributes = Record<string, string | number>;

/** The name and attributes of a span. */
export type SpanAbout = {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes: SpanAttributes;
  /**
   * The `traceparent` that it follows from; null for one that begins a trace. What is available
   * when left out.
   */
  parent?: string | null;
};

/** A span that is open. */
export type OpenSpan = {
  /** Undefined when this trace is not recorded. */
  readonly traceId: string | undefined;
  /** Runs `work` inside of the span: what it opens in turn belongs to it. */
  within<T>(work: () => T): T;
  set(attributes: SpanAttributes, name?: string): void;
  /**
   * Marks the span as failed. Of the error only its code or name is recorded: messages repeat what
   * was sent.
   */
  fail(error: unknown): void;
  end(): void;
};

/** An execution of a workflow that has ended. */
export type EndedExecution = {
  workflowType: string;
  workflowId: string;
  runId: string;
  startedAt: Date;
  /** The parent; null if it was not started by a request. */
  parent: string | null;
  /** Type of the failure, or null. */
  failure: string | null;
};

/** The tracer while tracing is on. */
export type Tracer = {
  open(about: SpanAbout): OpenSpan;
  /** A span of one statement, when a span is open; its end gets the error of a failed one. */
  statement(text: string): ((error?: unknown) => void) | undefined;
  /** The open span as `traceparent`, for other processes. */
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
