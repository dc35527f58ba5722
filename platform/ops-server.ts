import { createServer, type ServerResponse } from 'node:http';
import type { BuildInfo } from './build-info.ts';
import { closeServer, listen } from './http-server.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/**
 * False or an error means unavailable. If an `optional` check fails, the process is degraded but
 * ready.
 */
export type ReadyCheck = {
  name: string;
  check: () => Promise<boolean> | boolean;
  optional?: true;
  /** Shown to operators while the check fails. */
  reason?: () => string;
};

export type OpsServer = { port: number; close: () => Promise<void> };

/** A slower check counts as failed. */
const CHECK_LIMIT_MS = 2_000;

/**
 * Serves `/metrics`, `/health/live` (OPS-39) and `/health/ready` (OPS-21). Returns the actual port.
 * Throws StartFailure if the port is in use.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  log: Log;
  build: BuildInfo;
  connections: () => Readonly<Record<'used' | 'idle' | 'waiting', number>>;
  ready: readonly ReadyCheck[];
  /** Time-limited. Never rejects. */
  beforeScrape: () => Promise<void>;
  /** Returns the Prometheus format. Never rejects. */
  otherMetrics?: () => Promise<string>;
}): Promise<OpsServer> {
  const { metrics, log, build } = options;
  metrics.buildInfo.set(build, 1);

  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': async (response) => {
      await options.beforeScrape();
      for (const [state, count] of Object.entries(options.connections()))
        metrics.databaseConnections.set({ state }, count);
      const text = (await metrics.registry.metrics()) + ((await options.otherMetrics?.()) ?? '');
      response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text);
    },
    '/health/live': async (response) => answer(response, 200, { status: 'ok', ...build }),
    '/health/ready': async (response) => {
      const checked = await Promise.all(
        options.ready.map(async (check) => ({ ...check, holds: await holds(check) })),
      );
      const failed = checked.filter((entry) => !entry.holds);
      const isReady = failed.every(({ optional }) => optional === true);
      answer(response, isReady ? 200 : 503, {
        status: isReady ? (failed.length === 0 ? 'ready' : 'degraded') : 'not ready',
        checks: Object.fromEntries(checked.map((entry) => [entry.name, entry.holds])),
        reasons: failed.flatMap(({ reason }) => reason?.() ?? []),
      });
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

  const port = await listen(server, {
    host: options.host,
    port: options.port,
    what: 'The operations server',
  });

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
    return false; // the check logs the cause itself
  } finally {
    clearTimeout(limit);
  }
}
