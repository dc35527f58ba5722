import { importBasics, importMenu, mirrorWorld, type TestWorld } from './mirror.ts';
import { syncWorker, type SyncWorker } from './sync-worker.ts';
import { databaseNow, updateRows } from './rows.ts';

export type RunningImports = {
  world: TestWorld;
  sync: SyncWorker;
  menuId: number;
  workers: { stop(): Promise<void> };
};

/**
 * Starts a mirror with organizations and external menus (`menu: true` also imports the first menu),
 * and workers that import. Its events count as delivered: those of a new connection would start
 * imports concurrently with the test.
 */
export async function importingWorld(
  options: Parameters<typeof mirrorWorld>[0] & { menu?: boolean; delivers?: boolean } = {},
): Promise<RunningImports> {
  const { menu = false, delivers = true, ...mirror } = options;
  const world = await mirrorWorld(mirror);
  const sync = await syncWorker(world);
  const menuId = await importBasics(world);
  if (menu) await importMenu(world, menuId, 'FULL');
  await updateRows(world.db, 'outbox', { deliveredAt: databaseNow() });
  return { world, sync, menuId, workers: await sync.start({}, { delivers }) };
}

/** Stops {@link importingWorld}. */
export async function stopImportingWorld({ world, sync, workers }: RunningImports): Promise<void> {
  await workers.stop();
  await sync.close();
  await world.close();
}
