import { join } from 'node:path';
import { startPostgres } from './postgres.ts';
import { resolveTemporal } from './temporal-binary.ts';
import { startTemporal } from './temporal-server.ts';

/** The servers of one run of tests: where they are, as environment, and their end. */
export type TestServers = { env: NodeJS.ProcessEnv; stop: () => Promise<void> };

/**
 * Starts a PostgreSQL and a Temporal of the run's own on free ports, with throw-away data in `folder`, whatever the environment
 * says about others. Test files find them in TEST_DATABASE_URL and TEST_TEMPORAL_ADDRESS. Stops what it has started when it fails.
 */
export async function startTestServers(folder: string, signal: AbortSignal): Promise<TestServers> {
  const { TEMPORAL_ADDRESS: _otherServer, ...env } = process.env;
  const temporal = await resolveTemporal({ env, log: (line) => console.log(line), signal });
  if (temporal.kind !== 'binary') throw new Error('without TEMPORAL_ADDRESS a binary is resolved');
  const quiet = (): void => undefined;
  const database = await startPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    temporary: true,
    log: quiet,
  });
  try {
    const workflows = await startTemporal({ binary: temporal.path, roomy: true, log: quiet });
    return {
      env: { ...env, TEST_DATABASE_URL: database.url, TEST_TEMPORAL_ADDRESS: workflows.address },
      stop: async () => void (await Promise.all([database.stop(), workflows.stop()])),
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
