import type { Sql } from '../../db/database.ts';
import type { TemporalDeps } from '../../platform/start-workflow.ts';
import type { Listeners } from '../events/listeners.ts';
import { accompanyOrder } from './accompany-order.ts';

export type OrderListenerDeps = TemporalDeps & { db: Sql };

/** How an accepted order gets on its way. */
export const ORDERING_LISTENERS = {
  OrderAccepted: async ({ orderId }, deps) => {
    const order = await deps.db.db
      .selectFrom('customer_order')
      .select('organizationId')
      .where('id', '=', orderId)
      .executeTakeFirst();
    if (order !== undefined) await accompanyOrder(deps, { orderId, ...order });
  },
} satisfies Listeners<OrderListenerDeps>;
