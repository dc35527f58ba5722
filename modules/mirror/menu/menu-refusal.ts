import type { Sql } from '../../../platform/db/database.ts';

/** Why a menu is not imported: the ERP no longer lists it, or staff have switched it off. */
export type MenuRefusal = 'MENU_INACTIVE' | 'MENU_DISABLED';

/** Why this menu must not be imported now; null when it may be. */
export async function menuRefusal({ db }: Sql, externalMenuId: number): Promise<MenuRefusal | null> {
  const menu = await db
    .selectFrom('mirror_external_menu as menu')
    .leftJoin('enabled_menu as enabled', 'enabled.externalMenuId', 'menu.id')
    .select(['menu.inactiveAt', 'enabled.externalMenuId as enabledId'])
    .where('menu.id', '=', externalMenuId)
    .executeTakeFirst();
  if (menu === undefined || menu.inactiveAt !== null) return 'MENU_INACTIVE';
  return menu.enabledId === null ? 'MENU_DISABLED' : null;
}
