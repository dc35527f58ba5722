import { importBasics, importMenu, mirrorFixture, type TestFixture } from './mirror.ts';
import { syncWorker, type SyncWorker } from './sync-worker.ts';
import { databaseNow, updateRows } from './rows.ts';

export type RunningImports = {
  fixture: TestFixture;
  sync: SyncWorker;
  menuId: number;
  workers: { stop(): Promise<void> };
};

/**
 * Starts a mirror and workers that import. Marks its events as delivered, because events of a new
 * connection would start imports.
 */
export async function importingFixture(
  options: Parameters<typeof mirrorFixture>[0] & { menu?: boolean; delivers?: boolean } = {},
): Promise<RunningImports> {
  const { menu = false, delivers = true, ...mirror } = options;
  const fixture = await mirrorFixture(mirror);
  const sync = await syncWorker(fixture);
  const menuId = await importBasics(fixture);
  if (menu) await importMenu(fixture, menuId, 'FULL');
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  return { fixture, sync, menuId, workers: await sync.start({}, { delivers }) };
}

export async function stopImportingFixture({
  fixture,
  sync,
  workers,
}: RunningImports): Promise<void> {
  await workers.stop();
  await sync.close();
  await fixture.close();
}
