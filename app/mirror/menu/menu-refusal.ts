import type { Sql } from '../../../db/database.ts';

/** Why a menu is not imported: the ERP no longer lists it, or staff have switched it off. */
export type MenuRefusal = 'MENU_INACTIVE' | 'MENU_DISABLED';

/** Why this menu must not be imported now; null when it may be. */
export async function menuRefusal(sql: Sql, externalMenuId: number): Promise<MenuRefusal | null> {
  const [menu] = await sql.query<{ isActive: boolean; isEnabled: boolean }>(
    `select menu.inactive_at is null as "isActive", setting.is_enabled as "isEnabled"
       from mirror_external_menu menu join external_menu_setting setting on setting.external_menu_id = menu.id
      where menu.id = $1`,
    [externalMenuId],
  );
  if (menu === undefined || !menu.isActive) return 'MENU_INACTIVE';
  return menu.isEnabled ? null : 'MENU_DISABLED';
}
