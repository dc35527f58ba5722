import { fulfillmentRoutes } from '../../api/storefront/delivery/routes.ts';
import { createHotPath } from '../../api/http/hot/hot-path.ts';
import { createLivePath } from '../../api/http/live/live-path.ts';
import { createMenuStream } from '../../api/http/live/menu-stream.ts';
import { createAnswerStore } from '../../api/http/hot/answer-store.ts';
import { createStoredPath } from '../../api/http/stored-path.ts';
import { createRateLimits } from '../../api/http/limits/rate-limits.ts';
import type { Route } from '../../api/http/route.ts';
import type { HotPath } from '../../api/http/server.ts';
import { slotsRoute } from '../../api/storefront/ordering/slots.ts';
import { storefrontRoutes } from '../../api/storefront/browse.ts';
import type { GuestIdentities } from '../../modules/access/customers/customer-tokens.ts';
import { createFulfillmentStore } from '../../modules/delivery/hours/fulfillment-store.ts';
import {
  createMenuStore,
  loadDocuments,
  loadedDocuments,
  type MenuStore,
} from '../../modules/menus/storefront/menu-store.ts';
import type { FacetCatalogs } from '../../modules/menus/storefront/facet-catalog.ts';
import { createMenuViews } from '../../modules/menus/storefront/menu-views.ts';
import { readEnv } from '../../modules/env.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics, type Metrics } from '../../platform/metrics.ts';
import { startTestApi, type TestApi } from './api.ts';
import type { migratedDatabase } from './database.ts';
import { RATE_LIMIT_NAMES } from './rate-limit-names.ts';

export type Storefront = TestApi & {
  store: MenuStore;
  hotMetrics: Metrics;
  stopHot: () => void;
  storedAnswers: () => number;
};

/** `env` enables limits, and `stop` does not close the database. */
export async function startStorefront(
  database: Awaited<ReturnType<typeof migratedDatabase>>,
  options: {
    env?: Record<string, string>;
    pollMs?: number;
    routes?: readonly Route[];
    guests?: GuestIdentities;
    /** False if Koa answers all reads of pages. */
    stored?: boolean;
    facetCatalogs?: FacetCatalogs;
  } = {},
): Promise<Storefront> {
  const given = {
    RATE_LIMIT_MENU: 'off',
    RATE_LIMIT_PUBLIC: 'off',
    RATE_LIMIT_SEARCH: 'off',
    RATE_LIMIT_ORDERING: 'off',
    RATE_LIMIT_NEW_CARTS: 'off',
    ...options.env,
  };
  const env = readEnv(given, [
    'PUBLIC_ORIGINS',
    'TRUST_PROXY',
    ...RATE_LIMIT_NAMES,
    'SYNC_TIME_ZONE',
  ]);
  const log = createLog({ service: 'api', level: 'silent' });
  const hotMetrics = createMetrics('api');
  const store = createMenuStore({
    db: database.db,
    log,
    metrics: hotMetrics,
    pollMs: options.pollMs ?? 60_000,
  });
  await (
    await store.start()
  ).loaded;
  const limits = createRateLimits(env);
  const hot = createHotPath({ store, env, limits, log, metrics: hotMetrics });
  const clocks = createFulfillmentStore({
    db: database.db,
    env,
    log,
    pollMs: options.pollMs ?? 60_000,
  });
  await clocks.start();
  const live = createLivePath({ clocks, env, limits, metrics: hotMetrics });
  const answers = createAnswerStore({ env, limits });
  let sendStored: HotPath = () => false;
  let sendStream: HotPath = () => false;
  let storedAnswers = 0;
  const viewOf = createMenuViews();
  const api = await startTestApi({
    database,
    routes: options.routes ?? [...storefrontRoutes, ...fulfillmentRoutes, slotsRoute],
    env: given,
    hot: (request, response) =>
      hot.handle(request, response) ||
      live.handle(request, response) ||
      sendStream(request, response) ||
      sendStored(request, response),
    limits,
    answers,
    deps: {
      clocks,
      loadedMenu: (erpId) => loadedDocuments(store, erpId),
      readMenuView: async (erpId) => viewOf(await loadDocuments(store, erpId)),
      ...(options.facetCatalogs === undefined ? {} : { facetCatalogs: options.facetCatalogs }),
      ...(options.guests === undefined ? {} : { guests: options.guests }),
    },
  });
  const { log: apiLog, metrics, streams } = api.deps;
  const menuStream = createMenuStream({ store, env, limits, log, metrics: hotMetrics, streams });
  sendStream = menuStream.handle;
  const stored = createStoredPath({ answers, env, limits, log: apiLog, metrics });
  if (options.stored !== false)
    sendStored = (request, response) => {
      const isSent = stored(request, response);
      if (isSent) storedAnswers += 1;
      return isSent;
    };
  return {
    ...api,
    store,
    hotMetrics,
    stopHot: hot.stop,
    storedAnswers: () => storedAnswers,
    async stop() {
      await api.stop();
      hot.stop();
      live.stop();
      menuStream.stop();
      await clocks.stop();
      await store.stop();
    },
  };
}
