import type { Sql } from '../database.ts';
import { getErpItem, type ErpItemView } from './erp-items.ts';

/** A price of a size in one organization, kopecks; `lostAt` when the ERP no longer states it. */
export type ErpItemPrice = {
  erpItemSizeId: number;
  organizationId: number;
  organizationName: string;
  externalMenuId: number;
  price: number;
  lostAt: Date | string | null;
};

/** A modifier group of a size, as one external menu has it. */
export type ErpItemModifierGroup = {
  erpItemSizeId: number;
  externalMenuId: number;
  /** Key of the storefront profile. */
  groupKey: string;
  name: string;
  min: number;
  max: number;
  free: number;
  isHidden: boolean;
  modifiers: {
    erpItemId: string;
    name: string;
    min: number;
    max: number;
    free: number;
    default: number;
    isHidden: boolean;
    /** Lowest and highest price of all organizations, kopecks. */
    priceMin: number | null;
    priceMax: number | null;
  }[];
};

/** One mirrored dish with all that the ERP says of it (rule BND-19). */
export type ErpItemCard = ErpItemView & {
  description: string | null;
  /** When an import no longer contained it; null while it is live. */
  deletedAt: Date | null;
  synchronizedAt: Date;
  /** Categories of the ERP's menus it stands in. */
  menuCategories: { id: string; name: string; externalMenuId: number }[];
  prices: ErpItemPrice[];
  modifierGroups: ErpItemModifierGroup[];
};

const SIZES = 'size.item_id = (select id from mirror_item where erp_id = $1 and role = $2)';

/** The card of one dish, also of one that the ERP no longer has. Problem `not-found`. */
export async function getErpItemCard(sql: Sql, itemId: string): Promise<ErpItemCard> {
  const item = await getErpItem(sql, itemId);
  const params = [itemId, 'DISH'];
  const [more] = await sql.query<Pick<ErpItemCard, 'description' | 'deletedAt' | 'synchronizedAt' | 'menuCategories'>>(
    `select item.description, item.deleted_at as "deletedAt", item.synchronized_at as "synchronizedAt",
            coalesce((select json_agg(json_build_object('id', category.erp_id, 'name', category.name,
                'externalMenuId', category.external_menu_id) order by category.external_menu_id, category.position, category.id)
               from mirror_item_placement placement join mirror_menu_category category on category.id = placement.menu_category_id
              where placement.item_id = item.id), '[]') as "menuCategories"
       from mirror_item item where item.erp_id = $1 and item.role = $2`,
    params,
  );
  if (more === undefined) throw new Error(`item ${itemId} was there and is gone`);
  return {
    ...item,
    ...more,
    prices: await sql.query<ErpItemPrice>(
      `select price.item_size_id as "erpItemSizeId", organization.id as "organizationId", organization.name as "organizationName",
              price.external_menu_id as "externalMenuId", price.price_kopecks as price, price.lost_at as "lostAt"
         from mirror_item_size size join mirror_external_menu menu on true
         join mirror_price price on price.external_menu_id = menu.id and price.item_size_id = size.id
         join mirror_organization organization on organization.id = price.organization_id and organization.inactive_at is null
        where ${SIZES} order by size.id, organization.name, organization.id, menu.id`,
      params,
    ),
    modifierGroups: await sql.query<ErpItemModifierGroup>(
      `select modifiers.item_size_id as "erpItemSizeId", modifiers.external_menu_id as "externalMenuId",
              modifiers.group_key as "groupKey", modifiers.name, modifiers.min_quantity as min, modifiers.max_quantity as max,
              modifiers.free_quantity as free, modifiers.is_hidden as "isHidden",
              coalesce((select json_agg(json_build_object('erpItemId', modifier.erp_id, 'name', link.name, 'min', link.min_quantity,
                  'max', link.max_quantity, 'free', link.free_quantity, 'default', link.default_quantity, 'isHidden', link.is_hidden,
                  'priceMin', price.lowest, 'priceMax', price.highest) order by link.position, modifier.id)
                 from mirror_modifier_link link join mirror_item modifier on modifier.id = link.item_id
                 left join lateral (
                   select min(priced.price_kopecks) as lowest, max(priced.price_kopecks) as highest
                     from mirror_item_size sold join mirror_price priced
                       on priced.external_menu_id = modifiers.external_menu_id and priced.item_size_id = sold.id and priced.lost_at is null
                    where sold.item_id = modifier.id) price on true
                where link.modifier_group_id = modifiers.id), '[]') as modifiers
         from mirror_item_size size join mirror_modifier_group modifiers on modifiers.item_size_id = size.id
        where ${SIZES} order by size.id, modifiers.external_menu_id, modifiers.position, modifiers.id`,
      params,
    ),
  };
}
