import type { CancelIntent, OrderStanding } from '../messages/ordering.ts';
import type { OrderProblem } from '../rules/order-states.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { moveOrder } from './move-order.ts';
import { holdOrder, toStanding, type MoveDeps, type OrderRow } from './order-row.ts';

const PROBLEMS = { CUSTOMER: 'WITHDRAWN', STAFF: 'CANCELLED_BY_STAFF' } as const satisfies Record<
  string,
  OrderProblem
>;

/** True while the ERP certainly does not have an active order. */
export const isUntold = ({
  state,
  erpOrderId,
  unansweredSince,
}: Pick<OrderRow, 'state' | 'erpOrderId' | 'unansweredSince'>): boolean =>
  (state === 'ACCEPTED' || state === 'SENT') && erpOrderId === null && unansweredSince === null;

/**
 * Returns null if the order may have been sent (rule ORD-50), because the ERP cannot cancel orders.
 */
export async function withdrawHeld(
  deps: MoveDeps,
  tx: Tx,
  row: OrderRow,
  { by }: CancelIntent,
): Promise<OrderRow | null> {
  if (!isUntold(row)) return null;
  return moveOrder(deps, tx, row, 'CANCELLED', by, { problem: PROBLEMS[by] });
}

/** Withdraws an order in its own transaction, unless it may have been sent. */
export function withdrawOrder(
  deps: MoveDeps & { db: Database },
  orderId: string,
  intent: CancelIntent,
): Promise<OrderStanding> {
  return deps.db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    return toStanding((await withdrawHeld(deps, tx, row, intent)) ?? row);
  });
}
