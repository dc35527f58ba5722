import { sql } from 'kysely';
import type { MenuOverlap } from '../schemas/sync-status.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';

type OverlapRow = Row<
  'live_menu',
  'connectionId',
  Pick<MenuOverlap, 'externalMenuIds' | 'externalMenuErpIds'>
> &
  Row<'mirror_item', 'name as itemName'> &
  Row<'mirror_item_size', 'id as erpItemSizeId'>;

/**
 * Returns pairs of menus with prices for the same size and organization, with one example. Overlaps
 * are allowed, but often a mistake.
 */
export async function menuOverlaps({ db }: Sql): Promise<MenuOverlap[]> {
  const { rows } = await sql<OverlapRow>`
    select winner.connection_id, array[winner.external_menu_id, other.external_menu_id] as external_menu_ids,
           array[winner.erp_id, other.erp_id] as external_menu_erp_ids,
           example.name as item_name, example.size_id as erp_item_size_id
      from (
        select one.external_menu_id as winner_id, two.external_menu_id as other_id, array_agg(organization_id) as organization_ids
          from menu_of_organization one join menu_of_organization two using (organization_id)
         where one.rank < two.rank group by 1, 2) pair
      join live_menu winner on winner.external_menu_id = pair.winner_id
      join live_menu other on other.external_menu_id = pair.other_id
     cross join lateral (
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
        limit 1) example
     order by winner.external_menu_id, other.external_menu_id`.execute(db);

  return rows;
}
