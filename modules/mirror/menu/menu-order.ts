import type { Tx, Sql } from '../../../platform/db/database.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

/** Selects live menus before menu $1 by priority number, then id. */
export const OUTRANKING_MENUS = `
  select live.external_menu_id from live_menu live join external_menu_setting own on own.external_menu_id = $1
   where (live.priority, live.external_menu_id) < (own.priority, own.external_menu_id)`;

export const LIVE_MEMBERSHIPS = `
  select membership.*, live.priority from mirror_item_menu membership join live_menu live using (external_menu_id)`;

/**
 * Returns the preceding menus that share an item, sorted. If they changed since the last import,
 * names must be resolved again, even at the same ERP revision. `items` is a query for item ids with
 * the menu as $1.
 */
export async function outrankingMenus(
  sql: Sql,
  externalMenuId: number,
  items = ITEMS_OF_MENU,
): Promise<number[]> {
  const rows = await textSql(sql).query<{ id: number }>(
    `select distinct other.external_menu_id as id from mirror_item_menu other
      where other.external_menu_id in (${OUTRANKING_MENUS}) and other.item_id in (${items}) order by id`,
    [externalMenuId],
  );

  return rows.map((row) => row.id);
}

const ITEMS_OF_MENU = 'select item_id from mirror_item_menu where external_menu_id = $1';

/**
 * Makes lower-ranked live menus resolve the names of shared items again if they were imported
 * without this menu. The caller has locked all shared items.
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
 * {@link clearOutrankedBy} for menus that are not live. Requires `seen_item`, and for a full run
 * `ended_item`.
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
