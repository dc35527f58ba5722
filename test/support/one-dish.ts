import type { SnapshotDeps } from '../../modules/menus/snapshot/build-snapshot.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { migratedDatabase } from './database.ts';
import { menuRows, type MenuRows } from './menu-rows.ts';
import { deleteRows, updateRows } from './rows.ts';

export async function snapshotTables(): Promise<{
  database: Awaited<ReturnType<typeof migratedDatabase>>;
  rows: MenuRows;
  deps: SnapshotDeps;
}> {
  const database = await migratedDatabase();
  const log = createLog({ service: 'test', level: 'silent' });
  return {
    database,
    rows: menuRows(database.db),
    deps: { db: database.db, log, metrics: createMetrics('test') },
  };
}

/** Adds a restaurant with one dish for 250 rubles. Archives products of earlier tests. */
export async function oneDish({
  database,
  rows,
}: Pick<Awaited<ReturnType<typeof snapshotTables>>, 'database' | 'rows'>): Promise<{
  place: Awaited<ReturnType<MenuRows['restaurant']>>;
  dish: Awaited<ReturnType<MenuRows['dish']>>;
}> {
  await updateRows(database.db, 'catalog_product', { status: 'ARCHIVED' });
  await deleteRows(database.db, 'setting');
  const place = await rows.restaurant();
  return { place, dish: await rows.dish({ ...place, prices: { [place.organizationId]: 25_000 } }) };
}
