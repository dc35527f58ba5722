import { anyOf, type Sql } from '../../platform/db/database.ts';

/** Names of the gifts that these rights promise, by the id of the right. */
export async function giftNames({ db }: Sql, rights: readonly string[]): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('compensation')
    .innerJoin('reward', 'reward.id', 'compensation.rewardId')
    .select(['compensation.id', 'reward.name'])
    .where('compensation.id', '=', anyOf(rights, 'uuid'))
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
