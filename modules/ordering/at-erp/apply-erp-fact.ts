import { afterFact, type ErpFact } from '../rules/order-states.ts';
import { UNNAMED } from '../rules/unknown-answer.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { redeemGiftsOfCreated, settleRedeemedGifts } from '../../gifts/orders/gifts-after-order.ts';
import { raiseOrderNotice, resolveStuckOrder } from '../orders/order-notices.ts';
import { moveOrder, noteOrder, toReturning } from '../orders/move-order.ts';
import type { MoveDeps, OrderRow } from '../orders/order-row.ts';

const FOUND = { unansweredSince: null, missingSince: null } as const;

/**
 * Applies an ERP report to a locked order (rules ORD-31, ORD-52). Ignores outdated and repeated
 * reports.
 */
export async function applyErpFact(
  deps: MoveDeps,
  tx: Tx,
  before: OrderRow,
  fact: ErpDelivery,
): Promise<OrderRow> {
  const isMovedHere = isSuccessor(fact, before);
  if (!isMovedHere && fact.id !== erpIdOf(before)) return before;
  const row = isMovedHere ? await followMove(tx, before, fact.id, fact.organizationId) : before;
  // Gifts are redeemed even if the order has moved or has an unsupported status.
  if (fact.creation === 'SUCCESS' && row.hasReservedGifts) await redeemGiftsOfCreated(tx, row);
  if (fact.creation === 'SUCCESS' && fact.movedTo !== null)
    return followMove(tx, row, fact.movedTo.deliveryId, fact.movedTo.organizationId);
  const after = afterFact({ state: row.state, timestamp: row.erpTimestamp }, fact as ErpFact);
  if (after.kind === 'CONTRADICTION') {
    await notifyDivergence(tx, row, fact);
    const erpOrderId = row.erpOrderId ?? fact.id;
    if (row.state !== 'CANCELLED' || fact.creation !== 'SUCCESS')
      return noteOrder(tx, row, { erpOrderId });
    await settleRedeemedGifts(tx, toReturning(row), { wasCanceled: true, isCanceled: false });

    return noteOrder(tx, row, { erpOrderId, erpTimestamp: fact.timestamp });
  }

  if (after.kind === 'UNCHANGED') {
    if (isCanceledAgain(row, fact)) {
      // The ERP had resumed the order.
      await settleRedeemedGifts(tx, toReturning(row), { wasCanceled: false, isCanceled: true });
      return noteOrder(tx, row, { erpTimestamp: fact.timestamp });
    }

    if (isUnreported(row))
      return noteOrder(tx, row, { ...pickErpNumber(fact), erpTimestamp: fact.timestamp });
    if (row.state !== 'SENT' || row.erpOrderId !== null) return row;

    return noteOrder(tx, row, {
      ...FOUND,
      ...pickErpNumber(fact),
      erpOrderId: fact.id,
      erpError: null,
      problem: null,
    });
  }

  const { state, timestamp } = after.standing;
  const known = { ...FOUND, ...pickErpNumber(fact), erpOrderId: fact.id, erpTimestamp: timestamp };
  if (fact.creation === 'ERROR') {
    const refused = { ...known, erpError: fact.errorCode ?? UNNAMED };
    return refuseOrder(deps, tx, row, fact, refused);
  }

  if (row.state === 'SENT') await resolveStuckOrder(tx, row.id);
  const problem = state === 'CANCELLED' ? 'CANCELLED_BY_RESTAURANT' : null;

  return moveOrder(deps, tx, row, state, 'ERP', { ...known, erpError: null, problem });
}

/** Returns the order's ERP id, even before it is sent. */
export const erpIdOf = ({ id, erpOrderId }: Pick<OrderRow, 'id' | 'erpOrderId'>): string =>
  erpOrderId ?? id;

const isSuccessor = (fact: ErpDelivery, row: Pick<OrderRow, 'id' | 'erpOrderId'>): boolean =>
  fact.creation === 'SUCCESS' && fact.movedFrom === erpIdOf(row);

/** Resets the timestamp, because timestamps of different ERP orders are not comparable. */
const followMove = (
  tx: Tx,
  row: OrderRow,
  erpOrderId: string,
  organizationErpId: string | null,
): Promise<OrderRow> =>
  noteOrder(tx, row, {
    ...FOUND,
    erpOrderId,
    erpOrganizationErpId: organizationErpId ?? row.erpOrganizationErpId,
    erpTimestamp: null,
  });

const isUnreported = ({ id, erpOrderId, erpTimestamp }: OrderRow): boolean =>
  erpTimestamp === null && erpOrderId !== null && erpOrderId !== id;

/** Rule ORD-133. */
const pickErpNumber = (fact: ErpDelivery): { erpNumber?: string } =>
  fact.creation === 'SUCCESS' && fact.number !== null ? { erpNumber: String(fact.number) } : {};

const isCanceledAgain = ({ state, erpTimestamp }: OrderRow, fact: ErpDelivery): boolean =>
  state === 'CANCELLED' &&
  fact.creation === 'SUCCESS' &&
  fact.status === 'Cancelled' &&
  fact.timestamp > (erpTimestamp ?? Infinity);

type ErpSide = {
  creation?: string;
  status?: string | number | null;
  timestamp?: number;
  correlationId?: string | null;
};

/** Fails an order that the ERP rejects, and notifies staff (rule ORD-53). */
export async function refuseOrder(
  deps: MoveDeps,
  tx: Tx,
  row: OrderRow,
  erp: ErpSide,
  facts: Parameters<typeof moveOrder>[5] & { erpError: string },
): Promise<OrderRow> {
  const failed = await moveOrder(deps, tx, row, 'FAILED', 'ERP', {
    ...facts,
    problem: 'REJECTED_BY_ERP',
  });
  await notifyDivergence(tx, failed, erp);
  await resolveStuckOrder(tx, row.id);

  return failed;
}

/** The details contain no personal data. */
function notifyDivergence(tx: Tx, row: OrderRow, erp: ErpSide): Promise<void> {
  return raiseOrderNotice(tx, row, {
    kind: 'ORDER_DIVERGENCE',
    cause: row.problem === 'REJECTED_BY_ERP' ? 'REJECTED_BY_ERP' : 'CONTRADICTION',
    details: {
      ours: {
        state: row.state,
        problem: row.problem,
        totalKopecks: row.totalKopecks,
        erpTimestamp: row.erpTimestamp,
      },
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
