import { fulfillmentRoutes } from '../../api/storefront/delivery/routes.ts';
import { createHotPath } from '../../api/http/hot-path.ts';
import { createLivePath } from '../../api/http/live-path.ts';
import { createRateLimits } from '../../api/http/rate-limits.ts';
import type { Route } from '../../api/http/route.ts';
import { slotsRoute } from '../../api/storefront/ordering/slots.ts';
import { storefrontRoutes } from '../../api/storefront/browse.ts';
import type { GuestIdentities } from '../../modules/access/customers/customer-tokens.ts';
import { createFulfillmentStore } from '../../modules/delivery/fulfillment-store.ts';
import { createMenuStore, documentsOf, type MenuStore } from '../../modules/menus/storefront/menu-store.ts';
import { createMenuViews } from '../../modules/menus/storefront/menu-views.ts';
import { readEnv } from '../../modules/env.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics, type Metrics } from '../../platform/metrics.ts';
import { startTestApi, type TestApi } from './api.ts';
import type { migratedDatabase } from './database.ts';

export type Storefront = TestApi & { store: MenuStore; hotMetrics: Metrics; stopHot: () => void };

/**
 * An API with its buffers and the reads before Koa, on `database`; the routes of the storefront unless others are given. Limits are off unless `env` sets them. `stop` leaves
 * the database to the caller.
 */
export async function startStorefront(
  database: Awaited<ReturnType<typeof migratedDatabase>>,
  options: {
    env?: Record<string, string>;
    pollMs?: number;
    routes?: readonly Route[];
    guests?: GuestIdentities;
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
    'RATE_LIMIT_MENU',
    'RATE_LIMIT_PUBLIC',
    'RATE_LIMIT_SEARCH',
    'RATE_LIMIT_SIGN_IN',
    'RATE_LIMIT_MEDIA',
    'RATE_LIMIT_DOCUMENTS',
    'RATE_LIMIT_ORDERING',
    'RATE_LIMIT_NEW_CARTS',
    'RATE_LIMIT_ADDRESSES',
    'RATE_LIMIT_ADMIN',
    'RATE_LIMIT_WEBHOOK',
    'SYNC_TIME_ZONE',
  ]);
  const log = createLog({ service: 'api', level: 'silent' });
  const hotMetrics = createMetrics('api');
  const store = createMenuStore({ db: database.db, log, metrics: hotMetrics, pollMs: options.pollMs ?? 60_000 });
  await (
    await store.start()
  ).loaded;
  const limits = createRateLimits(env);
  const hot = createHotPath({ store, env, limits, log, metrics: hotMetrics });
  const clocks = createFulfillmentStore({ db: database.db, env, log, pollMs: options.pollMs ?? 60_000 });
  await clocks.start();
  const live = createLivePath({ clocks, env, limits, metrics: hotMetrics });
  const viewOf = createMenuViews();
  const api = await startTestApi({
    database,
    routes: options.routes ?? [...storefrontRoutes, ...fulfillmentRoutes, slotsRoute],
    env: given,
    hot: (request, response) => hot.handle(request, response) || live.handle(request, response),
    limits,
    deps: {
      clocks,
      readMenuView: async (erpId) => viewOf(await documentsOf(store, erpId)),
      ...(options.guests === undefined ? {} : { guests: options.guests }),
    },
  });
  return {
    ...api,
    store,
    hotMetrics,
    stopHot: hot.stop,
    async stop() {
      await api.stop();
      hot.stop();
      live.stop();
      await clocks.stop();
      await store.stop();
    },
  };
}
