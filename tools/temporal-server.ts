import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { SetupFailure } from './failure.ts';
import { startGuarded } from './guarded-process.ts';
import type { Exit, GuardedProcess, Log } from './guarded-process.ts';
import { claimPort } from './ports.ts';

export type TemporalOptions = {
  binary: string;
  /** Folder of the state; in memory when left out. */
  dataDir?: string;
  /** A free one when left out. */
  port?: number;
  /** No user interface when left out. */
  uiPort?: number;
  log: Log;
};

export type Temporal = {
  /** host:port of the gRPC frontend. */
  address: string;
  uiUrl: string | undefined;
  namespace: string;
  pid: number;
  /** Settles when the server has ended for any reason. */
  exited: Promise<Exit>;
  stop: () => Promise<void>;
};

const namespace = 'default';
const startTimeoutMs = 30_000;

/**
 * Starts Temporal's development server on 127.0.0.1 and returns when it answers gRPC and knows the search attributes.
 * @throws SetupFailure with one sentence when a port is in use or the server does not come up.
 */
export async function startTemporal({ binary, dataDir, port, uiPort, log }: TemporalOptions): Promise<Temporal> {
  const frontendPort = await claimPort('Temporal', port);
  const pagesPort = uiPort === undefined ? undefined : await claimPort("Temporal's user interface", uiPort);
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true });

  const lastLines: string[] = [];
  const server = await startGuarded({
    command: binary,
    args: [
      'server',
      'start-dev',
      '--ip=127.0.0.1',
      `--port=${frontendPort}`,
      '--log-level=error',
      ...(pagesPort === undefined ? ['--headless'] : [`--ui-port=${pagesPort}`]),
      ...(dataDir === undefined ? [] : [`--db-filename=${join(resolve(dataDir), 'temporal.db')}`]),
      ...SEARCH_ATTRIBUTES.map((name) => `--search-attribute=${name}=Keyword`),
    ],
    output: (line) => {
      lastLines.push(line);
      lastLines.splice(0, lastLines.length - 5);
      log(line);
    },
    graceSeconds: 5,
  });
  const address = `127.0.0.1:${frontendPort}`;
  await waitUntilReady(server, address, () => lastLines.join('\n'));

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

async function waitUntilReady(server: GuardedProcess, address: string, output: () => string): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const connection = Connection.lazy({
    address,
    // gRPC would wait a whole second after the first refused connection.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 200 },
  });
  const deadline = Date.now() + startTimeoutMs;
  try {
    for (;;) {
      if (ended) throw new SetupFailure(`Temporal ended during its start: ${output()}`);
      const problem = await missingAttribute(connection).catch((error: unknown) => error);
      if (problem === undefined) return;
      if (Date.now() > deadline) {
        await server.stop();
        throw new SetupFailure(`Temporal did not become ready within ${startTimeoutMs / 1000} s: ${output()}`, {
          cause: problem,
        });
      }
      await delay(50);
    }
  } finally {
    await connection.close();
  }
}

/** The first search attribute the server does not know yet; rejects while the server cannot be asked. */
async function missingAttribute(connection: Connection): Promise<string | undefined> {
  await connection.withDeadline(Date.now() + 2_000, async () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  const { customAttributes } = await connection.withDeadline(Date.now() + 2_000, async () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return SEARCH_ATTRIBUTES.find((name) => !(name in customAttributes));
}
