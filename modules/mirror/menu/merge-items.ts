import type { MergeContext } from './merge-context.ts';
import { LIVE_MEMBERSHIPS, OUTRANKING_MENUS, outrankingMenus } from './menu-order.ts';
import { differs, mergeRows, temporary, type Merged } from './merge-rows.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

const COLUMNS = [
  'name',
  'description',
  'sku',
  'type',
  'order_item_type',
  'measure_unit',
  'product_category_erp_id',
  'allergens',
  'labels',
] as const;

/**
 * Upserts dishes and global modifiers, with memberships and placements (MIR-7). Creates
 * `seen_item`: items with our id and `is_owner`. Only the first menu that lists an item sets its
 * name, so that names do not alternate.
 */
export async function mergeItems(
  context: MergeContext,
): Promise<{ items: Merged; memberships: Merged; placements: Merged; outrankedBy: number[] }> {
  const { tx, runId, externalMenuId, startedAt, isFull } = context;
  const text = textSql(tx);
  const created = await text.execute(
    `insert into mirror_item (erp_id, role, ${COLUMNS.join(', ')}, first_seen_at, synchronized_at)
     select new.erp_id, new.role, ${COLUMNS.map((name) => `new.${name}`).join(', ')}, $1, $1 from new_item new
      where not exists (select 1 from mirror_item old where old.erp_id = new.erp_id and old.role = new.role)
      order by new.erp_id, new.role on conflict do nothing`,
    [startedAt],
  );

  await lockItems(context);
  // Read before ownership, so that the next run detects a priority that changes in between.
  const outrankedBy = await outrankingMenus(
    tx,
    externalMenuId,
    isFull ? ITEMS_OF_ANSWER : ITEMS_OF_BOTH,
  );

  await temporary(
    tx,
    { name: 'seen_item', joinedBy: [['item_id'], ['erp_id', 'role']] },
    `select item.id as item_id, new.erp_id, new.role, new.name, new.description, new.is_hidden,
            not exists (select 1 from mirror_item_menu other
                         where other.item_id = item.id and other.external_menu_id in (${OUTRANKING_MENUS})) as is_owner
       from new_item new join mirror_item item using (erp_id, role)`,
    [externalMenuId],
  );

  const stated = await text.execute(
    `update mirror_item old
        set ${COLUMNS.map((name) => `${name} = new.${name}`).join(', ')}, synchronized_at = $1, deleted_at = null
       from seen_item seen join new_item new using (erp_id, role)
      where old.id = seen.item_id and seen.is_owner and (old.deleted_at is not null or ${differs('old', 'new', COLUMNS)})`,
    [startedAt],
  );

  const updated = stated + (await reviveItemsOfOthers(context));
  const memberships = await mergeRows(tx, {
    table: 'mirror_item_menu',
    keys: ['external_menu_id', 'item_id'],
    columns: ['name', 'description', 'is_hidden'],
    source:
      '(select $1::bigint as external_menu_id, item_id, name, description, is_hidden from seen_item)',
    params: [externalMenuId],
    runId,
  });

  const placements = await mergeRows(tx, {
    table: 'mirror_item_placement',
    keys: ['menu_category_id', 'item_id'],
    columns: ['position', 'is_hidden'],
    source: `(select category.id as menu_category_id, seen.item_id, place.position, place.is_hidden
                from new_placement place
                join mirror_menu_category category on category.external_menu_id = $1 and category.erp_id = place.category_erp_id
                join seen_item seen on seen.erp_id = place.item_erp_id and seen.role = 'DISH')`,
    params: [externalMenuId],
    runId,
  });

  return { items: { created, updated }, memberships, placements, outrankedBy };
}

/**
 * Revives items that another live menu owns, and takes their names from it. That menu listed them
 * while they were deleted and it was not live.
 */
async function reviveItemsOfOthers({ tx, startedAt }: MergeContext): Promise<number> {
  return textSql(tx).execute(
    `with named as (
       select distinct on (seen.item_id) seen.item_id, membership.name, membership.description
         from seen_item seen join mirror_item item on item.id = seen.item_id and item.deleted_at is not null
         join (${LIVE_MEMBERSHIPS}) membership on membership.item_id = seen.item_id
        where not seen.is_owner order by seen.item_id, membership.priority, membership.external_menu_id)
     update mirror_item old set name = named.name, description = named.description, synchronized_at = $1, deleted_at = null
       from named where old.id = named.item_id`,
    [startedAt],
  );
}

const ITEMS_OF_ANSWER =
  'select known.id from new_item new join mirror_item known using (erp_id, role)';
const ITEMS_OF_BOTH = `${ITEMS_OF_ANSWER} union select item_id from mirror_item_menu where external_menu_id = $1`;

/**
 * Serializes imports that share a dish; otherwise each could leave the dish to the other. Inserts
 * run before, so that an import waiting for them has none of these locks.
 */
async function lockItems({ tx, externalMenuId }: MergeContext): Promise<void> {
  await textSql(tx).execute(
    `select from mirror_item item
      where item.id in (${ITEMS_OF_BOTH}) order by item.id for no key update`,
    [externalMenuId],
  );
}
