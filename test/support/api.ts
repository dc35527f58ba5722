import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { ensureAdministrator } from '../../modules/access/ensure-administrator.ts';
import { ensureRoles } from '../../modules/access/ensure-roles.ts';
import { hashPassword } from '../../modules/access/password.ts';
import { createDeliveryMaps } from '../../modules/delivery/zones/delivery-map.ts';
import { createFacetCatalogs } from '../../modules/menus/storefront/facet-catalog.ts';
import { createDeps, type Deps } from '../../api/deps.ts';
import { openErpClient, wireProduct } from '../../modules/wire-product.ts';
import { createKeyCheck } from '../../api/http/caller.ts';
import { createApp } from '../../api/http/app.ts';
import type { AnswerStore } from '../../api/http/hot/answer-store.ts';
import type { RateLimits } from '../../api/http/limits/rate-limits.ts';
import type { Route } from '../../api/http/route.ts';
import { createHttpServer, type HotPath } from '../../api/http/server.ts';
import { closeServer, listen } from '../../platform/http-server.ts';
import { createDishFacts } from '../../modules/ordering/cart/dish-facts.ts';
import { readEnv } from '../../modules/env.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { migratedDatabase } from './database.ts';
import { outsiderDatabase } from './mirror-guard.ts';
import { countStatements, unpreparedStatements } from './statements.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { Database } from './text-database.ts';
import { addRow, giveRole } from './rows.ts';

export const ADMIN = { email: 'admin@carte.test', password: 'correct horse battery' };

export type TestApi = {
  url: string;
  deps: Deps & { db: Database };
  logged: Record<string, unknown>[];
  /** Number of statements, including `begin` and `commit`. */
  statements(): number;
  /** SQL that the API sent without preparing it. */
  unprepared: readonly string[];
  /** `NONE` creates a user without a role. */
  user(role: string): Promise<{ email: string; password: string; id: number }>;
  stop(): Promise<void>;
};

type Options = {
  routes: readonly Route[];
  env?: Record<string, string>;
  hot?: HotPath;
  /** By default, separate budgets. */
  limits?: RateLimits;
  answers?: AnswerStore;
  deps?: Partial<Omit<Deps, 'db'>>;
  onEventsCommitted?: () => void;
  database?: Awaited<ReturnType<typeof migratedDatabase>>;
};

/**
 * Starts the API on a free port with a migrated database, seeded roles and an administrator. The
 * API must not write to the mirror, but statements through `deps.db` may.
 */
export async function startTestApi(options: Options): Promise<TestApi> {
  const database = options.database ?? (await migratedDatabase());
  try {
    return await startOn(database, options);
  } catch (error) {
    // An open pool would keep the test process alive.
    if (options.database === undefined) await database.close();
    throw error;
  }
}

async function startOn(
  database: Awaited<ReturnType<typeof migratedDatabase>>,
  options: Options,
): Promise<TestApi> {
  const { db, url: databaseUrl } = database;
  const mediaFolder = await temporaryFolder('media');
  const env = readEnv({
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    ERP_URL: 'http://127.0.0.1:9',
    ENCRYPTION_KEYS: 'test@row:' + Buffer.alloc(32, 7).toString('base64'),
    COOKIE_SECURE: 'off',
    // Suites sign in more often than people.
    RATE_LIMIT_SIGN_IN: 'off',
    SNAPSHOT_POLL: '1h',
    MEDIA_DIR: mediaFolder,
    ...options.env,
  });
  const logged: Record<string, unknown>[] = [];
  const log = createLog({
    service: 'api',
    level: 'debug',
    destination: {
      write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>),
    },
  });
  const base = { env, log, metrics: createMetrics('api'), db };
  const erp = openErpClient(base);
  // Connects at the first call. Suites that start workflows pass their own client.
  const temporal = new Client({
    connection: Connection.lazy({ address: '127.0.0.1:9', connectTimeout: '1 second' }),
  });
  const product = wireProduct({ ...base, temporal, erp });
  // Storefront suites start menus and the reads before Koa.
  const { deps: wired } = await createDeps(product);
  const deps: TestApi['deps'] = {
    ...wired,
    db,
    // 0 ms: changes take effect at once.
    deliveryMaps: createDeliveryMaps(db, 0),
    facetCatalogs: createFacetCatalogs(db, 0),
    dishFacts: createDishFacts(0),
    // An ERP that does not answer.
    erpServing: { at: () => Promise.resolve(null) },
    clientCards: { read: async () => ({ state: 'OFF' }), greet: () => undefined },
    erpStreets: { of: () => Promise.resolve(null) },
    ...options.deps,
  };
  await ensureRoles({ db });
  await ensureAdministrator({ db }, ADMIN);

  const outsider = await outsiderDatabase(db, databaseUrl);
  const statements = countStatements(outsider);
  const unprepared = unpreparedStatements(outsider);
  if (options.onEventsCommitted !== undefined)
    outsider.onEventsCommitted(options.onEventsCommitted);
  const app = createApp({ ...deps, db: outsider }, options.routes, options.limits, options.answers);
  const server = createHttpServer({
    hot: options.hot ?? (() => false),
    app,
    checkKey: createKeyCheck(deps),
  });
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
      const passwordHash = await hashPassword(password);
      const { id } = await addRow(db, 'access_user', {
        email,
        fullName: 'Test user',
        passwordHash,
      });
      if (role !== 'NONE') await giveRole(db, id, role);
      return { email, password, id };
    },
    async stop() {
      deps.streams.stop();
      await deps.orderWatch.stop();
      await deps.staffStreams.stop();
      await closeServer(server);
      await erp.close();
      await outsider.close();
      await rm(mediaFolder, { recursive: true, force: true });
      if (options.database === undefined) await database.close();
    },
  };
}
