import type { Vanished } from '../rules/shrink.ts';
import type { MergeContext } from './merge-context.ts';
import { LIVE_MEMBERSHIPS } from './menu-order.ts';
import { deleteGroups } from './merge-modifiers.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

/**
 * Counts the menu's items by role, and those missing in the response. Requires the `new_…` tables.
 */
export async function countVanished({ tx, externalMenuId }: MergeContext): Promise<Vanished[]> {
  return textSql(tx).query<Vanished>(
    `select item.role, count(*) as before,
            count(*) filter (where new.erp_id is null
                               and item.id not in (select item_id from unread_item)) as vanished
       from mirror_item_menu membership join mirror_item item on item.id = membership.item_id
       left join new_item new on new.erp_id = item.erp_id and new.role = item.role
      where membership.external_menu_id = $1 group by item.role`,
    [externalMenuId],
  );
}

/**
 * Deletes rows that a full run lacks (MIR-11). Items and sizes (BND-25) are soft-deleted with their
 * last membership in a live menu; until then, the best remaining menu names them. Sizes and prices
 * are kept in case they return.
 */
export async function deleteVanished(
  context: MergeContext,
): Promise<{ items: number; touched: number }> {
  const { tx, runId, externalMenuId, startedAt } = context;
  const text = textSql(tx);
  const ofMenu = 'external_menu_id = $1 and synchronized_run <> $2';
  const marks = [externalMenuId, runId];
  await markUnread(context);
  let touched = 0;
  touched += await text.execute(deleteGroups(ofMenu), marks);
  touched += await text.execute(
    `with ended as (delete from mirror_size_menu where ${ofMenu} returning item_size_id, synchronized_run)
     update mirror_item_size size set deleted_at = $3, last_run = ended.synchronized_run from ended
      where size.id = ended.item_size_id and size.deleted_at is null
        and not exists (select 1 from mirror_size_menu other join live_menu live using (external_menu_id)
                         where other.item_size_id = size.id and other.external_menu_id <> $1)`,
    [...marks, startedAt],
  );

  touched += await text.execute(
    `delete from mirror_item_placement place using mirror_menu_category category
      where category.id = place.menu_category_id and category.external_menu_id = $1 and place.synchronized_run <> $2`,
    marks,
  );

  touched += await text.execute(`delete from mirror_menu_category where ${ofMenu}`, marks);
  await text.query(
    'create temporary table ended_item (item_id bigint primary key, run_id bigint not null) on commit drop',
  );
  touched += await text.execute(
    `with ended as (delete from mirror_item_menu where ${ofMenu} returning item_id, synchronized_run)
     insert into ended_item select item_id, synchronized_run from ended`,
    marks,
  );

  // Without statistics, the planner expects 1,000 rows and joins all memberships of all menus.
  await text.query('analyze ended_item');
  const items = await text.execute(
    `with dead as (
       select item.id, ended.run_id from mirror_item item join ended_item ended on ended.item_id = item.id
        where item.deleted_at is null and not exists (${LIVE_MEMBERSHIPS} where membership.item_id = item.id)
        order by item.id for no key update of item)
     update mirror_item item set deleted_at = $1, last_run = dead.run_id from dead where item.id = dead.id`,
    [startedAt],
  );

  await text.execute(
    `with renamed as (
       select distinct on (item.id) item.id, membership.name, membership.description
         from ended_item ended join mirror_item item on item.id = ended.item_id and item.deleted_at is null
         join (${LIVE_MEMBERSHIPS}) membership on membership.item_id = item.id
        order by item.id, membership.priority, membership.external_menu_id)
     update mirror_item item set name = renamed.name, description = renamed.description, synchronized_at = $1
       from renamed where item.id = renamed.id
        and (item.name, item.description) is distinct from (renamed.name, renamed.description)`,
    [startedAt],
  );

  return { items, touched };
}

/**
 * Keeps offers of restaurants that were rejected or held back (MIR-70), and items of unreadable
 * rows (MIR-71).
 */
async function markUnread({
  tx,
  runId,
  externalMenuId,
  organizationIds,
  heldBackIds,
}: MergeContext): Promise<void> {
  const text = textSql(tx);
  const marks = [externalMenuId, runId];
  const ofUnread =
    'item_size_id in (select id from mirror_item_size where item_id in (select item_id from unread_item))';
  const ofMenu = 'external_menu_id = $1 and synchronized_run <> $2';
  await text.execute(
    `update mirror_item_menu set synchronized_run = $2 where ${ofMenu} and item_id in (select item_id from unread_item)`,
    marks,
  );

  await text.execute(
    `update mirror_size_menu set synchronized_run = $2 where ${ofMenu} and ${ofUnread}`,
    marks,
  );

  await text.execute(
    `update mirror_modifier_group set synchronized_run = $2 where ${ofMenu} and ${ofUnread}`,
    marks,
  );

  const count = await text.execute(
    `update mirror_size_menu membership set synchronized_run = $2
       from mirror_price price
      where membership.external_menu_id = $1 and membership.synchronized_run <> $2
        and price.external_menu_id = $1 and price.item_size_id = membership.item_size_id and price.lost_at is null
        and (price.organization_id = any ($3::bigint[]) or price.organization_id in (
          select organization_id from refused_organization
           where job = 'MENU' and external_menu_id = $1 and organization_id <> all ($4::bigint[])))`,
    [...marks, heldBackIds, organizationIds],
  );

  const [unread] = await text.query<{ count: number }>('select count(*) as count from unread_item');
  if (count + unread!.count === 0) return;
  await text.execute(
    `update mirror_item_menu set synchronized_run = $2
      where ${ofMenu} and item_id in (
        select size.item_id from mirror_size_menu stated join mirror_item_size size on size.id = stated.item_size_id
         where stated.external_menu_id = $1 and stated.synchronized_run = $2)`,
    marks,
  );

  await text.execute(
    `update mirror_item_placement place set synchronized_run = $2
       from mirror_menu_category category, mirror_item_menu stated
      where category.id = place.menu_category_id and category.external_menu_id = $1 and place.synchronized_run <> $2
        and stated.external_menu_id = $1 and stated.synchronized_run = $2 and stated.item_id = place.item_id
        and (place.item_id in (select item_id from unread_item)
             or not exists (select 1 from mirror_item_placement seen join mirror_menu_category own on own.id = seen.menu_category_id
                             where seen.item_id = place.item_id and own.external_menu_id = $1 and seen.synchronized_run = $2))`,
    marks,
  );

  await text.execute(
    `update mirror_menu_category set synchronized_run = $2
      where ${ofMenu} and id in (select menu_category_id from mirror_item_placement where synchronized_run = $2)`,
    marks,
  );

  await text.execute(
    `update mirror_modifier_group set synchronized_run = $2
      where ${ofMenu} and item_size_id not in (select item_size_id from seen_size)
        and item_size_id in (select item_size_id from mirror_size_menu
                              where external_menu_id = $1 and synchronized_run = $2)`,
    marks,
  );
}
