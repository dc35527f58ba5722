import type { CallOptions } from '../../../erp/call.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import { applyAll, type AppliedOrders, type PollDeps } from '../at-erp/apply-orders.ts';
import { openOrders } from './open-orders.ts';
import { savedRevision } from '../at-erp/order-revision.ts';

/**
 * Reads moved orders by their new id until the ERP reports them (rule ORD-52): the report may
 * precede the move, or concern an organization that is not polled. Ignores failures until the next
 * poll.
 */
export async function readMovedOrders(
  deps: PollDeps,
  connectionId: number,
  options: CallOptions | undefined,
): Promise<AppliedOrders> {
  const read = { orders: 0, gifts: 0 };
  const moved = await openOrders(deps.db, connectionId)
    .where('order.erpTimestamp', 'is', null)
    .whereRef('order.erpOrderId', '<>', 'order.id')
    .execute();

  for (const [organizationErpId, rows] of Map.groupBy(moved, (order) => order.organizationErpId)) {
    try {
      const saved = await savedRevision(deps.db, connectionId);
      const ids = rows.map(({ erpId }) => erpId);
      const request = { ...options, priority: 'REST' as const, isPart: true };
      const answer = await deps.erp.deliveriesById(connectionId, organizationErpId, ids, request);
      const { orders, gifts } = await applyAll(deps, connectionId, answer.orders, saved);
      read.orders += orders;
      read.gifts += gifts;
    } catch (error) {
      if (!isErpFailure(error)) throw error;
    }
  }

  return read;
}
