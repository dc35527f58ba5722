import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../../platform/http-server.ts';

export type ReceivedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  attributes: Record<string, string | number>;
};

export type TraceReceiver = {
  url: string;
  spans(): readonly ReceivedSpan[];
  text(): string;
  stop(): Promise<void>;
};

type Attribute = { key: string; value: Record<string, string | number> };
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'service' | 'attributes' | 'parentSpanId'> & {
        parentSpanId?: string;
        attributes: Attribute[];
      })[];
    }[];
  }[];
};

const named = (attributes: readonly Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));

export async function traceReceiver(): Promise<TraceReceiver> {
  const texts: string[] = [];
  const spans: ReceivedSpan[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    texts.push(text);
    for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans) {
      const service = String(named(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          service,
          parentSpanId: span.parentSpanId,
          attributes: named(span.attributes),
        });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.writeHead(400).end());
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0, what: 'The receiver of traces' });
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    text: () => texts.join('\n'),
    stop: () => closeServer(server),
  };
}

/** Settings that send traces to this receiver without delay. */
export const tracedTo = (url: string): NodeJS.ProcessEnv => ({
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '100',
});
