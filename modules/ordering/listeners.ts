import type { Sql } from '../../platform/db/database.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { endOrderEvent } from '../webhooks/receive-webhook.ts';
import { accompanyOrder, wakeOrder } from './accompany-order.ts';
import { watchNow } from './watch-now.ts';

export type OrderListenerDeps = TemporalDeps & { db: Sql };

/** How an accepted order gets on its way, and how what the ERP announces makes its workflow ask (rule WHK-8). */
export const ORDERING_LISTENERS = {
  OrderAccepted: (order, deps) => accompanyOrder(deps, order),
  ErpOrderChanged: async ({ webhookEventId, erpOrderId }, deps) => {
    const order = await deps.db.db
      .selectFrom('customer_order')
      .select(['id as orderId', 'organizationId'])
      .where((eb) => eb.or([eb('id', '=', erpOrderId), eb('erpOrderId', '=', erpOrderId)]))
      .executeTakeFirst();
    if (order !== undefined) await wakeOrder(deps, order);
    const isAsked = order !== undefined || (await watchNow(deps, webhookEventId));
    await endOrderEvent(deps.db, webhookEventId, isAsked ? 'ASKED' : 'NOT_OURS');
  },
} satisfies Listeners<OrderListenerDeps>;
