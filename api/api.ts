import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeyring } from '../modules/access/keyring.ts';
import { createCustomerTokens } from '../modules/access/customers/customer-tokens.ts';
import { guestIdentities } from '../modules/access/customers/guest-identities.ts';
import { createFulfillmentStore } from '../modules/delivery/fulfillment-store.ts';
import { createErpPorts } from '../modules/connections/erp-ports.ts';
import { createAddressSearch } from '../modules/delivery/addresses/address-search.ts';
import { createClientCards } from '../modules/gifts/client-cards.ts';
import { createErpServing } from '../modules/delivery/zones/erp-serving.ts';
import { createErpStreets } from '../modules/delivery/addresses/erp-streets.ts';
import { createDeliveryMaps } from '../modules/delivery/zones/delivery-map.ts';
import { createMenuStore, documentsOf } from '../modules/menus/storefront/menu-store.ts';
import { createFacetCatalogues } from '../modules/menus/storefront/facet-catalogue.ts';
import { createMenuViews } from '../modules/menus/storefront/menu-views.ts';
import { createEventDelivery } from '../modules/event-listeners.ts';
import { createMedia } from '../modules/media/media-deps.ts';
import { importTimings } from '../modules/mirror/import-timings.ts';
import { createStateReader } from '../modules/observability/read-state.ts';
import { BINDING_WATCH } from '../modules/binding/variant-watch.ts';
import { announceProcess } from '../kernel/running-process.ts';
import { PRODUCT_ISSUES } from '../modules/product-issues.ts';
import { MEDIA_USES } from '../modules/media-uses.ts';
import { guestAccess } from '../modules/ordering/cart-access.ts';
import { queuesWithPrefix } from '../kernel/pure/queues.ts';
import type { Database } from '../platform/db/database.ts';
import { openOwnDatabase, requireSchema } from '../modules/own-database.ts';
import { createErpClient } from '../erp/client.ts';
import { readEnv, type Env } from '../modules/env.ts';
import { createGeocoder } from '../platform/geocoder/geocoder.ts';
import { closeServer, listen } from '../platform/http-server.ts';
import { createIdentityProvider } from '../platform/identity-provider.ts';
import { createLifecycle, type Lifecycle } from '../platform/lifecycle.ts';
import { createLog, type Log } from '../platform/log.ts';
import { addProcessMetrics, createMetrics } from '../platform/metrics.ts';
import { sendsNotifications } from '../platform/notify-channels.ts';
import { openMediaStore } from '../platform/open-media-store.ts';
import { readBuildInfo } from '../platform/build-info.ts';
import { startOpsServer } from '../platform/ops-server.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { describeStartFailure } from '../platform/start-failure.ts';
import { lazyTemporal } from '../platform/temporal.ts';
import { startTracing } from '../platform/tracing.ts';
import { temporalServer } from '../platform/temporal-server.ts';
import { schedulePlan } from '../workers/schedules.ts';
import type { Deps } from './deps.ts';
import { createApp } from './http/app.ts';
import { createHotPath } from './http/hot-path.ts';
import { createLivePath } from './http/live-path.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createHttpServer, type HotPath } from './http/server.ts';
import { routes } from './routes.ts';

/** `npm run api`: serves both APIs until it is told to stop. */
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

