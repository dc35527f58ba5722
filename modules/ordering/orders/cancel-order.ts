import type { Order } from '../schemas/orders.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { amendPersonal } from '../../access/customers/personal-data.ts';
import type { Database } from '../../../platform/db/database.ts';
import { holdOrder, type MoveDeps } from './order-row.ts';
import { getOrder, requireMadeHere } from './order-view.ts';
import { withdrawHeld } from './withdraw-order.ts';

/**
 * Withdraws an unsent order (rule ORD-41). Sending locks the same row. Idempotent. Problem
 * `order-not-cancellable` with `orderStatus`.
 */
export function cancelOrder(
  deps: MoveDeps & { db: Database; secrets: SecretBox },
  orderId: string,
  reason: string | null,
): Promise<Order> {
  return deps.db.transaction(async (tx) => {
    await requireMadeHere(tx, orderId, 'order-not-cancellable');
    const row = await holdOrder(tx, orderId);
    if (row.problem !== 'WITHDRAWN') {
      if ((await withdrawHeld(deps, tx, row, { by: 'CUSTOMER' })) === null)
        throw new Problem('order-not-cancellable', { extra: { orderStatus: row.state } });
      if (reason !== null && row.personalDataId !== null)
        await amendPersonal(tx, deps, row.personalDataId, { cancelReason: reason });
    }

    return getOrder(tx, orderId);
  });
}
