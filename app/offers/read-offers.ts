import { sql } from 'kysely';
import type { Sql } from '../../db/database.ts';
import type { GroupFact, LinkFact, ModifierFact, OfferFact } from '../../domain/offers/facts.ts';

/** The menus of the organization, read once for a statement. */
const menus = (organizationId: number) => sql`
  menu as (select external_menu_id as id, is_sold, rank from menu_of_organization where organization_id = ${organizationId})`;

/** These sizes, each with its item. */
const bound = (sizeIds: readonly number[]) => sql`
  bound as (select id as item_size_id, item_id from mirror_item_size where id = any (${sizeIds}::bigint[]))`;

/** What the external menus say about these sizes in one organization. */
export async function readOffers(
  { db }: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<OfferFact[]> {
  // An item hidden in all its placements of a menu is hidden in that menu, although neither itself nor its size is.
  const { rows } = await sql<OfferFact>`
    with ${menus(organizationId)}, ${bound(sizeIds)},
      placed as (
        select category.external_menu_id, placement.item_id, bool_and(placement.is_hidden or category.is_hidden) as is_hidden
          from mirror_item_placement placement join mirror_menu_category category on category.id = placement.menu_category_id
         where placement.item_id in (select item_id from bound)
         group by 1, 2)
    select price.item_size_id, price.external_menu_id, menu.rank as menu_rank, price.price_kopecks,
           menu.is_sold and price.lost_at is null and item.deleted_at is null
             and listed.item_id is not null and sized.item_size_id is not null as is_live,
           coalesce(listed.is_hidden, false) or coalesce(sized.is_hidden, false) or coalesce(placed.is_hidden, false) as is_hidden
      from bound
      join mirror_price price on price.item_size_id = bound.item_size_id and price.organization_id = ${organizationId}
      join menu on menu.id = price.external_menu_id
      join mirror_item item on item.id = bound.item_id
      left join mirror_item_menu listed on listed.external_menu_id = menu.id and listed.item_id = bound.item_id
      left join mirror_size_menu sized on sized.external_menu_id = menu.id and sized.item_size_id = bound.item_size_id
      left join placed on placed.external_menu_id = menu.id and placed.item_id = bound.item_id`.execute(db);
  return rows;
}

/** Modifier groups of sizes with what can be chosen in them. */
export type Modifiers = { groups: GroupFact[]; links: LinkFact[]; modifiers: ModifierFact[] };

/** What the external menus of one organization let guests choose with these sizes; what the ERP hides is not read. */
export async function readModifiers(
  { db }: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<Modifiers> {
  const { rows: groups } = await sql<GroupFact>`
    with ${menus(organizationId)}, ${bound(sizeIds)}
    select modifiers.id, external_menu_id, item_size_id, group_key, name, position, is_hidden, min_quantity as min, max_quantity as max,
           free_quantity as free, has_child_restrictions
      from mirror_modifier_group modifiers
     where not is_hidden and external_menu_id in (select id from menu) and item_size_id in (select item_size_id from bound)`.execute(
    db,
  );
  const groupIds = groups.map((each) => each.id);
  const links = await db
    .selectFrom('mirror_modifier_link')
    .select([
      'modifierGroupId as groupId',
      'itemId',
      'name',
      'position',
      'isHidden',
      'weightGrams',
      'minQuantity as min',
      'maxQuantity as max',
      'freeQuantity as free',
      'defaultQuantity as default',
    ])
    .where('modifierGroupId', '=', sql<number>`any (${groupIds}::bigint[])`)
    .where('isHidden', '=', false)
    .execute();
  // A modifier has one price; if it has several sizes, the unsized one or else the oldest is it.
  const { rows: modifiers } = await sql<ModifierFact>`
    with ${menus(organizationId)},
      used as (select distinct item_id from mirror_modifier_link where modifier_group_id = any (${groupIds}::bigint[]) and not is_hidden)
    select distinct on (menu.id, item.id) menu.id as external_menu_id, item.id as item_id, item.erp_id, size.erp_size_id as size_erp_id,
           price.price_kopecks, menu.is_sold and price.lost_at is null and item.deleted_at is null as is_live
      from used join mirror_item item on item.id = used.item_id
      join mirror_item_size size on size.item_id = item.id
      join mirror_price price on price.item_size_id = size.id and price.organization_id = ${organizationId}
      join menu on menu.id = price.external_menu_id
     order by menu.id, item.id, (size.erp_size_id <> ''), size.id`.execute(db);
  return { groups, links, modifiers };
}
