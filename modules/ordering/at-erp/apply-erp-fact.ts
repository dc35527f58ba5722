import { afterFact, type ErpFact } from '../rules/order-states.ts';
import { UNNAMED } from '../rules/unknown-answer.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { redeemGiftsOfCreated, settleRedeemedGifts } from '../../gifts/orders/gifts-after-order.ts';
import { raiseOrderNotice, resolveStuckOrder } from '../orders/order-notices.ts';
import { moveOrder, noteOrder, returningOf } from '../orders/move-order.ts';
import type { MoveDeps, OrderRow } from '../orders/order-row.ts';

/** The ERP has it: the result of the sending is now clear. */
const FOUND = { unansweredSince: null, missingSince: null } as const;

/**
 * Updates an order that the caller has locked from a report of the ERP, and returns it (rules
 * ORD-31, ORD-52). The report is of its present id at the ERP, or of the order to which that one
 * was moved. A second call, a late fact and one of a former order id change nothing. Contradictions
 * to an ended order are reported to staff.
 */
export async function applyErpFact(deps: MoveDeps, tx: Tx, before: OrderRow, fact: ErpDelivery): Promise<OrderRow> {
  const isMovedHere = isSuccessor(fact, before);
  if (!isMovedHere && fact.id !== erpIdOf(before)) return before;
  const row = isMovedHere ? await followMove(tx, before, fact.id, fact.organizationId) : before;
  // Also when it was moved at once, or has a status that is new to us.
  if (fact.creation === 'SUCCESS' && row.hasReservedGifts) await redeemGiftsOfCreated(tx, row);
  // The old order is canceled at the ERP or left there, and lives on under another id.
  if (fact.creation === 'SUCCESS' && fact.movedTo !== null)
    return followMove(tx, row, fact.movedTo.deliveryId, fact.movedTo.organizationId);
  const after = afterFact({ state: row.state, timestamp: row.erpTimestamp }, fact as ErpFact);
  if (after.kind === 'CONTRADICTION') {
    await notifyDivergence(tx, row, fact);
    const erpOrderId = row.erpOrderId ?? fact.id;
    if (row.state !== 'CANCELLED' || fact.creation !== 'SUCCESS') return noteOrder(tx, row, { erpOrderId });
    await settleRedeemedGifts(tx, returningOf(row), { wasCanceled: true, isCanceled: false });
    return noteOrder(tx, row, { erpOrderId, erpTimestamp: fact.timestamp });
  }
  if (after.kind === 'UNCHANGED') {
    if (isCanceledAgain(row, fact)) {
      // The ERP had resumed it.
      await settleRedeemedGifts(tx, returningOf(row), { wasCanceled: false, isCanceled: true });
      return noteOrder(tx, row, { erpTimestamp: fact.timestamp });
    }
    if (isUnreported(row)) return noteOrder(tx, row, { ...numberOf(fact), erpTimestamp: fact.timestamp });
    if (row.state !== 'SENT' || row.erpOrderId !== null) return row;
    return noteOrder(tx, row, { ...FOUND, ...numberOf(fact), erpOrderId: fact.id, erpError: null, problem: null });
  }
  const { state, timestamp } = after.standing;
  const known = { ...FOUND, ...numberOf(fact), erpOrderId: fact.id, erpTimestamp: timestamp };
  if (fact.creation === 'ERROR') {
    const refused = { ...known, erpError: fact.errorCode ?? UNNAMED };
    return refuseOrder(deps, tx, row, fact, refused);
  }
  // Only an order that its restaurant has not accepted can be stuck.
  if (row.state === 'SENT') await resolveStuckOrder(tx, row.id);
  const problem = state === 'CANCELLED' ? 'CANCELLED_BY_RESTAURANT' : null;
  return moveOrder(deps, tx, row, state, 'ERP', { ...known, erpError: null, problem });
}

/** The id under which the ERP has an order, or would have it. */
export const erpIdOf = ({ id, erpOrderId }: Pick<OrderRow, 'id' | 'erpOrderId'>): string => erpOrderId ?? id;

/** Returns whether a report is of the order to which the ERP has moved an order. */
const isSuccessor = (fact: ErpDelivery, row: Pick<OrderRow, 'id' | 'erpOrderId'>): boolean =>
  fact.creation === 'SUCCESS' && fact.movedFrom === erpIdOf(row);

/**
 * Records the new id of a moved order. Its count starts again, because counts of two orders of
 * the ERP do not compare.
 */
const followMove = (tx: Tx, row: OrderRow, erpOrderId: string, organizationErpId: string | null): Promise<OrderRow> =>
  noteOrder(tx, row, {
    ...FOUND,
    erpOrderId,
    erpOrganizationErpId: organizationErpId ?? row.erpOrganizationErpId,
    erpTimestamp: null,
  });

/** Returns whether an order was moved and the ERP has not reported it under its new id. */
const isUnreported = ({ id, erpOrderId, erpTimestamp }: OrderRow): boolean =>
  erpTimestamp === null && erpOrderId !== null && erpOrderId !== id;

/** The number of the ERP, by which staff find the order (rule ORD-133). */
const numberOf = (fact: ErpDelivery): { erpNumber?: string } =>
  fact.creation === 'SUCCESS' && fact.number !== null ? { erpNumber: String(fact.number) } : {};

/** Returns whether the ERP cancels an order again that it had resumed. */
const isCanceledAgain = ({ state, erpTimestamp }: OrderRow, fact: ErpDelivery): boolean =>
  state === 'CANCELLED' &&
  fact.creation === 'SUCCESS' &&
  fact.status === 'Cancelled' &&
  fact.timestamp > (erpTimestamp ?? Infinity);

/** The state of the ERP, in ids and words. */
type ErpSide = {
  creation?: string;
  status?: string | number | null;
  timestamp?: number;
  correlationId?: string | null;
};

/**
 * Ends an order that we accepted and the ERP rejects, and notifies staff of both sides (rule
 * ORD-53).
 */
export async function refuseOrder(
  deps: MoveDeps,
  tx: Tx,
  row: OrderRow,
  erp: ErpSide,
  facts: Parameters<typeof moveOrder>[5] & { erpError: string },
): Promise<OrderRow> {
  const failed = await moveOrder(deps, tx, row, 'FAILED', 'ERP', { ...facts, problem: 'REJECTED_BY_ERP' });
  await notifyDivergence(tx, failed, erp);
  await resolveStuckOrder(tx, row.id);
  return failed;
}

/**
 * Notifies staff that the ERP and an order of ours disagree: ids, states and sums of both sides,
 * nothing of the guest.
 */
function notifyDivergence(tx: Tx, row: OrderRow, erp: ErpSide): Promise<void> {
  return raiseOrderNotice(tx, row, {
    kind: 'ORDER_DIVERGENCE',
    cause: row.problem === 'REJECTED_BY_ERP' ? 'REJECTED_BY_ERP' : 'CONTRADICTION',
    details: {
      ours: { state: row.state, problem: row.problem, totalKopecks: row.totalKopecks, erpTimestamp: row.erpTimestamp },
      erp: {
        orderId: row.erpOrderId ?? row.id,
        creation: erp.creation ?? null,
        status: erp.status ?? null,
        error: row.erpError,
        timestamp: erp.timestamp ?? null,
        correlationId: erp.correlationId ?? null,
      },
    },
  });
}
