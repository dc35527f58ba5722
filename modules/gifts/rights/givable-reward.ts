import { invalidField } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';

/**
 * Returns the reward's connection, or null for all connections. Problem `validation` (`rewardId`)
 * if the reward is inactive or broken.
 */
export async function accountOfGivableReward(
  { db }: Sql,
  rewardId: number,
): Promise<number | null> {
  const reward = await db
    .selectFrom('reward')
    .leftJoin('mirror_organization as place', (join) =>
      join.onRef('place.erpId', '=', 'reward.organizationErpId').on('place.inactiveAt', 'is', null),
    )
    .select(['reward.isActive', 'reward.healthState', 'place.connectionId'])
    .where('reward.id', '=', rewardId)
    .executeTakeFirst();
  if (reward?.isActive !== true)
    throw invalidField('rewardId', 'not_found', 'There is no such active reward.');

  if (reward.healthState === 'BROKEN')
    throw invalidField('rewardId', 'reward_broken', 'The gift cannot be given anywhere now.');

  return reward.connectionId;
}