/** Longer than a gateway keeps connections that it does not use (`keepalive_timeout` in `ops/gateway.conf`): it closes them, and nothing meets their end. */
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

  const base = await createDeps(env, log, db, lifecycle);
  const announced = await announceProcess(base, identity());
  lifecycle.onStop('flush', 'note of this process', announced.stop);
  const menus = createMenuStore({ db, log, metrics: base.metrics, pollMs: env.SNAPSHOT_POLL });
  const viewOf = createMenuViews();
  const clocks = createFulfillmentStore({ db, env, log, pollMs: env.SNAPSHOT_POLL });
  const deps: Deps = { ...base, clocks, readMenuView: async (erpId) => viewOf(await documentsOf(menus, erpId)) };
  lifecycle.onStop('finish-running', 'menu buffers', () => menus.stop());
  await menus.start();
  lifecycle.onStop('finish-running', 'clocks of organizations', () => clocks.stop());
  await clocks.start();

  const limits = createRateLimits(env);
  const hot = createHotPath({ store: menus, env, limits, log, metrics: deps.metrics });
  lifecycle.onStop('flush', 'counts of hot reads', hot.stop);
  const live = createLivePath({ clocks, env, limits, metrics: deps.metrics });
  lifecycle.onStop('flush', 'counts of live reads', live.stop);
  const beforeKoa: HotPath = (request, response) => hot.handle(request, response) || live.handle(request, response);
  const server = createHttpServer({ hot: beforeKoa, app: createApp(deps, routes, limits) });
  const port = await listen(server, { host: env.HOST, port: env.PORT, what: 'The API' });
  // Whoever sends us requests looks at the readiness from time to time.
  lifecycle.onStop('not-ready', 'requests that are still sent', () => delay(env.SHUTDOWN_DRAIN));
  const closing = Promise.withResolvers<void>();
  lifecycle.onStop(
    'stop-accepting',
    'HTTP server',
    () => void closeServer(server, { idleMs: Math.min(env.SHUTDOWN_DRAIN, MOST_IDLE_MS) }).then(closing.resolve),
  );
  lifecycle.onStop('finish-running', 'requests', () => closing.promise);

  const beforeScrape = createStateReader({ ...deps, sendsNotifications: sendsNotifications(env) });
  const ops = await startOpsServer({
    host: env.OPS_HOST,
    port: env.OPS_PORT,
    metrics: deps.metrics,
    log,
    build,
    connections: () => db.connections(),
    beforeScrape,
    // Temporal is not asked: menus are served and edits stored without it. Loaded menus are served without the database too.
    ready: [
      { name: 'running', check: () => !lifecycle.stopping },
      { name: 'database', check: async () => db.answers(), optional: true },
    ],
  });
  lifecycle.onStop('flush', 'operations server', ops.close);
  log.info({ port, opsPort: ops.port }, 'API started');
}

const identity = () => `api@${hostname()}#${process.pid}`;

async function createDeps(
  env: Env,
  log: Log,
  db: Database,
  lifecycle: Lifecycle,
): Promise<Omit<Deps, 'readMenuView' | 'clocks'>> {
  const metrics = createMetrics('api');
  addProcessMetrics(metrics);
  const secrets = createSecretBox(env.ENCRYPTION_KEYS);
  const queues = queuesWithPrefix(env.TEMPORAL_QUEUE_PREFIX);
  const temporal = lazyTemporal({
    ...temporalServer(env),
    identity: identity(),
  });
  lifecycle.onStop('close-temporal', 'client', () => temporal.close());

  const plan = schedulePlan(env);
  const delivery = createEventDelivery({
    db,
    temporal: temporal.client,
    queues,
    plan,
    metrics,
    log,
    sendsNotifications: sendsNotifications(env),
    timings: importTimings(env),
    debounce: { debounceMs: env.SNAPSHOT_DEBOUNCE, debounceMaxMs: env.SNAPSHOT_DEBOUNCE_MAX },
  });
  lifecycle.onStop('finish-running', 'delivery of events', () => delivery.stop());
  delivery.start();
  const erp = erpClient(env, db, log, metrics, lifecycle);
  return {
    db,
    env,
    log,
    metrics,
    secrets,
    media: createMedia({ store: await openMediaStore(env), uses: MEDIA_USES }),
    variantWatch: BINDING_WATCH,
    productIssues: PRODUCT_ISSUES,
    keyring: createKeyring({ db, secrets }),
    identityProvider: createIdentityProvider(env),
    guests: guestIdentities(createCustomerTokens(env, log), guestAccess(db.prepared)),
    temporal: temporal.client,
    queues,
    intervals: plan.jobs,
    deliveryMaps: createDeliveryMaps(db),
    facetCatalogues: createFacetCatalogues(db),
    addressSearch: addressSearch(env, db),
    erpStreets: createErpStreets(erp),
    erpServing: createErpServing({ erp, log }),
    clientCards: createClientCards({ db, erp, secrets, log }),
  };
}

function addressSearch(env: Env, db: Database): Deps['addressSearch'] {
  const geocoder = createGeocoder(env);
  return geocoder === null ? null : createAddressSearch({ db, geocoder, env });
}

/** The API asks the ERP for nothing but streets, who delivers and cards of clients; imports and orders are the workers'. */
function erpClient(env: Env, db: Database, log: Log, metrics: Deps['metrics'], lifecycle: Lifecycle) {
  const erp = createErpClient({
    baseUrl: env.ERP_URL,
    ...createErpPorts({ db, secrets: createSecretBox(env.ENCRYPTION_KEYS), perSecond: env.ERP_RATE }),
    log,
    timeouts: { connectMs: env.ERP_CONNECT_TIMEOUT, readMs: env.ERP_READ_TIMEOUT },
    onRequest: ({ endpoint, status }) => metrics.erpHttpRequests.inc({ endpoint, status: String(status) }),
  });
  lifecycle.onStop('flush', 'ERP client', () => erp.close());
  return erp;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}
