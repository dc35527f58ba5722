import { anyOf, type Database } from '../../../platform/db/database.ts';

/** Returns the ids of a connection's live menus by priority. */
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
 * Makes the next run of these menus full, also if it is not the nightly one, so that a run that
 * holds the lock cannot swallow the nightly import. Idempotent.
 */
export async function markFullDue(
  { db }: Database,
  externalMenuIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('mirror_external_menu')
    .set({ fullDue: true })
    .where('id', '=', anyOf(externalMenuIds))
    .where('fullDue', '=', false)
    .execute();
}
