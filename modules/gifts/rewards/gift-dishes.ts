import { sql, type Nullable, type RawBuilder } from 'kysely';
import type { GiftReward } from '../rules/order-gifts.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';

export type GiftDish = GiftReward & {
  isActive: boolean;
  /** Null for the current dish. */
  leftAt: Date | null;
};

/** The ERP may report an order seven days late. */
const HEARD_LATER = sql.raw(`interval '7 days'`);

/** True if orders from other channels can contain gifts. */
export async function areGiftsGiven({ db }: Sql): Promise<boolean> {
  const hasGifts = sql<boolean>`
    exists (select from reward where is_active)
        or exists (select from reward_former_dish where left_at > now() - ${HEARD_LATER})`;
  return (await db.selectNoFrom(hasGifts.as('given')).executeTakeFirstOrThrow()).given;
}

/**
 * By default the first size of the dish, also if the ERP has a modifier with its id. Null if the
 * mirror has none.
 */
const sizeOfDish = (erpItemId: RawBuilder<unknown>, erpItemSizeId: RawBuilder<unknown>) => sql<
  string | null
>`
  (select size.erp_size_id from mirror_item item join mirror_item_size size on size.item_id = item.id
    where item.erp_id = ${erpItemId} and item.role = 'DISH' and (${erpItemSizeId} is null or size.id = ${erpItemSizeId})
    order by item.deleted_at is not null, (size.erp_size_id <> ''), size.id
    limit 1)`;

/** The size of a `reward`, `''` for a dish without sizes; null if the mirror has none. */
export const sizeOfReward = sizeOfDish(
  sql.ref('reward.erp_item_id'),
  sql.ref('reward.erp_item_size_id'),
);

type DishRow = Row<'reward', 'id' | 'erpItemId' | 'isActive', { erpSizeId: string | null }> &
  Nullable<Row<'reward_former_dish', 'leftAt'>>;

/** Reads current and former dishes of all rewards. */
export async function readGiftDishes({ db }: Sql): Promise<GiftDish[]> {
  const { rows } = await sql<DishRow>`
    select id, erp_item_id, is_active, ${sizeOfReward} as erp_size_id,
           null::timestamptz as left_at
      from reward
     union all
    select reward_id, erp_item_id, false, erp_size_id, left_at from reward_former_dish`.execute(db);

  return rows;
}

type Reward = { erpItemId: string; erpItemSizeId: number | null; isActive: boolean };

/**
 * Stores the former dish of a reward, because earlier orders may arrive later (rule CMP-87).
 * Requires the transaction of the edit.
 */
export async function keepFormerDish(
  { db }: Tx,
  id: number,
  before: Reward,
  after: Reward,
): Promise<void> {
  const { erpItemId, erpItemSizeId } = before;
  const stays =
    after.isActive && erpItemId === after.erpItemId && erpItemSizeId === after.erpItemSizeId;
  if (stays || !before.isActive) return;
  await sql`
    insert into reward_former_dish (reward_id, erp_item_id, erp_size_id)
    values (${id}, ${erpItemId}, ${sizeOfDish(sql`${erpItemId}::uuid`, sql`${erpItemSizeId}::bigint`)})`.execute(
    db,
  );
}
