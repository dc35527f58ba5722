import { sql } from 'kysely';

/**
 * Joins `lowest` and `highest` live price of `mirror_item_size size` in kopecks, null without one.
 * Prices are read through menus, because the key of the price table begins with the menu.
 */
export const SIZE_PRICES = sql`left join lateral (
  select min(price.price_kopecks) as lowest, max(price.price_kopecks) as highest from mirror_size_menu seen
    join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = seen.item_size_id
   where seen.item_size_id = size.id and price.lost_at is null) price on true`;
