import { importBasics, importMenu, mirrorWorld, type TestWorld } from './mirror.ts';
import { syncWorker, type SyncWorker } from './sync-worker.ts';
import { databaseNow, updateRows } from './rows.ts';

export type RunningImports = {
  world: TestWorld;
  sync: SyncWorker;
  menuId: number;
  /** The running workers; a test may stop them and start others. */
  workers: { stop(): Promise<void> };
};

/**
 * A mirror with its organizations and external menus (and with `menu: true` its first menu), and
 * workers that import into it. Its events count as delivered: those of the new connection would
 * start imports concurrently with those of the tests.
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

/** Ends what {@link importingWorld} started. */
export async function stopImportingWorld({ world, sync, workers }: RunningImports): Promise<void> {
  await workers.stop();
  await sync.close();
  await world.close();
}
