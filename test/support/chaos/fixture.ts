import { Client, Connection } from '@temporalio/client';
import { freePort } from '../../../tools/ports.ts';
import type { ProductionTemporalPrograms } from '../../../packages/dev/production-temporal.ts';
import { prepareProduct, QUICK_RECOVERY, type Product } from '../product.ts';
import type { Dice } from './dice.ts';
import { startChaosServers } from './servers.ts';
import { startSilentProxy, type SilentProxy } from './silent-proxy.ts';
import { supervise, type Part, type Runnable } from './supervise.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { asApplication } from '../database-roles.ts';

export type Kills = {
  killsEach: number;
  /** Milliseconds. */
  pauseMs: readonly [number, number];
  downMs: readonly [number, number];
  log: (line: string) => void;
};

/** The product as real processes, which can be killed and disconnected. */
export type ChaosProduct = {
  product: Product;
  apiUrl: string;
  api: Part;
  postgres: Part;
  temporal: Part;
  client: Client;
  ways: { database: SilentProxy; erp: SilentProxy };
  /** Starts another supervised worker. `extra` is read at each start. */
  superviseWorker(name: string, extra: () => NodeJS.ProcessEnv): Part;
  superviseApi(name: string): Promise<{ part: Part; url: string }>;
  seeded(): Promise<void>;
  stop(): Promise<void>;
};

/** With a longer time-out, statements would delay a test after a silent cut. */
const API_ENV = { DATABASE_STATEMENT_TIMEOUT: '3s' };

/** Starts everything except workers. */
export async function startChaosFixture(
  programs: ProductionTemporalPrograms,
  env: NodeJS.ProcessEnv,
): Promise<ChaosProduct> {
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const servers = await startChaosServers(programs);
    closing.push(() => servers.stop());
    const ways = { database: await startSilentProxy(), erp: await startSilentProxy() };
    closing.push(
      () => ways.database.close(),
      () => ways.erp.close(),
    );
    const database = new URL(servers.databaseUrl);
    ways.database.leadTo(database.hostname, Number(database.port));
    const product = await prepareProduct({
      database: { url: servers.databaseUrl, drop: async () => undefined },
      temporal: servers.temporalAddress,
      env: {
        ...QUICK_RECOVERY,
        DATABASE_URL: Object.assign(new URL(asApplication(database.href)), {
          host: `127.0.0.1:${ways.database.port}`,
        }).href,
        ERP_URL: `http://127.0.0.1:${ways.erp.port}`,
        WEBHOOK_PRIVATE_RECEIVERS: 'on',
        ...env,
      },
    });
    closing.push(() => product.stop());
    const erp = new URL(product.emulator.url);
    ways.erp.leadTo(erp.hostname, Number(erp.port));
    const superviseApi: ChaosProduct['superviseApi'] = async (name) => {
      const port = await freePort();
      const part = supervise(name, () =>
        node(product.startApi({ ...API_ENV, PORT: String(port) })),
      );
      closing.push(() => part.stop());
      return { part, url: `http://127.0.0.1:${port}` };
    };
    const { part: api, url: apiUrl } = await superviseApi('api');
    const connection = Connection.lazy({ address: servers.temporalAddress.address });
    closing.push(() => connection.close());
    let seeding: Promise<void> | undefined;
    return {
      product,
      apiUrl,
      api,
      postgres: servers.postgres,
      temporal: servers.temporal,
      client: new Client({ connection, namespace: servers.temporalAddress.namespace }),
      ways,
      superviseApi,
      superviseWorker: (name, extra) => supervise(name, () => node(product.startWorker(extra()))),
      seeded: () => (seeding ??= api.up().then(() => product.seed(apiUrl))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function node(
  start: Promise<{
    child: { pid?: number | undefined };
    exited: Promise<unknown>;
    stop(): Promise<unknown>;
  }>,
): Promise<Runnable> {
  const started = await start;
  return { pid: started.child.pid!, exited: started.exited, stop: () => started.stop() };
}

/** Kills each part `times` times, in random order. */
export async function killEverything(
  { killsEach, pauseMs, downMs, log }: Kills,
  dice: Dice,
  parts: readonly Part[],
): Promise<void> {
  const order = dice.shuffled(
    parts.flatMap((part) => Array.from({ length: killsEach }, () => part)),
  );
  for (const [at, part] of order.entries()) {
    // One in four kills comes before the previous part has restarted.
    if (dice.roll() >= 0.25) {
      await delay(dice.between(...pauseMs));
      for (const entry of parts) await entry.up();
    }
    await part.kill(dice.between(...downMs));
    if ((at + 1) % 10 === 0) log(`${at + 1} of ${order.length} kills`);
  }
}
