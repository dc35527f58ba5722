import type { Tx, Sql } from '../../../platform/db/database.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

/**
 * Live menus that come before external menu $1: with a lower priority, or with the same one and a
 * lower id.
 */
export const OUTRANKING_MENUS = `
  select live.external_menu_id from live_menu live join external_menu_setting own on own.external_menu_id = $1
   where (live.priority, live.external_menu_id) < (own.priority, own.external_menu_id)`;

/** Memberships in live menus. */
export const LIVE_MEMBERSHIPS = `
  select membership.*, live.priority from mirror_item_menu membership join live_menu live using (external_menu_id)`;

/**
 * Ids of the menus that come before this one and share an item with it, in order. When they are
 * others than at the last import, because of a priority, a switch or the ERP's list, names must be
 * resolved again although the ERP's revision is the same. `items`: a select of item ids, which may
 * name the menu as $1.
 */
export async function outrankingMenus(sql: Sql, externalMenuId: number, items = ITEMS_OF_MENU): Promise<number[]> {
  const rows = await textSql(sql).query<{ id: number }>(
    `select distinct other.external_menu_id as id from mirror_item_menu other
      where other.external_menu_id in (${OUTRANKING_MENUS}) and other.item_id in (${items}) order by id`,
    [externalMenuId],
  );
  return rows.map((row) => row.id);
}

const ITEMS_OF_MENU = 'select item_id from mirror_item_menu where external_menu_id = $1';

/**
 * Clears the stored better menus of live menus that rank below this one and were last imported
 * without it: it has just named their shared items. Their next run resolves the names again, even
 * if this menu has lost its rank by then. The caller has the locks of all shared items, so no
 * import of such a menu is between its reading and its commit.
 */
export async function clearOutrankedBy(tx: Tx, externalMenuId: number): Promise<void> {
  await textSql(tx).execute(
    `update mirror_external_menu other set outranked_by = null
       from live_menu live join external_menu_setting own on own.external_menu_id = $1
      where other.id = live.external_menu_id and (live.priority, live.external_menu_id) > (own.priority, own.external_menu_id)
        and other.outranked_by is not null and $1 <> all (other.outranked_by)
        and exists (select 1 from mirror_item_menu mine join mirror_item_menu theirs using (item_id)
                     where mine.external_menu_id = $1 and theirs.external_menu_id = other.id)`,
    [externalMenuId],
  );
}

/**
 * Clears the same of menus that are not live and contain an item that this run has named or ended:
 * when they are live again, their next run requests everything, because the item may be deleted or
 * renamed since. Needs `seen_item`, and `ended_item` of a full run.
 */
export async function clearOutrankedByOfAbsent(tx: Tx, isFull: boolean): Promise<void> {
  await textSql(tx).execute(
    `update mirror_external_menu other set outranked_by = null
      where other.outranked_by is not null
        and not exists (select 1 from live_menu live where live.external_menu_id = other.id)
        and exists (select 1 from mirror_item_menu theirs where theirs.external_menu_id = other.id
                     and theirs.item_id in (select item_id from seen_item${isFull ? ' union all select item_id from ended_item' : ''}))`,
  );
}
