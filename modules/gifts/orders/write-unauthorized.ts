import { sql } from 'kysely';
import { anyOf, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { OrderGift } from '../rules/order-gifts.ts';
import { systemActor, type Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { UnauthorizedStatus } from '../rules/words.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import type { GiftOrder } from './gift-orders.ts';

export const UNAUTHORIZED_SUBJECT = 'unauthorized-gift';

export async function unauthorizedUnits(
  { db }: Tx,
  giftOrderId: number,
  gift: OrderGift,
): Promise<number> {
  const { units } = await db
    .selectFrom('unauthorized_gift')
    .select(sql<number>`coalesce(sum(quantity), 0)::int`.as('units'))
    .where('giftOrderId', '=', giftOrderId)
    .where('erpItemId', '=', gift.erpItemId)
    .where('erpSizeId', '=', gift.erpSizeId)
    .where('status', '<>', 'WITHDRAWN')
    .executeTakeFirstOrThrow();

  return units;
}

/** Stores units without a right and notifies staff (rule CMP-49). */
export async function writeUnauthorized(
  tx: Tx,
  order: GiftOrder,
  gift: OrderGift & { clientId: string | null },
): Promise<void> {
  const { erpItemId, erpSizeId, name, quantity, clientId } = gift;
  const isRepeated = clientId !== null && (await hasRedeemed(tx, clientId, gift.rewardIds));
  const kind = isRepeated ? 'REPEATED' : 'NO_RIGHT';
  const rewardId = gift.rewardIds[0]!;
  const { id } = await tx.db
    .insertInto('unauthorized_gift')
    .values({
      kind,
      giftOrderId: order.id,
      erpItemId,
      erpSizeId,
      name,
      quantity,
      rewardId,
      clientId,
      foundAt: sql`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['giftOrderId', 'erpItemId', 'erpSizeId'])
        .where('status', '=', 'OPEN')
        .doUpdateSet((eb) => ({ quantity: eb('unauthorized_gift.quantity', '+', quantity) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();

  const { erpOrderId, organizationErpId, ownOrderId } = order;
  await raiseNotification(tx, {
    kind: 'UNAUTHORIZED_COMPENSATION',
    subjectType: UNAUTHORIZED_SUBJECT,
    subjectId: id,
    details: { kind, erpOrderId, organizationErpId, ownOrderId, rewardId, quantity },
  });
}

async function hasRedeemed(
  { db }: Tx,
  clientId: string,
  rewardIds: readonly number[],
): Promise<boolean> {
  const right = await db
    .selectFrom('compensation')
    .select('id')
    .where('clientId', '=', clientId)
    .where('rewardId', '=', anyOf(rewardIds))
    .where('status', '=', 'REDEEMED')
    .limit(1)
    .executeTakeFirst();

  return right !== undefined;
}

/** Withdraws units removed from the order, except decided ones. */
export async function withdrawUnauthorized(
  tx: Sql,
  giftOrderId: number,
  gift: Pick<OrderGift, 'erpItemId' | 'erpSizeId'>,
  units: number,
): Promise<void> {
  const open = await tx.db
    .selectFrom('unauthorized_gift')
    .select(['id', 'quantity', 'status'])
    .where('giftOrderId', '=', giftOrderId)
    .where('erpItemId', '=', gift.erpItemId)
    .where('erpSizeId', '=', gift.erpSizeId)
    .where('status', '=', 'OPEN')
    .executeTakeFirst();
  if (open !== undefined) await withdrawUnits(tx, ORDERS, open, units);
}

export type UnauthorizedUnits = { id: number; status: UnauthorizedStatus; quantity: number };

const ORDERS = systemActor('erp-orders');

/** Skips a gift that was changed concurrently. Replacing a decision is recorded in the audit. */
export async function withdrawUnits(
  tx: Sql,
  actor: Actor,
  { id, status, quantity }: UnauthorizedUnits,
  units: number,
): Promise<void> {
  const isGone = units >= quantity;
  const { numUpdatedRows } = await tx.db
    .updateTable('unauthorized_gift')
    .set(
      isGone ? { status: 'WITHDRAWN', closedAt: sql<Date>`now()` } : { quantity: quantity - units },
    )
    .where('id', '=', id)
    .where('status', '=', status)
    .executeTakeFirstOrThrow();

  if (status === 'OPEN' && isGone)
    await resolveNotification(tx, 'UNAUTHORIZED_COMPENSATION', UNAUTHORIZED_SUBJECT, id);
  if (status !== 'OPEN' && numUpdatedRows > 0n)
    await recordAudit(tx, actor, {
      entityType: 'unauthorized-gift',
      entityId: id,
      action: 'withdraw',
      before: { status, quantity },
      after: isGone ? { status: 'WITHDRAWN', quantity } : { status, quantity: quantity - units },
    });
}
