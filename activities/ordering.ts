import { cancellationSignal } from '@temporalio/activity';
import {
  cancelForOperator,
  type OperatorCancellation,
} from '../modules/ordering/staff/cancel-for-operator.ts';
import { checkGiftDays } from '../modules/ordering/gift-days/check-gift-days.ts';
import { lookAtOrder, type Patience } from '../modules/ordering/at-erp/look-at-order.ts';
import type { OrderDeps } from '../modules/ordering/orders/order-row.ts';
import type { PollDeps } from '../modules/ordering/at-erp/apply-orders.ts';
import { readLastOrders } from '../modules/ordering/polling/poll-orders.ts';
import { sendOrder } from '../modules/ordering/at-erp/send-order.ts';
import { withdrawOrder } from '../modules/ordering/orders/withdraw-order.ts';
import type { CancelIntent } from '../modules/ordering/messages/ordering.ts';
import type { Log } from '../platform/log.ts';
import { repeatingProgress } from '../platform/progress.ts';
import type { StatementLimit } from './statement-limit.ts';

/** Calls about one order return any ERP answer, or the lack of one, as a result. */
export type OrderingActivities = ReturnType<typeof createOrderingActivities>;

export function createOrderingActivities(
  deps: OrderDeps & PollDeps & { log: Log } & StatementLimit,
) {
  // Prepared statements, because each step runs the same few.
  const ofOne = { ...deps, db: { ...deps.db, ...deps.db.prepared } };
  /** Requests and transactions have their own time-outs. */
  const ofOrder = <T>(call: (options: { signal: AbortSignal }) => Promise<T>): Promise<T> =>
    repeatingProgress(deps.statementMs, () => call({ signal: cancellationSignal() }));

  return {
    /** Sends an order under our id. Idempotent. */
    sendOrder: ({ orderId }: { orderId: string }) =>
      ofOrder((options) => sendOrder(ofOne, orderId, options)),

    lookAtOrder: ({ orderId, ...patience }: { orderId: string } & Patience) =>
      ofOrder((options) => lookAtOrder(ofOne, orderId, patience, options)),

    /** Withdraws an order that was not sent. Idempotent. */
    withdrawOrder: ({ orderId, ...intent }: { orderId: string } & CancelIntent) =>
      ofOrder(() => withdrawOrder(deps, orderId, intent)),

    /** Cancels an order for an operator. Idempotent. */
    cancelOrder: (input: OperatorCancellation) => cancelForOperator(deps, input),

    /** Redeems missed gifts of the last days. A retry continues with the last day. */
    readLastOrders: (input: { connectionId: number }) =>
      readLastOrders(deps, input.connectionId, { signal: cancellationSignal() }),

    /** Compares the gifts of the last days with the rights to them. */
    compareGifts: (input: { connectionId: number; timeZone: string }) =>
      repeatingProgress(deps.statementMs, () => checkGiftDays(deps.db, input)),
  };
}
