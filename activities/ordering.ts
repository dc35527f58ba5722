import { cancellationSignal } from '@temporalio/activity';
import { lookAtOrder, type Patience } from '../app/ordering/look-at-order.ts';
import type { OrderDeps } from '../app/ordering/order-deps.ts';
import { sendOrder } from '../app/ordering/send-order.ts';
import { withdrawOrder } from '../app/ordering/withdraw-order.ts';
import type { CancelIntent } from '../contracts/messages/ordering.ts';

/** Activities about one order. What the ERP answers is their result, also when it does not answer. */
export type OrderingActivities = ReturnType<typeof createOrderingActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createOrderingActivities(deps: OrderDeps) {
  return {
    /** Tells the ERP of an order under our id. A second call finds it there, or in the row that it is not to be sent. */
    sendOrder: (input: { orderId: string }) => sendOrder(deps, input.orderId, { signal: cancellationSignal() }),

    /** Reads an order at the ERP and brings the row to it. A second call finds the row there already. */
    lookAtOrder: ({ orderId, ...patience }: { orderId: string } & Patience) =>
      lookAtOrder(deps, orderId, patience, { signal: cancellationSignal() }),

    /** Withdraws an order of which the ERP was told nothing. A second call finds it withdrawn. */
    withdrawOrder: ({ orderId, ...intent }: { orderId: string } & CancelIntent) => withdrawOrder(deps, orderId, intent),
  };
}
