import { alongside, type Statements, type Tx } from '../../../platform/db/database.ts';
import { eventRows } from '../../events/record-events.ts';
import { redeemOrReturnGifts, settleRedeemedGifts } from '../../gifts/orders/gifts-after-order.ts';
import { releasedUses } from '../promotions/discount-uses.ts';
import { endNotConfigured } from './not-configured.ts';
import type { MoveDeps, OrderRow } from './order-row.ts';
import {
  FINAL_STATES,
  stepBetween,
  type MovedBy,
  type OrderProblem,
  type OrderState,
} from '../rules/order-states.ts';

type Facts = Partial<
  Pick<
    OrderRow,
    | 'erpTimestamp'
    | 'erpOrderId'
    | 'erpNumber'
    | 'erpOrganizationErpId'
    | 'erpError'
    | 'sendUntil'
    | 'sentAt'
    | 'dueAt'
    | 'unansweredSince'
    | 'missingSince'
    | 'problem'
  >
>;

class IllegalOrderMove extends Error {
  constructor(orderId: string, from: OrderState, to: OrderState, by: MovedBy) {
    super(`Order ${orderId} cannot go from ${from} to ${to} by ${by}`);
    this.name = 'IllegalOrderMove';
  }
}

/** Updates a locked order without changing its state. */
export async function noteOrder(tx: Tx, row: OrderRow, facts: Facts): Promise<OrderRow> {
  const known = row as Readonly<Record<string, unknown>>;
  const isNew = Object.entries(facts).some(([name, value]) => known[name] !== value);
  if (isNew)
    await tx.db.updateTable('customer_order').set(facts).where('id', '=', row.id).execute();
  const noted = { ...row, ...facts };
  if (isNamedNow(row, noted.problem)) await endNotConfigured(tx, row.connectionId);

  return noted;
}

/**
 * Moves a locked order (rule ORD-31). Clears its problem unless `facts` contain one. A failed order
 * returns discount uses, and gifts if the ERP never had the order. Throws IllegalOrderMove.
 */
export async function moveOrder(
  { metrics }: MoveDeps,
  tx: Tx,
  row: OrderRow,
  state: OrderState,
  by: MovedBy,
  facts: Facts = {},
): Promise<OrderRow> {
  if (stepBetween(row.state, state, by) === null) {
    metrics.orderMovesRefused.inc({ from: row.state, to: state, by });
    throw new IllegalOrderMove(row.id, row.state, state, by);
  }

  const problem: OrderProblem | null = facts.problem ?? null;
  const change = { ...facts, problem, state, endedAt: FINAL_STATES.has(state) ? row.readAt : null };
  await alongside(tx.db, state === row.state ? {} : movedRows(row, state, { by, problem }))
    .updateTable('customer_order')
    .set(change)
    .where('id', '=', row.id)
    .execute();

  if (row.hasReservedGifts)
    await redeemOrReturnGifts(tx, row.id, { from: row.state, to: state, by, problem });
  await settleRedeemedGifts(tx, toReturning(row), canceled(row.state, state));
  if (isNamedNow(row, problem)) await endNotConfigured(tx, row.connectionId);

  return { ...row, ...facts, problem, state };
}

const movedRows = (
  { id, organizationId, state: from }: OrderRow,
  state: OrderState,
  { by, problem }: { by: MovedBy; problem: OrderProblem | null },
) => {
  const data = { orderId: id, previousStatus: from, status: state };
  return {
    move: (db: Statements) =>
      db.insertInto('order_move').values({ orderId: id, state, by, problem }),
    event: eventRows('order.status_changed', [{ id, organizationId, data }]),
    ...(state === 'CANCELLED' || state === 'FAILED'
      ? { uses: (db: Statements) => releasedUses(db, id) }
      : {}),
  };
};

/** Returns the order ids with which gifts were redeemed. */
export const toReturning = ({ id, erpOrderId }: Pick<OrderRow, 'id' | 'erpOrderId'>) => ({
  orderId: id,
  orderIds: erpOrderId === null ? [id] : [id, erpOrderId],
});

const canceled = (before: OrderState, after: OrderState) => ({
  wasCanceled: before === 'CANCELLED',
  isCanceled: after === 'CANCELLED',
});

const isNamedNow = (before: OrderRow, now: OrderProblem | null): boolean =>
  before.problem === 'NOT_CONFIGURED' && now !== 'NOT_CONFIGURED';
