import { rm } from 'node:fs/promises';
import { startPostgres } from '../../tools/postgres.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

/** Starts a PostgreSQL with disk flushes, as in production. `drop` stops it. */
export async function durableDatabase(): Promise<{
  url: string;
  pid: number;
  drop: () => Promise<void>;
}> {
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
