import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../test/support/text-database.ts';
import { toApiLogin } from '../../packages/erp-emulator/server.ts';
import { ALWAYS_OPEN } from '../../test/support/open-restaurant.ts';
import { startCustomerProvider } from '../../test/support/customer-provider.ts';
import {
  prepareProduct,
  type Product,
  type RunningApi,
  type RunningWorker,
} from '../../test/support/product.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { signIn } from '../../packages/demo/seed/admin-api.ts';
import { seedDemo } from '../../packages/demo/seed/seed.ts';
import { startPostgres } from '../../tools/postgres.ts';
import {
  prepareProductionTemporal,
  resolveProductionTemporal,
} from '../../packages/dev/production-temporal.ts';
import { cpuMs } from './cpu.ts';
import { selectRows } from '../../test/support/rows.ts';

const PATIENCE_MS = 45 * 60_000;
const POLL_MS = 1_000;

/** Unset variables, so that the product's defaults apply. */
const AS_IN_PRODUCTION = {
  LOG_LEVEL: 'warn',
  ERP_RATE: undefined,
  SYNC_LISTS_EVERY: undefined,
  SYNC_MENU_EVERY: undefined,
  SYNC_STOP_LIST_EVERY: undefined,
  ORDER_WATCH_EVERY: undefined,
  SNAPSHOT_DEBOUNCE: undefined,
  SNAPSHOT_DEBOUNCE_MAX: undefined,
  SNAPSHOT_POLL: undefined,
  OUTBOX_SWEEP_EVERY: undefined,
  RECONCILE_EVERY: undefined,
  RATE_LIMIT_WEBHOOK: 'off',
} as const;

const ROLES = ['sync', 'order', 'build'] as const;

const COUNTS_STATEMENTS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.track_utility': 'on',
};

const MOST_STATEMENTS = 25;

/**
 * A chain with two APIs, several workers, Temporal's production server and two PostgreSQL servers.
 */
export type Chain = {
  product: Product;
  apis: readonly RunningApi[];
  workers: readonly RunningWorker[];
  customersUrl: string;
  restartWorkers(env: NodeJS.ProcessEnv): Promise<void>;
  /** ERP ids of restaurants with a public menu. */
  restaurants: readonly string[];
  /** Minutes from the start until the last menu was public. */
  firstMinutes: number;
  /** CPU time of each part so far, ms. The emulator and the load generator run in this process. */
  processors(): Record<string, number>;
  /** Bytes of write-ahead log, connections and commits so far. */
  databases(): Promise<Record<'carte' | 'temporal', DatabaseUse>>;
  forgetStatements(): Promise<void>;
  /** The slowest statements of the product since the reset, including planning and waiting. */
  dearestStatements(): Promise<DearStatement[]>;
  /** History events of ended executions so far. */
  historyEvents(): Promise<number>;
  stopTemporal(): Promise<void>;
  startTemporal(): Promise<void>;
  stop(): Promise<void>;
};

export type DearStatement = {
  calls: number;
  planMs: number;
  executeMs: number;
  plans: number;
  rows: number;
  statement: string;
};

export type DatabaseUse = { walBytes: number; connections: number; commits: number };

