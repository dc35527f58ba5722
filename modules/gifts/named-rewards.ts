import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import type { NamedReward } from './rules/match-reward.ts';
import { joinRewardItem } from './reward-item.ts';

/** The active rewards with all their names, and what their items cost in a restaurant now. */
export async function namedRewards({ db }: Sql, organizationId: number): Promise<NamedReward[]> {
  const { rows } = await sql<Row<'reward', 'id as rewardId' | 'isActive', Pick<NamedReward, 'priceKopecks' | 'names'>>>`
    select reward.id as reward_id, reward.is_active, sold.price_kopecks,
           array_prepend(reward.name, array(
             select item.name from mirror_item item where item.erp_id = reward.erp_item_id and item.deleted_at is null)) as names
      from reward ${joinRewardItem(sql`${organizationId}::bigint`)}
     where reward.is_active`.execute(db);
  return rows;
}
