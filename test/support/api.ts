import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { createKeyring } from '../../modules/access/keyring.ts';
import { ensureAdministrator } from '../../modules/access/ensure-administrator.ts';
import { ensureRoles } from '../../modules/access/ensure-roles.ts';
import { hashPassword } from '../../modules/access/password.ts';
import { createFulfillmentStore } from '../../modules/delivery/fulfillment-store.ts';
import { createDeliveryMaps } from '../../modules/delivery/zones/delivery-map.ts';
import { createFacetCatalogues } from '../../modules/menus/storefront/facet-catalogue.ts';
import { createMenuViews } from '../../modules/menus/storefront/menu-views.ts';
import { createMenuStore, documentsOf } from '../../modules/menus/storefront/menu-store.ts';
import { guestIdentities } from '../../modules/access/customers/guest-identities.ts';
import { createMedia } from '../../modules/media/media-deps.ts';
import { BINDING_WATCH } from '../../modules/binding/variant-watch.ts';
import { PRODUCT_ISSUES } from '../../modules/product-issues.ts';
import { MEDIA_USES } from '../../modules/media-uses.ts';
import { guestAccess } from '../../modules/ordering/cart-access.ts';
import type { Deps } from '../../api/deps.ts';
import { createApp } from '../../api/http/app.ts';
import type { RateLimits } from '../../api/http/rate-limits.ts';
import type { Route } from '../../api/http/route.ts';
import { createHttpServer, type HotPath } from '../../api/http/server.ts';
import { QUEUES } from '../../kernel/pure/queues.ts';
import { closeServer, listen } from '../../platform/http-server.ts';
import { createIdentityProvider } from '../../platform/identity-provider.ts';
import { readEnv } from '../../modules/env.ts';
import { localMediaStore } from '../../platform/media-store-disk.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createSecretBox } from '../../platform/secrets.ts';
import { schedulePlan } from '../../workers/schedules.ts';
import { migratedDatabase } from './database.ts';
import { outsiderDatabase } from './mirror-guard.ts';
import { countStatements, unpreparedStatements } from './statements.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { Database } from './text-database.ts';

export const ADMIN = { email: 'admin@carte.test', password: 'correct horse battery' };

export type TestApi = {
  url: string;
  deps: Deps & { db: Database };
  /** Every line of the log, parsed. */
  logged: Record<string, unknown>[];
  /** How many statements the connections of the API have sent so far, `begin` and `commit` included. */
  statements(): number;
  /** Statements that these connections have sent without preparing them, in their order. */
  unprepared: readonly string[];
  /** Creates a user with one role and returns how to sign in. */
  user(role: string): Promise<{ email: string; password: string; id: number }>;
  stop(): Promise<void>;
};

type Options = {
  routes: readonly Route[];
  env?: Record<string, string>;
  hot?: HotPath;
  /** The budgets of the reads before Koa, so that both count together; its own when left out. */
  limits?: RateLimits;
  deps?: Partial<Omit<Deps, 'db'>>;
  /** Called after each transaction of the API that has appended events. */
  onEventsCommitted?: () => void;
  /** A database of another instance; without it the API gets one of its own. */
  database?: Awaited<ReturnType<typeof migratedDatabase>>;
};

/**
 * A real HTTP server of the API on a free port with a real migrated database, seeded roles and the administrator. Its own
 * statements fail when they write the mirror; `deps.db` is for the test.
 */
export async function startTestApi(options: Options): Promise<TestApi> {
  const database = options.database ?? (await migratedDatabase());
  try {
    return await startOn(database, options);
  } catch (error) {
    // An open pool would keep the test process alive after its failure.
    if (options.database === undefined) await database.close();
    throw error;
  }
}

async function startOn(database: Awaited<ReturnType<typeof migratedDatabase>>, options: Options): Promise<TestApi> {
  const { db, url: databaseUrl } = database;
  const env = readEnv({
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    ERP_URL: 'http://127.0.0.1:9',
    ENCRYPTION_KEYS: 'test@row:' + Buffer.alloc(32, 7).toString('base64'),
    COOKIE_SECURE: 'off',
    // Suites sign in more often than people do; those of the limit name it.
    RATE_LIMIT_SIGN_IN: 'off',
    ...options.env,
  });
  const logged: Record<string, unknown>[] = [];
  const log = createLog({
    service: 'api',
    level: 'debug',
    destination: { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const metrics = createMetrics('api');
  const viewOf = createMenuViews();
  // Not started: it loads what is asked for by its uuid. Suites of the storefront bring their own, with the reads before Koa.
  const menus = createMenuStore({ db, log, metrics, pollMs: 3_600_000 });
  const mediaFolder = await temporaryFolder('media');
  const secrets = createSecretBox(env.ENCRYPTION_KEYS);
  const deps: TestApi['deps'] = {
    db,
    env,
    log,
    metrics,
    secrets,
    media: createMedia({ store: localMediaStore(mediaFolder), uses: MEDIA_USES }),
    variantWatch: BINDING_WATCH,
    productIssues: PRODUCT_ISSUES,
    keyring: createKeyring({ db, secrets }),
    identityProvider: createIdentityProvider(env),
    guests: guestIdentities(null, guestAccess(db.prepared)),
    // Connects at the first call only: suites that start workflows bring their own client.
    temporal: new Client({ connection: Connection.lazy({ address: '127.0.0.1:9', connectTimeout: '1 second' }) }),
    queues: QUEUES,
    intervals: schedulePlan(env).jobs,
    clocks: createFulfillmentStore({ db, env, log, pollMs: 3_600_000 }),
    // Compared at every call: what a test changes acts at once.
    deliveryMaps: createDeliveryMaps(db, 0),
    facetCatalogues: createFacetCatalogues(db, 0),
    addressSearch: null,
    // An ERP that says nothing: suites about what it says bring their own.
    erpServing: { at: () => Promise.resolve(null) },
    clientCards: { read: async () => ({ state: 'OFF' }) },
    erpStreets: { of: () => Promise.resolve(null) },
    readMenuView: async (erpId) => viewOf(await documentsOf(menus, erpId)),
    ...options.deps,
  };
  await ensureRoles({ db });
  await ensureAdministrator({ db }, ADMIN);

  const outsider = await outsiderDatabase(db, databaseUrl);
  const statements = countStatements(outsider);
  const unprepared = unpreparedStatements(outsider);
  if (options.onEventsCommitted !== undefined) outsider.onEventsCommitted(options.onEventsCommitted);
  const app = createApp({ ...deps, db: outsider }, options.routes, options.limits);
  const server = createHttpServer({ hot: options.hot ?? (() => false), app });
  const port = await listen(server, { host: '127.0.0.1', port: 0, what: 'The test API' });
  return {
    url: `http://127.0.0.1:${port}`,
    deps,
    logged,
    statements,
    unprepared,
    async user(role) {
      const email = `${role.toLowerCase()}-${randomBytes(4).toString('hex')}@carte.test`;
      const password = randomBytes(9).toString('base64');
      const [user] = await db.query<{ id: number }>(
        `with u as (insert into access_user (email, full_name, password_hash) values ($1, 'Test user', $2) returning id),
              l as (insert into access_user_role (user_id, role_id) select u.id, r.id from u, access_role r where r.code = $3)
         select id from u`,
        [email, await hashPassword(password), role],
      );
      return { email, password, id: user!.id };
    },
    async stop() {
      await closeServer(server);
      await outsider.close();
      await rm(mediaFolder, { recursive: true, force: true });
      if (options.database === undefined) await database.close();
    },
  };
}
