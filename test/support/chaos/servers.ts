import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, type Postgres } from '../../../tools/postgres.ts';
import { freePort } from '../../../tools/ports.ts';
import {
  prepareProductionTemporal,
  type ProductionTemporalPrograms,
} from '../../../packages/dev/production-temporal.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { supervise, type Part } from './supervise.ts';

export type ChaosServers = {
  postgres: Part;
  temporal: Part;
  databaseUrl: string;
  temporalAddress: { address: string; namespace: string };
  stop(): Promise<void>;
};

const silent = (): void => undefined;

/** Starts PostgreSQL and Temporal with fsync, so that a kill loses no committed data. */
export async function startChaosServers(
  programs: ProductionTemporalPrograms,
): Promise<ChaosServers> {
  const folder = await temporaryFolder('chaos');
  const port = await freePort();
  let latest: Postgres | undefined;
  const postgres = supervise('postgres', async () => {
    latest = await startPostgres({ dataDir: join(folder, 'postgres'), port, log: silent });
    return latest;
  });
  await postgres.up();
  if (latest === undefined) throw new Error('PostgreSQL is up and unknown');
  const databaseUrl = await (latest as Postgres).createDatabase('carte');
  const prepared = await prepareProductionTemporal({
    programs,
    databaseUrl,
    folder: join(folder, 'temporal'),
    log: silent,
  });
  const temporal = supervise('temporal', () => prepared.start());
  await temporal.up();
  return {
    postgres,
    temporal,
    databaseUrl,
    temporalAddress: { address: prepared.address, namespace: prepared.namespace },
    async stop() {
      await temporal.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
