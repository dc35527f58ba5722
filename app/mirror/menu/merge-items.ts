import type { MergeContext } from './merge-context.ts';
import { differs, execute, mergeRows, temporary, type Merged } from './merge-rows.ts';

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
 * Upserts dishes and global modifiers, with their membership in the menu and their places in its categories
 * (spec 2, Menu import order 3 and 4). Makes `seen_item`: every item of the answer with our id and `is_owner`, which is true
 * when no live menu with a better priority lists the item: only then may this menu say what the item is called, so two menus
 * never flap a name. A new dish enters triage by nobody having decided about it (order 6).
 */
export async function mergeItems(
  context: MergeContext,
): Promise<{ items: Merged; memberships: Merged; placements: Merged }> {
  const { tx, runId, externalMenuId, startedAt } = context;
  const created = await execute(
    tx,
    `insert into mirror_item (erp_id, role, ${COLUMNS.join(', ')}, first_seen_at, synchronized_at)
     select new.erp_id, new.role, ${COLUMNS.map((name) => `new.${name}`).join(', ')}, $1, $1 from new_item new
      where not exists (select 1 from mirror_item old where old.erp_id = new.erp_id and old.role = new.role)
      order by new.erp_id, new.role on conflict do nothing`,
    [startedAt],
  );
  await temporary(
    tx,
    { name: 'seen_item', joinedBy: ['item_id', 'erp_id', 'role'] },
    `select item.id as item_id, new.erp_id, new.role, new.name, new.description, new.is_hidden,
            not exists (
              select 1 from mirror_item_menu other
                join mirror_external_menu menu on menu.id = other.external_menu_id and menu.inactive_at is null
                join connection on connection.id = menu.connection_id and connection.status = 'ACTIVE'
                join external_menu_setting setting on setting.external_menu_id = menu.id and setting.is_enabled
               where other.item_id = item.id and menu.id <> own.external_menu_id
                 and (setting.priority, menu.id) < (own.priority, own.external_menu_id)) as is_owner
       from new_item new join mirror_item item using (erp_id, role)
       join external_menu_setting own on own.external_menu_id = $1`,
    [externalMenuId],
  );
  // Rows are locked in id order before they are rewritten, because another connection may import the same items.
  const updated = await execute(
    tx,
    `with changed as (
       select old.id from mirror_item old join seen_item seen on seen.item_id = old.id
         join new_item new on new.erp_id = old.erp_id and new.role = old.role
        where old.deleted_at is not null or (seen.is_owner and ${differs('old', 'new', COLUMNS)})
        order by old.id for no key update of old)
     update mirror_item old
        set ${COLUMNS.map((name) => `${name} = new.${name}`).join(', ')}, synchronized_at = $1, deleted_at = null
       from changed, new_item new
      where old.id = changed.id and new.erp_id = old.erp_id and new.role = old.role`,
    [startedAt],
  );
  const memberships = await mergeRows(tx, {
    table: 'mirror_item_menu',
    keys: ['external_menu_id', 'item_id'],
    columns: ['name', 'description', 'is_hidden'],
    source: '(select $1::bigint as external_menu_id, item_id, name, description, is_hidden from seen_item)',
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
  return { items: { created, updated }, memberships, placements };
}
