import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from './memory-folder.ts';
import { startPostgres } from '../../tools/postgres.ts';
import { resolveTemporal } from '../../tools/temporal-binary.ts';
import { startTemporal } from '../../tools/temporal-server.ts';

export type TestServers = { env: NodeJS.ProcessEnv; stop: () => Promise<void> };

/** Several times the largest size of all test databases and the log. */
const POSTGRES_BYTES = 2 * 2 ** 30;

/**
 * Starts PostgreSQL and Temporal with temporary data, which test files find by TEST_DATABASE_URL
 * and TEST_TEMPORAL_ADDRESS. If one fails to start, stops both.
 */
export async function startTestServers(folder: string, signal: AbortSignal): Promise<TestServers> {
  const { TEMPORAL_ADDRESS: _otherServer, ...env } = process.env;
  const temporal = await resolveTemporal({ env, log: (line) => console.log(line), signal });
  if (temporal.kind !== 'binary') throw new Error('without TEMPORAL_ADDRESS a binary is resolved');
  const quiet = (): void => undefined;
  // A test database consists of 650 small files. In memory, copying it takes a tenth of the time.
  const dataDir = (await memoryFolder('test-postgres', POSTGRES_BYTES)) ?? join(folder, 'postgres');
  const database = await startPostgres({
    dataDir,
    durable: false,
    temporary: true,
    log: quiet,
  }).catch(async (error) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });

  try {
    const workflows = await startTemporal({ binary: temporal.path, forTests: true, log: quiet });
    return {
      env: { ...env, TEST_DATABASE_URL: database.url, TEST_TEMPORAL_ADDRESS: workflows.address },
      stop: async () => void (await Promise.all([database.stop(), workflows.stop()])),
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
