import { anyOf, type Database } from '../../../platform/db/database.ts';

/** Our ids of the live menus of a connection, by priority. */
export async function menusOfConnection({ db }: Database, connectionId: number): Promise<number[]> {
  const menus = await db
    .selectFrom('live_menu')
    .select('externalMenuId')
    .where('connectionId', '=', connectionId)
    .orderBy('priority')
    .orderBy('externalMenuId')
    .execute();
  return menus.map((menu) => menu.externalMenuId);
}

/**
 * Marks menus so that their next run is full, independent of its starter: the nightly full import
 * is not lost to a run that holds the lock. A second call changes nothing.
 */
export async function markFullDue({ db }: Database, externalMenuIds: readonly number[]): Promise<void> {
  await db
    .updateTable('mirror_external_menu')
    .set({ fullDue: true })
    .where('id', '=', anyOf(externalMenuIds))
    .where('fullDue', '=', false)
    .execute();
}
