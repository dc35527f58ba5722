import { sql } from 'kysely';
import type { MenuOverlap } from '../schemas/sync-status.ts';
import type { Sql } from '../../../platform/db/database.ts';

/**
 * Returns pairs of menus with prices for the same size and organization, with one example. Overlaps
 * are allowed, but often a mistake.
 */
export function menuOverlaps({ db }: Sql): Promise<MenuOverlap[]> {
  return db
    .selectFrom(PAIRS.as('pair'))
    .innerJoin('live_menu as winner', 'winner.externalMenuId', 'pair.winnerId')
    .innerJoin('live_menu as other', 'other.externalMenuId', 'pair.otherId')
    .crossJoinLateral(EXAMPLE.as('example'))
    .select('winner.connectionId')
    .select([EXTERNAL_MENU_IDS.as('externalMenuIds'), ERP_IDS.as('externalMenuErpIds')])
    .select(['example.name as itemName', 'example.sizeId as erpItemSizeId'])
    .orderBy('winner.externalMenuId')
    .orderBy('other.externalMenuId')
    .execute();
}

const EXTERNAL_MENU_IDS = sql<number[]>`array[winner.external_menu_id, other.external_menu_id]`;
const ERP_IDS = sql<string[]>`array[winner.erp_id, other.erp_id]`;

const PAIRS = sql<{ winnerId: number; otherId: number }>`(
  select one.external_menu_id as winner_id, two.external_menu_id as other_id, array_agg(organization_id) as organization_ids
    from menu_of_organization one join menu_of_organization two using (organization_id)
   where one.rank < two.rank group by 1, 2)`;

const EXAMPLE = sql<{ name: string; sizeId: number }>`(
  select item.name, size.id as size_id from mirror_size_menu one
    join mirror_size_menu two on two.external_menu_id = pair.other_id and two.item_size_id = one.item_size_id
    join mirror_item_size size on size.id = one.item_size_id
    join mirror_item item on item.id = size.item_id
   where one.external_menu_id = pair.winner_id
     and exists (
       select 1 from mirror_price price
         join mirror_price rival on rival.external_menu_id = pair.other_id and rival.item_size_id = price.item_size_id
          and rival.organization_id = price.organization_id and rival.lost_at is null
        where price.external_menu_id = pair.winner_id and price.item_size_id = one.item_size_id and price.lost_at is null
          and price.organization_id = any (pair.organization_ids))
   limit 1)`;
