import type { MenuOverlap } from '../../../contracts/observability.ts';
import type { Sql } from '../../database.ts';

/**
 * Pairs of imported menus of one connection that price the same size for the same organization, with one example each: allowed, the
 * lower priority wins, but often a mistake. Looks no further than the first example of a pair.
 */
export function menuOverlaps(sql: Sql): Promise<MenuOverlap[]> {
  return sql.query<MenuOverlap>(
    `with menu as (
       select menu.id, menu.erp_id, menu.connection_id, setting.priority, setting.organization_ids from mirror_external_menu menu
         join external_menu_setting setting on setting.external_menu_id = menu.id and setting.is_enabled
         join connection on connection.id = menu.connection_id and connection.status = 'ACTIVE'
        where menu.inactive_at is null)
     select winner.connection_id as "connectionId", array[winner.erp_id, other.erp_id] as "externalMenuIds",
            example.name as "itemName", example.size_id as "erpItemSizeId"
       from menu winner
       join menu other on other.connection_id = winner.connection_id and (other.priority, other.id) > (winner.priority, winner.id)
        and (winner.organization_ids is null or other.organization_ids is null or winner.organization_ids && other.organization_ids)
       cross join lateral (
         select item.name, size.id as size_id from mirror_size_menu first
           join mirror_size_menu second on second.external_menu_id = other.id and second.item_size_id = first.item_size_id
           join mirror_item_size size on size.id = first.item_size_id
           join mirror_item item on item.id = size.item_id
          where first.external_menu_id = winner.id
            and exists (
              select 1 from mirror_price one
                join mirror_price two on two.external_menu_id = other.id and two.item_size_id = one.item_size_id
                 and two.organization_id = one.organization_id and two.lost_at is null
               where one.external_menu_id = winner.id and one.item_size_id = first.item_size_id and one.lost_at is null)
          limit 1) example
      order by winner.id, other.id`,
  );
}
