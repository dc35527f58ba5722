import type { ErpItemCard, ErpItemModifierGroup, ErpItemPrice } from './schemas/binding.ts';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import { getErpItem } from './erp-items.ts';

/** Returns one dish, even if the ERP no longer has it. Problem `not-found`. */
export async function getErpItemCard(connection: Sql, itemId: string): Promise<ErpItemCard> {
  const item = await getErpItem(connection, itemId);
  const { db } = connection;
  const { id, ...facts } = await db
    .selectFrom('mirror_item')
    .select(['id', 'description', 'deletedAt', 'synchronizedAt'])
    .where('erpId', '=', itemId)
    .where('role', '=', 'DISH')
    .executeTakeFirstOrThrow();

  return {
    ...item,
    ...facts,
    menuCategories: await readMenuCategories(db, id),
    prices: await readPrices(db, id),
    modifierGroups: await readModifierGroups(db, id),
  };
}

function readMenuCategories(db: Sql['db'], itemId: number): Promise<ErpItemCard['menuCategories']> {
  return db
    .selectFrom('mirror_item_placement as placement')
    .innerJoin('mirror_menu_category as category', 'category.id', 'placement.menuCategoryId')
    .select(['category.erpId as id', 'category.name', 'category.externalMenuId'])
    .where('placement.itemId', '=', itemId)
    .orderBy('category.externalMenuId')
    .orderBy('category.position')
    .orderBy('category.id')
    .execute();
}

function readPrices(db: Sql['db'], itemId: number): Promise<ErpItemPrice[]> {
  return (
    db
      .selectFrom('mirror_item_size as size')
      // Menus first, because the key of the price table starts with the menu.
      .crossJoin('mirror_external_menu as menu')
      .innerJoin('mirror_price as price', (on) =>
        on.onRef('price.externalMenuId', '=', 'menu.id').onRef('price.itemSizeId', '=', 'size.id'),
      )
      .innerJoin('mirror_organization as organization', 'organization.id', 'price.organizationId')
      .select(['price.itemSizeId as erpItemSizeId', 'organization.id as organizationId'])
      .select(['organization.name as organizationName', 'price.externalMenuId'])
      .select(['price.priceKopecks as price', 'price.lostAt'])
      .where('size.itemId', '=', itemId)
      .where('organization.inactiveAt', 'is', null)
      .orderBy('size.id')
      .orderBy('organization.name')
      .orderBy('organization.id')
      .orderBy('menu.id')
      .execute()
  );
}

function readModifierGroups(db: Sql['db'], itemId: number): Promise<ErpItemModifierGroup[]> {
  return db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_modifier_group as modifiers', 'modifiers.itemSizeId', 'size.id')
    .select(['modifiers.itemSizeId as erpItemSizeId', 'modifiers.externalMenuId'])
    .select(['modifiers.groupKey', 'modifiers.name', 'modifiers.minQuantity as min'])
    .select(['modifiers.maxQuantity as max', 'modifiers.freeQuantity as free'])
    .select(['modifiers.isHidden', MODIFIERS.as('modifiers')])
    .where('size.itemId', '=', itemId)
    .orderBy('size.id')
    .orderBy('modifiers.externalMenuId')
    .orderBy('modifiers.position')
    .orderBy('modifiers.id')
    .execute();
}

/** Reads the modifiers of a group with their prices in the menu of the group. */
const MODIFIERS = sql<ErpItemModifierGroup['modifiers']>`
  coalesce((select json_agg(json_build_object('erpItemId', modifier.erp_id, 'name', link.name, 'min', link.min_quantity,
      'max', link.max_quantity, 'free', link.free_quantity, 'default', link.default_quantity, 'isHidden', link.is_hidden,
      'priceMin', price.lowest, 'priceMax', price.highest) order by link.position, modifier.id)
     from mirror_modifier_link link join mirror_item modifier on modifier.id = link.item_id
     left join lateral (
       select min(priced.price_kopecks) as lowest, max(priced.price_kopecks) as highest
         from mirror_item_size sold join mirror_price priced
           on priced.external_menu_id = modifiers.external_menu_id and priced.item_size_id = sold.id and priced.lost_at is null
        where sold.item_id = modifier.id) price on true
    where link.modifier_group_id = modifiers.id), '[]')`;
