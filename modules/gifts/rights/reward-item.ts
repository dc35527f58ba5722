import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { NamedReward } from '../rules/match-reward.ts';

/** Selects the size of `reward`, or else the first size of `item`. */
const SIZE = sql`
  select id, erp_size_id from mirror_item_size
   where item_id = item.id and (reward.erp_item_size_id is null or id = reward.erp_item_size_id)
   order by (erp_size_id <> ''), id limit 1`;

const selectPrice = (organizationId: RawBuilder<number>) => sql`
  select stated.price_kopecks from mirror_price stated
    join menu_of_organization menu on menu.organization_id = stated.organization_id
     and menu.external_menu_id = stated.external_menu_id and menu.is_sold
    join mirror_item_menu listed on listed.external_menu_id = menu.external_menu_id and listed.item_id = item.id
    join mirror_size_menu sized on sized.external_menu_id = menu.external_menu_id and sized.item_size_id = size.id
   where stated.item_size_id = size.id and stated.organization_id = ${organizationId} and stated.lost_at is null
   order by menu.rank limit 1`;

/** Joins the item of each `reward` as `sold`, with its price. Includes items hidden in menus. */
export const joinRewardItem = (organizationId: RawBuilder<number>) => sql`
  left join lateral (
    select size.id is not null as has_size, size.erp_size_id, price.price_kopecks
      from mirror_item item
      left join lateral (${SIZE}) size on true
      left join lateral (${selectPrice(organizationId)}) price on true
     where item.erp_id = reward.erp_item_id and item.deleted_at is null
     order by (item.role <> 'DISH'), item.id limit 1) sold on true`;

export const rewardItemColumns = sql`
  sold.has_size is not null as is_known, coalesce(sold.has_size, false) as has_size, sold.price_kopecks`;

export async function namedRewards({ db }: Sql, organizationId: number): Promise<NamedReward[]> {
  const { rows } = await sql<
    Row<'reward', 'id as rewardId' | 'isActive', Pick<NamedReward, 'priceKopecks' | 'names'>>
  >`
    select reward.id as reward_id, reward.is_active, sold.price_kopecks,
           array_prepend(reward.name, array(
             select item.name from mirror_item item where item.erp_id = reward.erp_item_id and item.deleted_at is null)) as names
      from reward ${joinRewardItem(sql`${organizationId}::bigint`)}
     where reward.is_active`.execute(db);

  return rows;
}
