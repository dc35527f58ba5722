import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Connection } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import {
  SEARCH_ATTRIBUTE_NAMES,
  SEARCH_ATTRIBUTES,
  type SearchAttributeName,
} from '../platform/pure/search-attributes.ts';
import type { Exit, GuardedProcess, Log } from './guarded-process.ts';
import { StartFailure } from '../platform/start-failure.ts';
import { claimPort } from './ports.ts';
import { startServer } from './server.ts';

export type TemporalOptions = {
  binary: string;
  /** Data are in memory by default. */
  dataDir?: string;
  /** A free port by default. */
  port?: number;
  /** No user interface by default. */
  uiPort?: number;
  log: Log;
  /** Uses more memory for fewer garbage collections, and loads new namespaces faster. */
  forTests?: boolean;
};

export type Temporal = {
  /** `host:port` of the gRPC frontend. */
  address: string;
  uiUrl: string | undefined;
  namespace: string;
  pid: number;
  /** Resolves when the server ends for any reason. */
  exited: Promise<Exit>;
  stop: () => Promise<void>;
};

const namespace = 'default';

/**
 * With its defaults, SQLite on a busy machine waits for the disk longer than Temporal's time-outs.
 * These settings may lose the last moments in a power failure, but PostgreSQL still has them.
 */
const QUICK_FILE = ['--sqlite-pragma=journal_mode=wal', '--sqlite-pragma=synchronous=normal'];

/** The default is every second, and a test run creates a hundred namespaces. */
const QUICK_NAMESPACES = ['--dynamic-config-value', 'system.namespaceCacheRefreshInterval="250ms"'];

/** Other programs may take the dozen ports that the server chooses. */
const TRIES = 3;

/**
 * Starts Temporal's development server on 127.0.0.1. Resolves when it answers gRPC and has the
 * search attributes. Retries if the server ends early, unless a port was requested.
 * @throws StartFailure if a port is in use or the server does not start
 */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { port, log } = options;
  for (let left = port === undefined ? TRIES : 1; ; left -= 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (left === 1 || !(error instanceof StartFailure)) throw error;
      log(`${error.message} It is started again.`);
    }
  }
}

async function startOnce(options: TemporalOptions): Promise<Temporal> {
  const { binary, dataDir, port, uiPort, log, forTests = false } = options;
  const frontendPort = await claimPort(
    port === undefined ? undefined : { program: 'Temporal', port },
  );
  const pagesPort =
    uiPort === undefined
      ? undefined
      : await claimPort({ program: "Temporal's user interface", port: uiPort });

  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true });

  const address = `127.0.0.1:${frontendPort}`;
  const connection = Connection.lazy({
    address,
    // gRPC would wait a second after the first failed connection.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 200 },
  });

  let server: GuardedProcess;

  try {
    server = await startServer({
      program: 'Temporal',
      command: binary,
      args: [
        'server',
        'start-dev',
        '--ip=127.0.0.1',
        `--port=${frontendPort}`,
        '--log-level=error',
        ...(forTests ? QUICK_NAMESPACES : []),
        ...(pagesPort === undefined ? ['--headless'] : [`--ui-port=${pagesPort}`]),
        ...(dataDir === undefined
          ? []
          : [`--db-filename=${join(resolve(dataDir), 'temporal.db')}`, ...QUICK_FILE]),
        ...SEARCH_ATTRIBUTE_NAMES.map((name) => `--search-attribute=${name}=${typeName(name)}`),
      ],
      log,
      env: forTests ? { ...process.env, GOGC: '400' } : process.env,
      graceSeconds: 5,
      probe: async () => probe(connection),
      timeoutMs: 30_000,
    });
  } finally {
    await connection.close();
  }

  return {
    address,
    uiUrl: pagesPort === undefined ? undefined : `http://127.0.0.1:${pagesPort}`,
    namespace,
    pid: server.pid,
    exited: server.exited,
    async stop() {
      await server.stop();
    },
  };
}

/** Returns the name of the type for the command line, such as `KeywordList`. */
const typeName = (name: SearchAttributeName): string =>
  TypedSearchAttributes.toMetadataType(SEARCH_ATTRIBUTES[name]);

/** Rejects until the server answers requests for the namespace and has all search attributes. */
async function probe(connection: Connection): Promise<void> {
  await connection.withDeadline(Date.now() + 1_000, async () => {
    await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace,
    });
    const missing = SEARCH_ATTRIBUTE_NAMES.find((name) => !(name in customAttributes));
    if (missing !== undefined)
      throw new Error(`the search attribute ${missing} is not registered yet`);
  });
}
