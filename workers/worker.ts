import { hostname } from 'node:os';
import { claimNamespace } from '../modules/mirror/schedules/apply-schedules.ts';
import { recordMediaBase } from '../modules/media/media-base.ts';
import { wakeLoops, watchSchedules } from '../modules/mirror/schedules/watch-schedules.ts';
import { announceProcess } from '../kernel/running-process.ts';
import { createStateReader } from '../modules/gauges/read-state.ts';
import { EVENTS_CHANNEL } from '../modules/events/deliveries/dispatch-webhooks.ts';
import { listenTo, watchSilence } from '../platform/db/kept-connection.ts';
import { openOwnDatabase, requireSchema } from '../modules/own-database.ts';
import { openErpClient, wireProduct } from '../modules/wire-product.ts';
import { readEnv, type Env } from '../modules/env.ts';
import { collectGarbage } from '../platform/collect-garbage.ts';
import { createFailpoints } from '../platform/failpoint.ts';
import { createLifecycle, type Lifecycle } from '../platform/lifecycle.ts';
import { createLog, type Log } from '../platform/log.ts';
import { addProcessMetrics, createMetrics } from '../platform/metrics.ts';
import { createNotifyChannels } from '../platform/notify-channels.ts';
import { lazyMediaStore } from '../platform/open-media-store.ts';
import { readBuildInfo } from '../platform/build-info.ts';
import { watchClock } from '../platform/db/clock-skew.ts';
import { startOpsServer } from '../platform/ops-server.ts';
import { requirePreparedTemporal } from '../platform/prepare-temporal.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { describeStartFailure } from '../platform/start-failure.ts';
import { temporalMetrics } from '../platform/temporal-metrics.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { temporalServer } from '../platform/temporal-server.ts';
import { startTracing } from '../platform/tracing.ts';
import { createActivities } from './activities.ts';
import { startRelays } from './relays.ts';
import { giveWay, parseRole, ROLES } from './roles.ts';
import { installRuntime, startWorkers } from './temporal-workers.ts';
import { listVersions, versionText, watchVersions } from './versions.ts';
import { workflowBundle, workflowsBuildId } from './workflow-bundle.ts';

async function main(): Promise<void> {
  const role = parseRole(process.argv.slice(2));
  const env = readEnv(process.env);
  const log = createLog({ service: `worker-${role}`, level: env.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, graceMs: env.SHUTDOWN_GRACE });
  lifecycle.install();

  try {
    await start(role, env, log, lifecycle);
  } catch (error) {
    await lifecycle.stop('the start failed');
    throw error;
  }
}

async function start(
  role: keyof typeof ROLES,
  env: Env,
  log: Log,
  lifecycle: Lifecycle,
): Promise<void> {
  const build = readBuildInfo(env);
  if (role === 'build') giveWay();
  await startTracing(env, {
    service: `carte-worker-${role}`,
    version: build.version,
    log,
    lifecycle,
  });

  const metrics = createMetrics(`worker-${role}`);
  addProcessMetrics(metrics);
  const identity = `worker-${role}@${hostname()}#${process.pid}`;
  const ofTemporal = await temporalMetrics(log);
  installRuntime(log, ofTemporal);

  const db = await openOwnDatabase({
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL,
    statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT,
    applicationName: 'carte-worker',
  });

  lifecycle.onStop('close-database', 'database', () => db.close());
  await requireSchema(db, log);
  const secrets = createSecretBox(env.ENCRYPTION_KEYS);
  const versions = listVersions(role, await workflowsBuildId());
  const polledVersions = versions.map(versionText);
  const announced = await announceProcess({ db, secrets, log }, identity, { polledVersions });
  lifecycle.onStop('flush', 'note of this process', announced.stop);
  const connected = await connectTemporal({
    ...temporalServer(env),
    identity,
  });

  lifecycle.onStop('close-temporal', 'client', () => connected.close());
  const temporal = connected.client;
  await requirePreparedTemporal(temporal.connection, env.TEMPORAL_NAMESPACE);

  const base = { env, log, metrics, db };
  const erp = openErpClient(base);
  lifecycle.onStop('flush', 'ERP client', () => erp.close());
  const product = wireProduct({ ...base, temporal, erp });
  // Must precede polling. Otherwise this worker could process tasks of another installation.
  await claimNamespace(product);
  await recordMediaBase(product, env.PUBLIC_MEDIA_URL);
  const { delivery, queues } = product;
  lifecycle.onStop('finish-running', 'delivery of events', () => delivery.stop());
  delivery.start();
  const failpoint = createFailpoints(env.CARTE_FAILPOINT);
  const activities = createActivities(product, {
    failpoint,
    mediaStore: lazyMediaStore(env),
    channels: createNotifyChannels(env),
  });

  const relays = startRelays(product, role);
  const { events } = relays;
  // Detects a network that drops packets.
  const listener =
    events === null
      ? watchSilence({ db, log })
      : listenTo({ db, log }, EVENTS_CHANNEL, { announced: events.wake, connected: events.wake });

  lifecycle.onStop('close-database', 'connection of the relays', () => listener.stop());
  lifecycle.onStop('stop-accepting', 'relays', () => void relays.stop());
  // After the workers, which are registered later.
  lifecycle.onStop('finish-running', 'relays', async () => {
    const late = setTimeout(() => db.abandon(), env.SHUTDOWN_GRACE / 8);
    await relays.stop().finally(() => clearTimeout(late));
  });

  const bundle = await workflowBundle(env.CARTE_DATA_DIR, log);
  const workers = await startWorkers({
    role,
    env,
    identity,
    queues,
    bundle,
    activities,
    metrics,
    versions,
  });

  lifecycle.onStop('finish-running', 'workers', () => workers.stop(() => db.abandon()));
  workers.ended.catch((error: unknown) => {
    // The stop itself reports work that cannot end in time.
    if (lifecycle.stopping) return;
    log.fatal({ err: error }, 'a worker has failed');
    void lifecycle.stop('a worker has failed').then(() => process.exit(1));
  });

  lifecycle.onStop('finish-running', 'watch over versions', watchVersions(product, versions));
  // An order worker may be the last worker to start with a changed environment.
  if (role === 'order') await wakeLoops(product);
  else
    lifecycle.onStop(
      'finish-running',
      'watch over schedules',
      await watchSchedules(product, env.RECONCILE_EVERY),
    );

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
    otherMetrics: ofTemporal.read,
    ready: [
      { name: 'running', check: () => !lifecycle.stopping },
      clock.ready,
      { name: 'workers', check: () => workers.areRunning() },
      { name: 'database', check: async () => db.answers() },
      {
        name: 'temporal',
        check: async () => (await temporal.workflowService.getSystemInfo({})) !== undefined,
      },
    ],
  });

  lifecycle.onStop('flush', 'operations server', ops.close);
  log.info({ role, queues: ROLES[role], opsPort: ops.port }, 'worker started');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
