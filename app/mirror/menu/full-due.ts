import type { Database } from '../../../db/database.ts';

/** Our ids of the menus of a connection that are imported: listed by the ERP and switched on, by priority. */
export async function menusOfConnection(db: Database, connectionId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select menu.id from mirror_external_menu menu
       join external_menu_setting setting on setting.external_menu_id = menu.id and setting.is_enabled
      where menu.connection_id = $1 and menu.inactive_at is null order by setting.priority, menu.id`,
    [connectionId],
  );
  return rows.map((row) => row.id);
}

/**
 * Marks menus so that the run of each that starts next is full, whoever starts it (rule MIR-33): the nightly full import is not lost
 * to the run that happens to hold the lock. A second call changes nothing.
 */
export async function markFullDue(db: Database, externalMenuIds: readonly number[]): Promise<void> {
  await db.query('update mirror_external_menu set full_due = true where id = any ($1::bigint[]) and not full_due', [
    externalMenuIds,
  ]);
}
