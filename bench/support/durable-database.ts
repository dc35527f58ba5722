import { rm } from 'node:fs/promises';
import { startPostgres } from '../../tools/postgres.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

/**
 * A PostgreSQL of its own that waits for the disk at every commit, as in production: the servers of
 * tests do not. `drop` ends it.
 */
export async function durableDatabase(): Promise<{ url: string; pid: number; drop: () => Promise<void> }> {
  const dataDir = await temporaryFolder('bench-postgres');
  const postgres = await startPostgres({ dataDir, temporary: true, log: () => undefined });
  return {
    url: await postgres.createDatabase('carte'),
    pid: postgres.pid,
    async drop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
