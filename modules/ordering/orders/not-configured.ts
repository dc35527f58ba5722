import { advisory } from '../../../platform/db/locks.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';

/**
 * Notifies staff of a missing setting (rule ORD-54). Requires the transaction that updates the
 * locked order.
 */
export async function tellNotConfigured(
  tx: Tx,
  order: { id: string; number: string; connectionId: number },
  missing: string,
): Promise<void> {
  await advisory.notConfiguredOrders(tx, order.connectionId);
  await raiseNotification(tx, {
    kind: 'ORDERS_NOT_CONFIGURED',
    subjectType: 'connection',
    subjectId: order.connectionId,
    details: { missing, orderId: order.id, number: order.number },
  });
}

/**
 * Resolves the notification unless another order is waiting (rule ORD-78). Must follow the update
 * in its transaction.
 */
export async function endNotConfigured(tx: Tx, connectionId: number): Promise<void> {
  await advisory.notConfiguredOrders(tx, connectionId);
  const waiting = await tx.db
    .selectFrom('customer_order')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('problem', '=', 'NOT_CONFIGURED')
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (waiting === undefined)
    await resolveNotification(tx, 'ORDERS_NOT_CONFIGURED', 'connection', connectionId);
}
