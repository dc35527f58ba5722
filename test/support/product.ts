import { randomBytes } from 'node:crypto';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureAdministrator } from '../../modules/access/ensure-administrator.ts';
import { ensureRoles } from '../../modules/access/ensure-roles.ts';
import { openDatabase, type Database } from './text-database.ts';
import { startEmulator, type EmulatorOptions } from '../../packages/erp-emulator/server.ts';
import { SMALL_PICTURES, type PictureOptions } from '../../packages/demo/seed/shop.ts';
import { seedDemo } from '../../packages/demo/seed/seed.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { adminClient, type AdminClient } from './admin-client.ts';
import { asApplication } from './database-roles.ts';
import { migrateForApplication, unopenedDatabase } from './database.ts';
import { eventually, startEntry, untilReady, type Started } from './processes.ts';
import { QUIET_SCHEDULES } from './quiet-schedules.ts';
import { temporaryFolder, testCache } from './temporary-folder.ts';
import { testTemporal } from './temporal.ts';

const SNAPSHOT_POLL_MS = 500;

/** Settings for quick recovery, whose schedules cost an idle product CPU time. */
export const QUICK_RECOVERY = { OUTBOX_SWEEP_EVERY: '1s', RECONCILE_EVERY: '2s' } as const;

export type RunningApi = RunningWorker & { url: string };
/** `opsUrl`: base URL of `/metrics` and `/health/…`. */
export type RunningWorker = Started & { opsUrl: string };

