import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../modules/own-database.ts';
import { describeSchema } from '../../../platform/db/describe-schema.ts';
import { migrateUp } from '../../../platform/db/migrate.ts';
import { startPostgres } from '../../../tools/postgres.ts';

/**
 * `npm run carte -- generate schema`: migrates an empty database and writes the resulting schema.
 * Commit it with every migration.
 */
const folder = await mkdtemp(join(tmpdir(), 'carte-schema-'));

const server = await startPostgres({
  dataDir: folder,
  durable: false,
  temporary: true,
  log: () => undefined,
});

try {
  const db = await openDatabase({ url: await server.createDatabase('snapshot') });
  await migrateUp(db);
  const file = new URL('../../../migrations/schema.snapshot.json', import.meta.url);
  await writeFile(file, `${JSON.stringify(await describeSchema(db), null, 2)}\n`);
  await db.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
