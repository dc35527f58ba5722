import { hostname } from 'node:os';
import { createBindingActivities } from '../activities/binding.ts';
import { createGiftActivities, createMarkerActivities } from '../activities/gifts.ts';
import { createEventActivities } from '../activities/events.ts';
import { createMediaActivities } from '../activities/media.ts';
import { createMenuActivities } from '../activities/menu.ts';
import { createMirrorActivities } from '../activities/mirror.ts';
import { createNotificationActivities } from '../activities/notifications.ts';
import { createOrderingActivities } from '../activities/ordering.ts';
import { createRunActivities } from '../activities/runs.ts';
import { createBuildActivities, createPinActivities } from '../activities/snapshot.ts';
import { createUpkeepActivities } from '../activities/upkeep.ts';
import { createErpPorts } from '../modules/connections/erp-ports.ts';
import { createEventDelivery } from '../modules/event-listeners.ts';
import { deleteOutdated } from '../modules/retention.ts';
import { importTimings } from '../modules/mirror/import-timings.ts';
import { claimNamespace } from '../modules/mirror/schedules/apply-schedules.ts';
import { watchSchedules } from '../modules/mirror/schedules/watch-schedules.ts';
import { announceProcess } from '../kernel/running-process.ts';
import { createStateReader } from '../modules/observability/read-state.ts';
import { queuesWithPrefix } from '../kernel/pure/queues.ts';
import type { Database } from '../platform/db/database.ts';
import { watchSilence } from '../platform/db/kept-connection.ts';
import { openOwnDatabase, requireSchema } from '../modules/own-database.ts';
import { createErpClient } from '../erp/client.ts';
import { createExchangeLog } from '../erp/exchange-log.ts';
import { readEnv, type Env } from '../modules/env.ts';
import { createErpStreets } from '../modules/delivery/addresses/erp-streets.ts';
import { createFailpoints } from '../platform/failpoint.ts';
import { createLifecycle, type Lifecycle } from '../platform/lifecycle.ts';
import { createLog, type Log } from '../platform/log.ts';
import { addProcessMetrics, createMetrics, type Metrics } from '../platform/metrics.ts';
import { createNotifyChannels, sendsNotifications } from '../platform/notify-channels.ts';
import { lazyMediaStore } from '../platform/open-media-store.ts';
import { readBuildInfo } from '../platform/build-info.ts';
import { startOpsServer } from '../platform/ops-server.ts';
import { requirePreparedTemporal } from '../platform/prepare-temporal.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { describeStartFailure } from '../platform/start-failure.ts';
import { temporalMetrics } from '../platform/temporal-metrics.ts';
import { connectTemporal } from '../platform/temporal.ts';
import { temporalServer } from '../platform/temporal-server.ts';
import { startTracing } from '../platform/tracing.ts';
import { giveWay } from './give-way.ts';
import { roleOf, ROLES } from './roles.ts';
import { schedulePlan } from './schedules.ts';
import { installRuntime, startWorkers, type QueueActivities } from './temporal-workers.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Polls the queues of the role until it is told to stop. */
async function main(): Promise<void> {
  const role = roleOf(process.argv.slice(2));
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

async function start(role: keyof typeof ROLES, env: Env, log: Log, lifecycle: Lifecycle): Promise<void> {
  const build = readBuildInfo(env);
  if (role === 'build') giveWay();
  await startTracing(env, { service: `carte-worker-${role}`, version: build.version, log, lifecycle });
  const metrics = createMetrics(`worker-${role}`);
  addProcessMetrics(metrics);
  const identity = `worker-${role}@${hostname()}#${process.pid}`;
  const queues = queuesWithPrefix(env.TEMPORAL_QUEUE_PREFIX);
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
  const silence = watchSilence({ db, log });
  lifecycle.onStop('close-database', 'watch over silence', () => silence.stop());
  const secrets = createSecretBox(env.ENCRYPTION_KEYS);
  const announced = await announceProcess({ db, secrets, log }, identity);
  lifecycle.onStop('flush', 'note of this process', announced.stop);
  const connected = await connectTemporal({
    ...temporalServer(env),
    identity,
  });
  lifecycle.onStop('close-temporal', 'client', () => connected.close());
  const temporal = connected.client;
  await requirePreparedTemporal(temporal.connection, env.TEMPORAL_NAMESPACE);

  const plan = schedulePlan(env);
  const channels = createNotifyChannels(env);
  const failpoint = createFailpoints(env.CARTE_FAILPOINT);
  const mirror = { db, erp: erpClient(env, db, log, metrics, lifecycle), metrics, log, failpoint };
  const snapshot = { db, log, metrics };
  const upkeep = {
    db,
    temporal,
    queues,
    plan,
    metrics,
    log,
    deleteOutdated,
    // Not what this process can send: others have the account by which mail goes.
    sendsNotifications: sendsNotifications(env),
    timings: importTimings(env),
    debounce: { debounceMs: env.SNAPSHOT_DEBOUNCE, debounceMaxMs: env.SNAPSHOT_DEBOUNCE_MAX },
  };
  // Before anything polls: the tasks of another installation would be done with our rows.
  await claimNamespace(upkeep);
  const delivery = createEventDelivery(upkeep);
  lifecycle.onStop('finish-running', 'delivery of events', () => delivery.stop());
  delivery.start();
  const activities: QueueActivities = {
    live: createEventActivities(delivery),
    build: createBuildActivities(snapshot),
    workflows: {
      ...createRunActivities(mirror),
      ...createUpkeepActivities(upkeep),
      ...createPinActivities(snapshot),
      ...createNotificationActivities({
        db,
        channels,
        publicUrl: env.PUBLIC_URL,
        adminUrl: env.ADMIN_URL,
        metrics,
        log,
      }),
      ...createGiftActivities(upkeep),
      ...createBindingActivities(mirror),
      ...createMediaActivities({
        ...snapshot,
        failpoint,
        mediaStore: lazyMediaStore(env),
        orphanGraceMs: env.MEDIA_ORPHAN_GRACE,
      }),
    },
    import: createMenuActivities(mirror),
    erp: { ...createMirrorActivities(mirror), ...createMarkerActivities(mirror) },
    order: createOrderingActivities({
      ...mirror,
      temporal,
      queues,
      secrets,
      erpStreets: createErpStreets(mirror.erp),
    }),
  };
  const bundle = await workflowBundle(env.CARTE_DATA_DIR, log);
  const workers = await startWorkers({ role, env, identity, queues, bundle, activities });
  lifecycle.onStop('finish-running', 'workers', () => workers.stop(() => db.abandon()));
  workers.ended.catch((error: unknown) => {
    // What cannot end in time is told by the stop itself.
    if (lifecycle.stopping) return;
    log.fatal({ err: error }, 'a worker has failed');
    void lifecycle.stop('a worker has failed').then(() => process.exit(1));
  });
  if (role !== 'order')
    lifecycle.onStop('finish-running', 'watch over schedules', await watchSchedules(upkeep, env.RECONCILE_EVERY));

  const beforeScrape = createStateReader(upkeep);
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
      { name: 'workers', check: () => workers.areRunning() },
      { name: 'database', check: async () => db.answers() },
      { name: 'temporal', check: async () => (await temporal.workflowService.getSystemInfo({})) !== undefined },
    ],
  });
  lifecycle.onStop('flush', 'operations server', ops.close);
  log.info({ role, queues: ROLES[role], opsPort: ops.port }, 'worker started');
}

function erpClient(env: Env, db: Database, log: Log, metrics: Metrics, lifecycle: Lifecycle) {
  const exchangeLog = env.ERP_EXCHANGE_LOG === null ? null : createExchangeLog({ file: env.ERP_EXCHANGE_LOG, log });
  const erp = createErpClient({
    baseUrl: env.ERP_URL,
    ...createErpPorts({ db, secrets: createSecretBox(env.ENCRYPTION_KEYS), perSecond: env.ERP_RATE }),
    log,
    timeouts: {
      connectMs: env.ERP_CONNECT_TIMEOUT,
      readMs: env.ERP_READ_TIMEOUT,
      menuReadMs: env.ERP_MENU_READ_TIMEOUT,
    },
    onRequest: ({ endpoint, status }) => metrics.erpHttpRequests.inc({ endpoint, status: String(status) }),
    ...(exchangeLog === null ? {} : { exchangeLog }),
  });
  lifecycle.onStop('flush', 'ERP client', async () => {
    await erp.close();
    await exchangeLog?.close();
  });
  return erp;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