/** Starts a chain with the demo catalog. `log` receives progress messages. */
export async function startChain(options: {
  restaurants: number;
  connections: number;
  log: (line: string) => void;
}): Promise<Chain> {
  const { log } = options;
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };

  try {
    const programs = await resolveProductionTemporal({ log });
    const folder = await temporaryFolder('bench-scale');
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const silent = () => undefined;
    const own = await startPostgres({
      dataDir: join(folder, 'carte'),
      log: silent,
      settings: COUNTS_STATEMENTS,
    });

    closing.push(() => own.stop());
    const theirs = await startPostgres({ dataDir: join(folder, 'temporal'), log: silent });
    closing.push(() => theirs.stop());
    const prepared = await prepareProductionTemporal({
      programs,
      databaseUrl: theirs.url,
      folder: join(folder, 'server'),
      log: silent,
    });

    let temporal = await prepared.start();
    closing.push(() => temporal.stop());

    const customers = await startCustomerProvider();
    closing.push(() => customers.stop());
    const product = await prepareProduct({
      size: 'demo',
      growth: { organizations: options.restaurants, accounts: options.connections },
      temporal: prepared,
      database: { url: await own.createDatabase('carte'), drop: async () => undefined },
      env: { ...AS_IN_PRODUCTION, ...customers.env },
    });

    closing.push(() => product.stop());
    const begun = performance.now();
    const workers: RunningWorker[] = [];
    const startWorkers = async (env: NodeJS.ProcessEnv) => {
      for (const role of ROLES) workers.push(await product.startWorker(env, role));
    };
    await startWorkers({});
    const apis = [await product.startApi(), await product.startApi()];
    await seed(product, apis[0]!.url, options.connections, log);
    const restaurants = await untilPublic(product, options.restaurants, log);
    const visibility = await openDatabase({
      url: Object.assign(new URL(theirs.url), { pathname: '/temporal_visibility' }).href,
      poolSize: 2,
    });

    closing.push(() => visibility.close());

    const statements = await openDatabase({ url: own.url, poolSize: 1 });
    closing.push(() => statements.close());
    await statements.query('create extension pg_stat_statements');

    const readUse = async (db: Product['db']): Promise<DatabaseUse> => {
      const [row] = await db.query<DatabaseUse>(
        `select pg_current_wal_lsn() - '0/0'::pg_lsn as "walBytes",
                (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
                (select sum(xact_commit) from pg_stat_database) as commits`,
      );

      const { walBytes, connections, commits } = row!;

      return {
        walBytes: Number(walBytes),
        connections: Number(connections),
        commits: Number(commits),
      };
    };

    return {
      product,
      apis,
      workers,
      customersUrl: customers.issuer,
      async restartWorkers(env) {
        await Promise.all(workers.splice(0).map((worker) => worker.stop()));
        await startWorkers(env);
      },
      restaurants,
      firstMinutes: (performance.now() - begun) / 60_000,
      processors: () => ({
        ...Object.fromEntries(apis.map(({ child }, at) => [`API ${at + 1}`, cpuMs(child.pid!)])),
        ...Object.fromEntries(
          workers.map(({ child }, at) => [`worker ${ROLES[at]}`, cpuMs(child.pid!)]),
        ),
        PostgreSQL: cpuMs(own.pid),
        Temporal: cpuMs(temporal.pid),
        "Temporal's PostgreSQL": cpuMs(theirs.pid),
        'emulator and load': (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
      }),
      databases: async () => ({
        carte: await readUse(product.db),
        temporal: await readUse(visibility),
      }),
      forgetStatements: () =>
        statements.query('select pg_stat_statements_reset()').then(() => undefined),
      dearestStatements: () =>
        statements.query<DearStatement>(
          `select calls, plans, rows, round(total_plan_time)::float as "planMs", round(total_exec_time)::float as "executeMs",
                  left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as statement
             from pg_stat_statements where dbid = (select oid from pg_database where datname = 'carte')
            order by total_plan_time + total_exec_time desc limit ${MOST_STATEMENTS}`,
        ),
      async historyEvents() {
        const [row] = await visibility.query<{ events: number }>(
          'select coalesce(sum(history_length), 0) as events from executions_visibility where history_length is not null',
        );
        return Number(row!.events);
      },
      stopTemporal: () => temporal.stop(),
      async startTemporal() {
        temporal = await prepared.start();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Seeds the demo on the first connection, adds other connections to the same catalog, then opens
 * all restaurants.
 */
async function seed(
  product: Product,
  baseUrl: string,
  connections: number,
  log: (line: string) => void,
) {
  const { administrator } = product;
  await seedDemo({
    baseUrl,
    ...administrator,
    apiLogin: toApiLogin(1),
    pictures: { side: 300, isShared: true },
    log,
  });

  const api = await signIn(baseUrl, administrator.email, administrator.password);
  const [entity] = await api.all<{ id: number }>('/legal-entities');

  for (let number = 2; number <= connections; number += 1)
    await api.post('/connections', {
      legalEntityId: entity!.id,
      name: `Connection ${number}`,
      apiLogin: toApiLogin(number),
    });

  const { organizations } = await product.emulator.control<{ organizations: unknown[] }>('state');
  await patiently('organizations', organizations.length, log, () =>
    count(product, 'mirror_organization'),
  );
  await openAll(product);
}

async function openAll({ db }: Product): Promise<void> {
  await db.query(
    `insert into ordering_schedule (organization_id, windows) select id, $1::jsonb from mirror_organization
         on conflict (organization_id) do update set windows = excluded.windows`,
    [JSON.stringify(ALWAYS_OPEN)],
  );

  await db.query(
    `insert into ordering_config (organization_id, delivery_enabled, pickup_enabled) select id, true, true from mirror_organization
         on conflict do nothing`,
  );

  await db.query(
    `update payment_method set availability =
       (select jsonb_agg(jsonb_build_object('organizationId', id, 'fulfillmentTypes', '["PICKUP"]'::jsonb)) from mirror_organization)
      where code = 'CASH'`,
  );
}

async function untilPublic(
  product: Product,
  restaurants: number,
  log: (line: string) => void,
): Promise<string[]> {
  await patiently('menus', restaurants, log, () => count(product, 'snapshot'));
  await patiently(
    'menus are up to date',
    restaurants,
    log,
    async () => restaurants - (await waiting(product)),
  );

  const rows = await selectRows(product.db, 'snapshot', ['organizationErpId as id']);

  return rows.map(({ id }) => id);
}

async function count({ db }: Product, table: 'mirror_organization' | 'snapshot'): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`);
  return Number(row!.count);
}

/** Counts outdated menus and undelivered events. */
async function waiting({ db }: Product): Promise<number> {
  const [row] = await db.query<{ left: number }>(
    `select (select count(*) from outbox where delivered_at is null)
          + (select count(*) from snapshot_request where dirty_seq > built_seq) as left`,
  );

  return Number(row!.left);
}

async function patiently(
  what: string,
  all: number,
  log: (line: string) => void,
  read: () => Promise<number>,
) {
  const deadline = performance.now() + PATIENCE_MS;
  let told = 0;

  for (;;) {
    const done = await read();
    if (done >= all) return;
    if (performance.now() > deadline)
      throw new Error(`only ${done} of ${all} ${what} after 45 minutes`);
    if (performance.now() - told > 20_000) {
      log(`${done} of ${all} ${what}`);
      told = performance.now();
    }

    await delay(POLL_MS);
  }
}
