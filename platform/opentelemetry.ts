import { setTimeout as delay } from 'node:timers/promises';
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { executionSpan } from './pure/headers.ts';
import type { Log } from './log.ts';
import type { OpenSpan, SpanAbout, Tracer, TracingSettings } from './tracer.ts';

/** Longest wait for the trace receiver during the stop. */
const LONGEST_FLUSH_MS = 2_000;
/** Log one line per interval: without a receiver every batch fails. */
const QUIET_MS = 60_000;
/** Long parameter lists add no information. */
const MOST_CHARACTERS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<SpanAbout['kind'], SpanKind>;

/** Creates a tracer. The exporter reads `OTEL_EXPORTER_OTLP_…` itself. */
export function createTracer(
  env: TracingSettings,
  { service, version, log }: { service: string; version: string; log: Log },
): { tracer: Tracer; stop(): Promise<void> } {
  const sampler = createSampler(env);
  const ids = idsOfOurs();
  const provider = new TracerProvider({
    sampler,
    idGenerator: ids,
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.version': version }))
      .merge(
        detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
      ),
    spanLimits: { attributeValueLengthLimit: MOST_CHARACTERS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: env.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  });

  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tell = failureTold(log);
  setGlobalErrorHandler(tell);
  const spans = provider.getTracer('carte');

  const tracer: Tracer = {
    open({ name, kind, attributes, parent }) {
      const around = parent === undefined ? context.active() : toContext(parent);
      return opened(spans.startSpan(name, { kind: KINDS[kind], attributes }, around), around);
    },
    statement(text) {
      // Work after the answer belongs to no trace.
      if (trace.getActiveSpan()?.isRecording() !== true) return undefined;
      const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'STATEMENT';
      const span = spans.startSpan(operation, {
        kind: SpanKind.CLIENT,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          'db.query.text': withoutValues(text),
        },
      });

      return (error) => {
        if (error != null) failed(span, error);
        span.end();
      };
    },
    traceparent: () => {
      const span = trace.getActiveSpan();
      return span === undefined ? undefined : formatTraceparent(span.spanContext());
    },
    traceparentOfExecution(runId) {
      const { traceId, spanId } = executionSpan(runId);
      const { decision } = sampler.shouldSample(
        ROOT_CONTEXT,
        traceId,
        '',
        SpanKind.CONSUMER,
        {},
        [],
      );

      const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;

      return formatTraceparent({
        traceId,
        spanId,
        traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      });
    },
    executionEnded({ workflowType, workflowId, runId, startedAt, parent, failure }) {
      const span = ids.using(executionSpan(runId), () =>
        spans.startSpan(
          `RunWorkflow:${workflowType}`,
          {
            kind: SpanKind.CONSUMER,
            startTime: startedAt,
            attributes: { temporalWorkflowId: workflowId, temporalRunId: runId },
          },
          toContext(parent),
        ),
      );

      if (failure !== null)
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure);
      span.end();
    },
  };

  return {
    tracer,
    async stop() {
      await Promise.race([
        provider.shutdown().catch(tell),
        delay(LONGEST_FLUSH_MS, undefined, { ref: false }),
      ]);
    },
  };
}

function opened(span: Span, around: Context): OpenSpan {
  const inside = trace.setSpan(around, span);
  return {
    traceId: span.isRecording() ? span.spanContext().traceId : undefined,
    within: (work) => context.with(inside, work),
    set(attributes, name) {
      span.setAttributes(attributes);
      if (name !== undefined) span.updateName(name);
    },
    fail: (error) => failed(span, error),
    end: () => span.end(),
  };
}

/** Messages may contain values. */
function toErrorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' || typeof code === 'number') return String(code);
  return typeof name === 'string' ? name : typeof error;
}

function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', toErrorType(error));
}

/** Quoted constants might be sensitive. */
const withoutValues = (text: string): string =>
  text.slice(0, MOST_CHARACTERS).replaceAll(/'(?:[^']|'')*(?:'|$)/g, '?');

const toContext = (parent: string | null): Context => {
  const parsed = parent === null ? null : parseTraceParent(parent);
  return parsed === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true });
};

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function createSampler({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: TracingSettings): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[name.replace('parentbased_', '') as keyof typeof roots]();

  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Random, except for the span of an execution. */
function idsOfOurs() {
  const random = new RandomIdGenerator();
  let currentIds: { traceId: string; spanId: string } | null = null;

  return {
    generateTraceId: () => currentIds?.traceId ?? random.generateTraceId(),
    generateSpanId: () => currentIds?.spanId ?? random.generateSpanId(),
    using<T>(ids: { traceId: string; spanId: string }, work: () => T): T {
      currentIds = ids;
      try {
        return work();
      } finally {
        currentIds = null;
      }
    },
  };
}

function failureTold(log: Log): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + QUIET_MS;
    log.warn({ reason: toErrorType(error) }, 'traces cannot be sent; they are dropped');
  };
}
