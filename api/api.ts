import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createStateReader } from '../modules/gauges/read-state.ts';
import { announceProcess } from '../kernel/running-process.ts';
import { openOwnDatabase, requireSchema } from '../modules/own-database.ts';
import { openErpClient, wireProduct } from '../modules/wire-product.ts';
import { readEnv, type Env } from '../modules/env.ts';
import { collectGarbage } from '../platform/collect-garbage.ts';
import { closeServer, listen } from '../platform/http-server.ts';
import { createLifecycle, type Lifecycle } from '../platform/lifecycle.ts';
import { createLog, type Log } from '../platform/log.ts';
import { addProcessMetrics, createMetrics } from '../platform/metrics.ts';
import { readBuildInfo } from '../platform/build-info.ts';
import { watchClock } from '../platform/db/clock-skew.ts';
import { startOpsServer } from '../platform/ops-server.ts';
import { describeStartFailure } from '../platform/start-failure.ts';
import { lazyTemporal } from '../platform/temporal.ts';
import { startTracing } from '../platform/tracing.ts';
import { temporalServer } from '../platform/temporal-server.ts';
import { createDeps } from './deps.ts';
import { createKeyCheck } from './http/caller.ts';
import { createApp } from './http/app.ts';
import { createHotPath } from './http/hot/hot-path.ts';
import { createLivePath } from './http/live/live-path.ts';
import { createMenuStream } from './http/live/menu-stream.ts';
import { createAnswerStore } from './http/hot/answer-store.ts';
import { createStoredPath } from './http/stored-path.ts';
import { createRateLimits } from './http/limits/rate-limits.ts';
import { createHttpServer, type HotPath } from './http/server.ts';
import { routes } from './routes.ts';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const log = createLog({ service: 'api', level: env.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, graceMs: env.SHUTDOWN_GRACE });
  lifecycle.install();

  try {
    await start(env, log, lifecycle);
  } catch (error) {
    await lifecycle.stop('the start failed');
    throw error;
  }
}

/**
 * Longer than `keepalive_timeout` in `ops/gateway.conf`, so that the gateway closes idle
 * connections first.
 */
const MOST_IDLE_MS = 3_000;

async function start(env: Env, log: Log, lifecycle: Lifecycle): Promise<void> {
  const build = readBuildInfo(env);
  await startTracing(env, { service: 'carte-api', version: build.version, log, lifecycle });
  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL,
    statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT,
    applicationName: 'carte-api',
  });

  lifecycle.onStop('close-database', 'database', () => db.close());
  await requireSchema(db, log);

  const metrics = createMetrics('api');
  addProcessMetrics(metrics);
  const identity = `api@${hostname()}#${process.pid}`;
  const temporal = lazyTemporal({ ...temporalServer(env), identity });
  lifecycle.onStop('close-temporal', 'client', () => temporal.close());
  const base = { env, log, metrics, db };
  // Reads only streets, serving restaurants and client cards.
  const erp = openErpClient(base);
  lifecycle.onStop('flush', 'ERP client', () => erp.close());
  const product = wireProduct({ ...base, temporal: temporal.client, erp });
  const { delivery } = product;
  lifecycle.onStop('finish-running', 'delivery of events', () => delivery.stop());
  delivery.start();
  const announced = await announceProcess(product, identity);
  lifecycle.onStop('flush', 'note of this process', announced.stop);
  const { deps, menus } = await createDeps(product);
  const { clocks } = deps;
  lifecycle.onStop('finish-running', 'menu buffers', () => menus.stop());
  await menus.start();
  lifecycle.onStop('finish-running', 'clocks of organizations', () => clocks.stop());
  await clocks.start();

  const limits = createRateLimits(env);
  const hot = createHotPath({ store: menus, env, limits, log, metrics });
  lifecycle.onStop('flush', 'counts of hot reads', hot.stop);
  const live = createLivePath({ clocks, env, limits, metrics });
  lifecycle.onStop('flush', 'counts of live reads', live.stop);
  const { streams, orderWatch, staffStreams } = deps;
  lifecycle.onStop('finish-running', 'watch over orders', () => orderWatch.stop());
  lifecycle.onStop('finish-running', 'streams of staff', () => staffStreams.stop());
  lifecycle.onStop('stop-accepting', 'event streams', () => streams.stop());
  const menuStream = createMenuStream({ store: menus, env, limits, log, metrics, streams });
  lifecycle.onStop('flush', 'counts of event streams', menuStream.stop);
  const answers = createAnswerStore({ env, limits });
  const storedPath = createStoredPath({ answers, env, limits, log, metrics });
  const beforeKoa: HotPath = (request, response) =>
    hot.handle(request, response) ||
    live.handle(request, response) ||
    menuStream.handle(request, response) ||
    storedPath(request, response);

  const server = createHttpServer({
    hot: beforeKoa,
    app: createApp(deps, routes, limits, answers),
    streams: env.STREAM_LISTENERS,
    checkKey: createKeyCheck(deps),
  });

  const port = await listen(server, { host: env.HOST, port: env.PORT, what: 'The API' });
  // Load balancers poll readiness periodically.
  lifecycle.onStop('not-ready', 'requests that are still sent', () => delay(env.SHUTDOWN_DRAIN));
  const closing = Promise.withResolvers<void>();
  lifecycle.onStop(
    'stop-accepting',
    'HTTP server',
    () =>
      void closeServer(server, { idleMs: Math.min(env.SHUTDOWN_DRAIN, MOST_IDLE_MS) }).then(
        closing.resolve,
      ),
  );

  lifecycle.onStop('finish-running', 'requests', () => closing.promise);

  const clock = await watchClock(product);
  lifecycle.onStop('finish-running', 'watch over the clock', clock.stop);
  const beforeScrape = createStateReader(product);
  collectGarbage();
  const ops = await startOpsServer({
    host: env.OPS_HOST,
    port: env.OPS_PORT,
    metrics,
    log,
    build,
    connections: () => db.connections(),
    beforeScrape,
    // Temporal is not checked, and loaded menus need no database.
    ready: [
      { name: 'running', check: () => !lifecycle.stopping },
      clock.ready,
      { name: 'database', check: async () => db.answers(), optional: true },
    ],
  });

  lifecycle.onStop('flush', 'operations server', ops.close);
  log.info({ port, opsPort: ops.port }, 'API started');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
