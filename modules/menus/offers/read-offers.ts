import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { WeeklyHours } from '../../mirror/rules/weekly-hours.ts';
import type { GroupFact, LinkFact, ModifierFact, OfferFact } from '../rules/offers/facts.ts';

type OfferRow = Row<'menu_of_organization', 'rank as menuRank'> &
  Row<
    'mirror_price',
    'itemSizeId' | 'externalMenuId' | 'priceKopecks',
    { isLive: boolean; isHidden: boolean; hours: readonly WeeklyHours[] | null }
  >;

type GroupRow = Row<
  'mirror_modifier_group',
  | 'id'
  | 'externalMenuId'
  | 'itemSizeId'
  | 'groupKey'
  | 'name'
  | 'position'
  | 'isHidden'
  | 'minQuantity as min'
  | 'maxQuantity as max'
  | 'freeQuantity as free'
  | 'hasChildRestrictions'
>;

type LinkRow = Row<
  'mirror_modifier_link',
  | 'modifierGroupId as groupId'
  | 'itemId'
  | 'name'
  | 'position'
  | 'isHidden'
  | 'weightGrams'
  | 'minQuantity as min'
  | 'maxQuantity as max'
  | 'freeQuantity as free'
  | 'defaultQuantity as default'
>;

type ModifierRow = Row<'menu_of_organization', 'externalMenuId'> &
  Row<'mirror_item', 'id as itemId' | 'erpId'> &
  Row<'mirror_item_size', 'erpSizeId as sizeErpId'> &
  Row<'mirror_price', 'priceKopecks', { isLive: boolean }>;

const menus = (organizationId: number) => sql`
  menu as (select external_menu_id as id, is_sold, rank from menu_of_organization where organization_id = ${organizationId})`;

/** Materialized, because a loop over groups would sort the whole list for each group (SNP-48). */
const bound = (sizeIds: readonly number[]) => sql`
  bound as materialized (select id as item_size_id, item_id from mirror_item_size where id = any (${sizeIds}::bigint[]))`;

/** `hours` is null if a category that shows the item has no hours. */
const placed = sql`
  placed as (
    select category.external_menu_id, placement.item_id, bool_and(placement.is_hidden or category.is_hidden) as is_hidden,
           case when bool_and(placement.is_hidden or category.is_hidden or category.hours is not null)
             then jsonb_agg(distinct category.hours) filter (where not placement.is_hidden and not category.is_hidden)
           end as hours
      from mirror_item_placement placement join mirror_menu_category category on category.id = placement.menu_category_id
     where placement.item_id in (select item_id from bound)
     group by 1, 2)`;

/** The server adds service items, so only carts read their offers. */
const UNSOLD = {
  toGuests: sql`select item_id from unsold_item union all select item_id from service_item`,
  toAnyone: sql`select item_id from unsold_item`,
};

const offers = (organizationId: number, unsold: RawBuilder<unknown>) => sql<OfferRow>`
  select price.item_size_id, price.external_menu_id, menu.rank as menu_rank, price.price_kopecks,
         menu.is_sold and price.lost_at is null and item.deleted_at is null
           and listed.item_id is not null and sized.item_size_id is not null as is_live,
         coalesce(listed.is_hidden, false) or coalesce(sized.is_hidden, false) or coalesce(placed.is_hidden, false)
           or bound.item_id in (${unsold}) as is_hidden,
         placed.hours
    from bound
    join mirror_price price on price.item_size_id = bound.item_size_id and price.organization_id = ${organizationId}
    join menu on menu.id = price.external_menu_id
    join mirror_item item on item.id = bound.item_id
    left join mirror_item_menu listed on listed.external_menu_id = menu.id and listed.item_id = bound.item_id
    left join mirror_size_menu sized on sized.external_menu_id = menu.id and sized.item_size_id = bound.item_size_id
    left join placed on placed.external_menu_id = menu.id and placed.item_id = bound.item_id`;

const groups = sql<GroupRow>`
  select modifiers.id, external_menu_id, item_size_id, group_key, name, position, is_hidden, min_quantity as min, max_quantity as max,
         free_quantity as free, has_child_restrictions
    from mirror_modifier_group modifiers
   where not is_hidden and external_menu_id in (select id from menu) and item_size_id in (select item_size_id from bound)`;

const links = (groupIds: RawBuilder<unknown>) => sql<LinkRow>`
  select modifier_group_id as group_id, item_id, name, position, is_hidden, weight_grams, min_quantity as min, max_quantity as max,
         free_quantity as free, default_quantity as "default"
    from mirror_modifier_link where modifier_group_id = any (${groupIds}) and not is_hidden`;

// Of a modifier's several sizes, the unsized or oldest one sets the price.
const modifiers = (organizationId: number, chosen: RawBuilder<unknown>) => sql<ModifierRow>`
  select distinct on (menu.id, item.id) menu.id as external_menu_id, item.id as item_id, item.erp_id, size.erp_size_id as size_erp_id,
         price.price_kopecks, menu.is_sold and price.lost_at is null and item.deleted_at is null as is_live
    from (select distinct item_id from ${chosen}) used
    join mirror_item item on item.id = used.item_id
    join mirror_item_size size on size.item_id = item.id
    join mirror_price price on price.item_size_id = size.id and price.organization_id = ${organizationId}
    join menu on menu.id = price.external_menu_id
   order by menu.id, item.id, (size.erp_size_id <> ''), size.id`;

export async function readOffers(
  { db }: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<OfferFact[]> {
  const { rows } = await sql<OfferRow>`
    with ${menus(organizationId)}, ${bound(sizeIds)}, ${placed} ${offers(organizationId, UNSOLD.toGuests)}`.execute(
    db,
  );

  return rows;
}

export type Modifiers = { groups: GroupFact[]; links: LinkFact[]; modifiers: ModifierFact[] };

/** Reads the modifier groups of sizes, excluding hidden ones. */
export async function readModifiers(
  { db }: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<Modifiers> {
  const groupResult =
    await sql<GroupRow>`with ${menus(organizationId)}, ${bound(sizeIds)} ${groups}`.execute(db);
  const groupIds = sql`${groupResult.rows.map((row) => row.id)}::bigint[]`;
  const chosen = await links(groupIds).execute(db);
  const priced = await sql<ModifierRow>`
    with ${menus(organizationId)}, link as (${links(groupIds)}) ${modifiers(organizationId, sql`link`)}`.execute(
    db,
  );

  return { groups: groupResult.rows, links: chosen.rows, modifiers: priced.rows };
}

/**
 * Parts of a statement about the few sizes of a cart. `tables` begins its `with`; other queries may
 * use `shown_group` and `shown_link`.
 */
export const offerParts = (organizationId: number, sizeIds: readonly number[]) => ({
  tables: sql`${menus(organizationId)}, ${bound(sizeIds)}, ${placed}, shown_group as (${groups}),
    shown_link as (${links(sql`array(select id from shown_group)`)})`,
  offers: offers(organizationId, UNSOLD.toAnyone),
  groups: sql<GroupRow>`table shown_group`,
  links: sql<LinkRow>`table shown_link`,
  modifiers: modifiers(organizationId, sql`shown_link`),
});
