import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { prepareTemporal } from '../../platform/prepare-temporal.ts';
import type { Log } from '../../tools/guarded-process.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { startServer } from '../../tools/server.ts';
import type { Temporal } from '../../tools/temporal-server.ts';
import { requireProgram, type ProgramOptions } from './programs/programs.ts';

const run = promisify(execFile);

const STORES = {
  temporal: 'postgresql/v12/temporal',
  temporal_visibility: 'postgresql/v12/visibility',
} as const;

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
/** More shards serve more load, which tests do not need. */
const HISTORY_SHARDS = 4;
const namespace = 'default';
const RETENTION_MS = 86_400_000;

export type ProductionTemporalPrograms = { server: string; sql: string };

/**
 * Finds or builds Temporal's production server and schema tool.
 * @throws StartFailure if they are missing and cannot be built
 */
export async function resolveProductionTemporal(
  options: ProgramOptions,
): Promise<ProductionTemporalPrograms> {
  return {
    server: await requireProgram('temporal-server', options),
    sql: await requireProgram('temporal-sql-tool', options),
  };
}

/** A prepared server, whose databases have their schema. Each start uses the same ports. */
export type ProductionTemporal = {
  address: string;
  namespace: string;
  /**
   * Starts all services in one process. Resolves when the server answers and, unless `isBare`, has
   * the namespace with search attributes.
   * @throws StartFailure if the server does not start
   */
  start(): Promise<Temporal>;
};

/**
 * Prepares Temporal's production server with two new databases in a running PostgreSQL.
 * `databaseUrl` names its superuser and any database. `folder` receives the configuration, which
 * includes the password.
 */
export async function prepareProductionTemporal(options: {
  programs: ProductionTemporalPrograms;
  databaseUrl: string;
  /** True if the caller creates the namespace, and the databases for the user of `databaseUrl`. */
  isBare?: boolean;
  folder: string;
  log: Log;
}): Promise<ProductionTemporal> {
  const { programs, folder, log, isBare = false } = options;
  const database = new URL(options.databaseUrl);
  if (!isBare) await createSchemas(programs.sql, database);
  const ports = await choosePorts();
  await mkdir(join(folder, 'dynamicconfig'), { recursive: true });
  await writeFile(
    join(folder, 'development.yaml'),
    JSON.stringify(configuration(database, ports)),
    { mode: 0o600 },
  );

  const address = `127.0.0.1:${ports.frontend.grpcPort}`;

  return {
    address,
    namespace,
    async start() {
      const connection = Connection.lazy({
        address,
        channelArgs: {
          'grpc.initial_reconnect_backoff_ms': 50,
          'grpc.max_reconnect_backoff_ms': 200,
        },
      });

      try {
        const server = await startServer({
          program: "Temporal's server",
          command: programs.server,
          args: ['--root', folder, '--config', '.', '--env', 'development', 'start'],
          cwd: folder,
          log,
          graceSeconds: 5,
          probe: async () => (isBare ? answers(connection) : isPrepared(connection)),
          timeoutMs: 60_000,
        });

        return {
          address,
          uiUrl: undefined,
          namespace,
          pid: server.pid,
          exited: server.exited,
          stop: async () => void (await server.stop()),
        };
      } finally {
        await connection.close();
      }
    },
  };
}

async function createSchemas(
  sql: string,
  { hostname, port, username, password }: URL,
): Promise<void> {
  const server = [
    '--plugin',
    'postgres12',
    '--ep',
    hostname,
    '-p',
    port,
    '-u',
    decodeURIComponent(username),
  ];

  const env = { PATH: process.env['PATH'], SQL_PASSWORD: decodeURIComponent(password) };

  for (const [name, schema] of Object.entries(STORES)) {
    for (const step of [
      ['create-database'],
      ['setup-schema', '-v', '0.0'],
      ['update-schema', '--schema-name', schema],
    ])
      await run(sql, [...server, '--db', name, ...step], { env });
  }
}

type Ports = Record<(typeof SERVICES)[number], { grpcPort: number; membershipPort: number }> & {
  http: number;
};

async function choosePorts(): Promise<Ports> {
  const ports: Partial<Ports> = { http: await freeLowPort() };
  for (const service of SERVICES)
    ports[service] = { grpcPort: await freeLowPort(), membershipPort: await freeLowPort() };
  return ports as Ports;
}

/** JSON is valid YAML. */
function configuration({ host, username, password }: URL, { http, ...ports }: Ports): object {
  const store = (databaseName: keyof typeof STORES, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: host,
      connectProtocol: 'tcp',
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      maxConns,
      maxIdleConns: maxConns,
    },
  });

  const rpc = (service: (typeof SERVICES)[number]) => ({
    ...ports[service],
    bindOnLocalHost: true,
  });

  const { grpcPort } = ports.frontend;

  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      ...Object.fromEntries(SERVICES.map((service) => [service, { rpc: rpc(service) }])),
      frontend: { rpc: { ...rpc('frontend'), httpPort: http } },
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${grpcPort}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: `127.0.0.1:${grpcPort}` },
  };
}

/** Creates missing namespace and search attributes. Rejects until the server has them. */
async function isPrepared(connection: Connection): Promise<void> {
  await connection.withDeadline(Date.now() + 5_000, async () =>
    prepareTemporal(connection, { namespace, retentionMs: RETENTION_MS }),
  );
}

async function answers(connection: Connection): Promise<void> {
  await connection.withDeadline(Date.now() + 5_000, async () =>
    connection.workflowService.listNamespaces({ pageSize: 1 }),
  );
}
