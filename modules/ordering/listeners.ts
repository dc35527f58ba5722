import type { Listeners } from '../../kernel/events/listeners.ts';
import { endOrderEvent } from '../erp-webhooks/receive-webhook.ts';
import { accompanyAgain, accompanyOrder } from './at-erp/accompany-order.ts';
import type { PollingDeps } from '../mirror/polling/start-polling.ts';
import { watchNow } from './polling/watch-now.ts';

export type OrderListenerDeps = PollingDeps;

/** Rules WHK-8, ORD-98. */
export const ORDERING_LISTENERS = {
  OrderAccepted: (order, deps) => accompanyOrder(deps, order),
  OrderSentAgain: (order, deps) => accompanyAgain(deps, order),
  ErpOrderChanged: async (event, deps) =>
    endOrderEvent(deps.db, event.webhookEventId, await watchNow(deps, event)),
} satisfies Listeners<OrderListenerDeps>;
