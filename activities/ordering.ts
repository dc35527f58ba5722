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

/**
 * Activities about orders. To those about one order an answer of the ERP is a result, also when
 * there is none; those about a connection fail with the ERP.
 */
export type OrderingActivities = ReturnType<typeof createOrderingActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createOrderingActivities(
  deps: OrderDeps & PollDeps & { log: Log } & StatementLimit,
) {
  // Each step of an order runs the same few statements: they are planned once.
  const ofOne = { ...deps, db: { ...deps.db, ...deps.db.prepared } };
  /** A call about one order: requests and transactions, each with a time-out of its own. */
  const ofOrder = <T>(call: (options: { signal: AbortSignal }) => Promise<T>): Promise<T> =>
    repeatingProgress(deps.statementMs, () => call({ signal: cancellationSignal() }));
  return {
    /**
     * Sends an order to the ERP under our id. A second call finds it there, or in the row that it
     * is not to be sent.
     */
    sendOrder: ({ orderId }: { orderId: string }) =>
      ofOrder((options) => sendOrder(ofOne, orderId, options)),

    /** Reads an order at the ERP and updates the row. A second call finds it up to date. */
    lookAtOrder: ({ orderId, ...patience }: { orderId: string } & Patience) =>
      ofOrder((options) => lookAtOrder(ofOne, orderId, patience, options)),

    /** Withdraws an order that was never sent to the ERP. A second call finds it withdrawn. */
    withdrawOrder: ({ orderId, ...intent }: { orderId: string } & CancelIntent) =>
      ofOrder(() => withdrawOrder(deps, orderId, intent)),

    /** Cancels an order for an operator. A second call finds it canceled. */
    cancelOrder: (input: OperatorCancellation) => cancelForOperator(deps, input),

    /**
     * Reads the orders of the last days of a connection again and redeems missed gifts. A second
     * call finds nothing new. A retry continues with the day that the last one has reached.
     */
    readLastOrders: (input: { connectionId: number }) =>
      readLastOrders(deps, input.connectionId, { signal: cancellationSignal() }),

    /**
     * Compares the gifts of the last days with the rights to them. A second call finds the same.
     */
    compareGifts: (input: { connectionId: number; timeZone: string }) =>
      repeatingProgress(deps.statementMs, () => checkGiftDays(deps.db, input)),
  };
}