export type Product = {
  db: Database;
  emulator: Awaited<ReturnType<typeof startEmulator>>;
  temporal: { address: string; namespace: string };
  dataDir: string;
  env: NodeJS.ProcessEnv;
  administrator: { email: string; password: string };
  startApi(extra?: NodeJS.ProcessEnv): Promise<RunningApi>;
  startUnreadyApi(extra: NodeJS.ProcessEnv): Promise<RunningApi>;
  startWorker(extra?: NodeJS.ProcessEnv, role?: string): Promise<RunningWorker>;
  /** Starts a worker that is expected to die, without waiting. */
  startDoomedWorker(extra: NodeJS.ProcessEnv): Promise<Started>;
  logs(): string;
  signIn(api: RunningApi): Promise<AdminClient>;
  seed(url: string): Promise<void>;
  /** Waits until all events are delivered and all menus are current. */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

export type OwnDatabase = {
  /** URL of the owner; with `isBare`, of the role of the processes. */
  url: string;
  drop: () => Promise<void>;
  /** True if the test runs `npm run migrate` itself. */
  isBare?: boolean;
};

/** Test values of constants, which production rejects. */
export const TEST_CONSTANTS = {
  SNAPSHOT_DEBOUNCE: '100ms',
  SNAPSHOT_DEBOUNCE_MAX: '1s',
  SNAPSHOT_POLL: `${SNAPSHOT_POLL_MS}ms`,
  OUTBOX_SWEEP_EVERY: '5s',
  RECONCILE_EVERY: '30s',
  RATE_LIMIT_DOCUMENTS: 'off',
} as const;

export type ProductOptions = {
  size?: 'small' | 'demo';
  growth?: EmulatorOptions['growth'];
  env?: NodeJS.ProcessEnv;
  pictures?: PictureOptions;
  temporal?: { address: string; namespace: string };
  bareTemporal?: boolean;
  /** The database, by default on the server of the test run. */
  database?: OwnDatabase;
};

/**
 * Prepares everything except the processes. Intervals are long, so that only the test triggers
 * work.
 */
export async function prepareProduct(options: ProductOptions = {}): Promise<Product> {
  const database =
    options.database === undefined ? await unopenedDatabase() : await ownDatabase(options.database);
  const shared =
    options.temporal === undefined
      ? await testTemporal({ isBare: options.bareTemporal ?? false })
      : undefined;
  const temporal = options.temporal ?? shared!;
  const emulator = await startEmulator({
    size: options.size ?? 'small',
    growth: options.growth ?? {},
  });
  const dataDir = await temporaryFolder('product');
  await shareWorkflowBundles(dataDir);
  const administrator = { email: 'chef@carte.test', password: randomBytes(12).toString('hex') };
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    ERP_URL: emulator.url,
    GEOCODER: 'photon',
    GEOCODER_URL: `${emulator.url}/photon`,
    ERP_RATE: 'off',
    ENCRYPTION_KEYS: `test@row:${randomBytes(32).toString('base64')}`,
    WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    CARTE_DATA_DIR: dataDir,
    COOKIE_SECURE: 'off',
    SHUTDOWN_DRAIN: '1ms',
    RATE_LIMIT_MENU: 'off',
    RATE_LIMIT_PUBLIC: 'off',
    RATE_LIMIT_SEARCH: 'off',
    RATE_LIMIT_SIGN_IN: 'off',
    RATE_LIMIT_MEDIA: 'off',
    RATE_LIMIT_ORDERING: 'off',
    RATE_LIMIT_NEW_CARTS: 'off',
    RATE_LIMIT_ADDRESSES: 'off',
    RATE_LIMIT_ADMIN: 'off',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    ...QUIET_SCHEDULES,
    ...(options.env?.['NODE_ENV'] === 'production' ? {} : TEST_CONSTANTS),
    ...options.env,
  };
  const started: Started[] = [];
  const start = (name: string, entry: string, args: string[], extra: NodeJS.ProcessEnv) => {
    const process = startEntry(name, entry, args, { ...env, ...extra });
    started.push(process);
    return process;
  };
  const db = await openDatabase({ url: database.url, applicationName: 'carte-test-product' });
  if (options.database?.isBare !== true) {
    await ensureRoles({ db });
    await ensureAdministrator({ db }, administrator);
  }

  const beginApi = async (extra: NodeJS.ProcessEnv) => {
    const port = extra['PORT'] ?? String(await freeLowPort());
    const opsPort = await freeLowPort();
    const process = start('api', 'api/main.ts', [], {
      ...extra,
      PORT: port,
      OPS_PORT: String(opsPort),
    });
    return {
      opsPort,
      api: { ...process, url: `http://127.0.0.1:${port}`, opsUrl: opsUrl(opsPort) },
    };
  };
  const worker = async (extra: NodeJS.ProcessEnv, role: string) => {
    const opsPort = await freeLowPort();
    return {
      opsPort,
      process: start('worker', 'workers/main.ts', [role], { ...extra, OPS_PORT: String(opsPort) }),
    };
  };
  return {
    db,
    emulator,
    temporal,
    dataDir,
    env,
    administrator,
    async startApi(extra = {}) {
      const { opsPort, api } = await beginApi(extra);
      await untilReadyOrGone(api, opsPort);
      return api;
    },
    startUnreadyApi: async (extra) => (await beginApi(extra)).api,
    async startWorker(extra = {}, role = 'all') {
      const { opsPort, process } = await worker(extra, role);
      await untilReadyOrGone(process, opsPort);
      return { ...process, opsUrl: opsUrl(opsPort) };
    },
    startDoomedWorker: async (extra) => (await worker(extra, 'all')).process,
    logs: () => started.map((entry) => entry.output()).join('\n'),
    async settled() {
      await eventually('every menu is built', async () => {
        const [row] = await db.query<{ left: number }>(
          `select (select count(*) from outbox where delivered_at is null)
                + (select count(*) from snapshot_request where dirty_seq > built_seq) as left`,
        );
        return row?.left === 0 ? true : undefined;
      });
      // The buffers of the API poll for published menus.
      await delay(2 * SNAPSHOT_POLL_MS);
    },
    signIn: (api) => adminClient(api.url, administrator.email, administrator.password),
    seed: (baseUrl) =>
      seedDemo({
        baseUrl,
        ...administrator,
        apiLogin: emulator.apiLogin,
        pictures: options.pictures ?? SMALL_PICTURES,
        log: () => undefined,
      }),
    async stop() {
      await Promise.all(started.map((entry) => entry.stop()));
      await emulator.stop();
      await db.close();
      await database.drop();
      await shared?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function ownDatabase({
  url,
  drop,
  isBare = false,
}: OwnDatabase): Promise<Omit<OwnDatabase, 'isBare'>> {
  if (isBare) return { url, drop };
  await migrateForApplication(url);
  return { url: asApplication(url), drop };
}

/** Shares a folder of workflow bundles between all runs. `dataDir` must exist. */
export async function shareWorkflowBundles(dataDir: string): Promise<void> {
  const shared = join(testCache, 'workflow-bundles');
  await mkdir(shared, { recursive: true });
  await symlink(shared, join(dataDir, 'workflow-bundles'));
}

function opsUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function untilReadyOrGone(process: Started, opsPort: number): Promise<void> {
  try {
    await untilReady(process, opsPort);
  } catch (error) {
    await process.kill();
    throw error;
  }
}

/** A product with the demo catalog, a worker and an API. */
export type DemoProduct = {
  product: Product;
  api: RunningApi;
  worker: RunningWorker;
  admin: AdminClient;
  menuId: string;
  organizationId: string;
};

/** Returns the second restaurant of the demo, which is open around the clock. */
export async function readAlwaysOpenRestaurant({
  emulator,
}: Pick<Product, 'emulator'>): Promise<string> {
  type Chain = { organizations: { id: string }[] };
  const { organizations } = await emulator.control<Chain>('state');
  return organizations[1]!.id;
}

export async function startDemoProduct(options: ProductOptions = {}): Promise<DemoProduct> {
  const product = await prepareProduct({ size: 'small', ...options });
  try {
    const [worker, api] = await Promise.all([product.startWorker(), product.startApi()]);
    await product.seed(api.url);
    await product.settled();
    const admin = await product.signIn(api);
    const state = await product.emulator.control<{
      menus: { id: string; organizationIds: string[] }[];
    }>('state');
    const [menu] = state.menus;
    const [organizationId] = menu?.organizationIds ?? [];
    if (menu === undefined || organizationId === undefined)
      throw new Error('the emulator has no menu');
    return { product, api, worker, admin, menuId: menu.id, organizationId };
  } catch (error) {
    await product.stop();
    throw error;
  }
}
