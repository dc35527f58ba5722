import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listen } from './http-server.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** One named thing a process needs to be ready; false or an error means not now. */
export type ReadyCheck = { name: string; check: () => Promise<boolean> | boolean };

export type OpsServer = { port: number; close: () => Promise<void> };

/** A check that takes longer counts as failed, so that the answer never hangs. */
const CHECK_LIMIT_MS = 2_000;

/**
 * Serves `/metrics`, `/health/live` (the process runs) and `/health/ready` (200 only when every check holds; the body
 * names them). Returns the real port. Throws StartFailure when the port is taken.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  log: Log;
  ready: readonly ReadyCheck[];
  /** Brings the gauges to the present before a scrape is answered; bounded in time and never rejects. */
  beforeScrape: () => Promise<void>;
}): Promise<OpsServer> {
  const { metrics, log } = options;

  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': async (response) => {
      await options.beforeScrape();
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text);
    },
    '/health/live': async (response) => answer(response, 200, { status: 'ok' }),
    '/health/ready': async (response) => {
      const checks = Object.fromEntries(
        await Promise.all(options.ready.map(async (each) => [each.name, await holds(each)] as const)),
      );
      const ready = Object.values(checks).every(Boolean);
      answer(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
    },
  };

  const server = createServer((request, response) => {
    const page = pages[(request.url ?? '').split('?')[0] ?? ''];
    if (page === undefined) return answer(response, 404, { status: 'not found' });
    page(response).catch((error: unknown) => {
      log.error({ err: error }, 'an operations page failed');
      answer(response, 500, { status: 'failed' });
    });
  });
  const port = await listen(server, { host: options.host, port: options.port, what: 'The operations server' });
  return { port, close: () => closeServer(server) };
}

function answer(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function holds({ check }: ReadyCheck): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const limit = setTimeout(() => resolve(false), CHECK_LIMIT_MS);
  try {
    return await Promise.race([Promise.resolve(check()), promise]);
  } catch {
    return false; // the check itself says why in its own log; here only yes or no matters
  } finally {
    clearTimeout(limit);
  }
}
