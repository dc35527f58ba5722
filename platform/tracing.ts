import type { Lifecycle } from './lifecycle.ts';
import type { Log } from './log.ts';
import type { OpenSpan, SpanAbout, Tracer, TracingSettings } from './tracer.ts';

let tracer: Tracer | null = null;

/** Null if tracing is off. */
export const currentTracer = (): Tracer | null => tracer;

export const traceparent = (): string | undefined => tracer?.traceparent();

/** Runs `work` in a span, null if tracing is off. */
export async function inSpan<T>(
  about: () => SpanAbout,
  work: (span: OpenSpan | null) => Promise<T>,
): Promise<T> {
  if (tracer === null) return work(null);
  const span = tracer.open(about());

  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Starts tracing if enabled (decision 120). Call it before other work. If disabled, OpenTelemetry
 * is not loaded.
 */
export async function startTracing(
  env: TracingSettings,
  {
    service,
    version,
    log,
    lifecycle,
  }: { service: string; version: string; log: Log; lifecycle: Lifecycle },
): Promise<void> {
  if (env.OTEL_TRACES_EXPORTER === 'none' || env.OTEL_SDK_DISABLED) return;
  const { createTracer } = await import('./opentelemetry.ts');
  const running = createTracer(env, { service, version, log });
  tracer = running.tracer;
  lifecycle.onStop('flush', 'traces', () => running.stop());
}
