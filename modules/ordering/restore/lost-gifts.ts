import { sql } from 'kysely';
import { systemActor } from '../../../kernel/actor.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { moveRights } from '../../gifts/rights/move-rights.ts';
import { useDiscounts } from '../promotions/discount-uses.ts';
import type { CartRow, Lost, Stored, Unrecovered } from './lost-order.ts';

const RESTORE = systemActor('restore');

/** Reserves the rights of a lost order (rule CMP-115) and returns their number. */
export async function reserveAgain(
  tx: Tx,
  { orderId, witness }: Lost,
  at: Date,
  unrecovered: Set<Unrecovered>,
): Promise<number> {
  if (witness?.gifts == null) {
    unrecovered.add('GIFTS_BY_PHONE');
    return 0;
  }

  const ids = [...witness.gifts].toSorted();
  if (ids.length === 0) return 0;
  const { moved, refused } = await moveRights(
    tx,
    RESTORE,
    { ids },
    { move: 'RESERVE', orderId, at },
  );
  if (moved.length + refused.length < ids.length) unrecovered.add('RIGHT_LOST');

  const own = refused.filter(
    (right) => right.reservedOrderId === orderId || right.redeemedOrderId === orderId,
  );
  if (own.length < refused.length) unrecovered.add('RIGHT_TAKEN');

  return moved.length + own.length;
}

/** Records the discount uses of a lost order (rule ORD-115) and returns their number. */
export async function useAgain(
  tx: Tx,
  { orderId, witness }: Lost,
  { cart, stored }: { cart: CartRow | null; stored: Stored },
  unrecovered: Set<Unrecovered>,
): Promise<number> {
  const discountIds = witness?.discountIds ?? (await discountsOfPromocode(tx, cart));
  const listed = stored.lines.reduce((sum, line) => sum + line.lineTotalKopecks, 0);
  if (witness?.discountIds == null && listed > stored.totalKopecks)
    unrecovered.add('DISCOUNTS_UNKNOWN');
  const customerId = cart?.customerId ?? null;
  if (!(await useDiscounts(tx, { orderId, customerId, discountIds })))
    unrecovered.add('DISCOUNT_NOT_COUNTED');
  const { uses } = await tx.db
    .selectFrom('discount_use')
    .select(sql<number>`count(*)::int`.as('uses'))
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();

  return uses;
}

async function discountsOfPromocode({ db }: Sql, cart: CartRow | null): Promise<number[]> {
  if (cart?.promocode == null) return [];
  const rows = await db
    .selectFrom('promocode')
    .select('discountId')
    .where('code', '=', cart.promocode)
    .execute();

  return rows.map(({ discountId }) => discountId);
}
