import type { Tx } from '../../../platform/db/database.ts';
import { moveOrder, noteOrder } from '../orders/move-order.ts';
import { raiseOrderNotice } from '../orders/order-notices.ts';
import type { MoveDeps, OrderRow } from '../orders/order-row.ts';
import type { AfterAnswer } from '../rules/unknown-answer.ts';
import { applyErpFact, refuseOrder } from './apply-erp-fact.ts';

/** Applies an ERP response to a locked order. */
export async function writeAnswer(
  deps: MoveDeps,
  tx: Tx,
  row: OrderRow,
  next: AfterAnswer,
): Promise<OrderRow> {
  switch (next.kind) {
    case 'REPORT':
      return applyErpFact(deps, tx, row, next.report);
    case 'NOTE':
      return noteOrder(tx, row, next.facts);
    case 'REFUSED': {
      const { erpError } = next;
      return refuseOrder(deps, tx, row, next, { erpError, unansweredSince: null });
    }
    case 'STUCK':
      return writeStuck(tx, row);
    case 'NOT_THERE':
      return writeNotThere(deps, tx, row);
  }
}

async function writeStuck(tx: Tx, row: OrderRow): Promise<OrderRow> {
  await raiseOrderNotice(tx, row, {
    kind: 'ORDER_STUCK',
    cause: 'STUCK_IN_PROGRESS',
    details: { sentAt: row.sentAt?.toISOString() ?? null },
  });

  return noteOrder(tx, row, { problem: 'STUCK_IN_PROGRESS' });
}

async function writeNotThere(deps: MoveDeps, tx: Tx, row: OrderRow): Promise<OrderRow> {
  const problem = row.erpError === null ? 'DEADLINE_PASSED' : 'REJECTED_BY_ERP';
  const failed = await moveOrder(deps, tx, row, 'FAILED', 'CARTE', {
    problem,
    unansweredSince: null,
  });

  await raiseOrderNotice(tx, row, {
    kind: 'ORDER_NOT_SENT',
    cause: problem,
    details: {
      heldUpBy: row.problem,
      error: row.erpError,
      sendUntil: row.sendUntil.toISOString(),
    },
  });

  return failed;
}
