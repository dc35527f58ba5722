import { DAY_MS } from '../../../kernel/pure/time.ts';
import type { OrderStanding } from '../messages/ordering.ts';
import type { CallOptions } from '../../../erp/call.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { Database } from '../../../platform/db/database.ts';
import { followOrder, type Following } from './follow-order.ts';
import type { PollDeps } from './apply-orders.ts';
import { raiseNeverClosed, raiseOrderNotice, resolveStuckOrder } from '../orders/order-notices.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { applyErpFact } from './apply-erp-fact.ts';
import { writeAnswer } from './write-answer.ts';
import { moveOrder } from '../orders/move-order.ts';
import { afterMissing, isStuck } from '../rules/unknown-answer.ts';
import {
  findOrder,
  holdOrder,
  mayBeAtErp,
  toStanding,
  type OrderDeps,
  type OrderRow,
} from '../orders/order-row.ts';

export type Patience = { stuckMs: number; missingMs: number; following?: Following };

/** Used by executions of an earlier release. */
const FOLLOWING: Following = { followMs: 600_000, isHinted: true };

/** More moves indicate a fault of the ERP. */
const MOST_MOVES = 5;

/**
 * Updates an order from the ERP (rules ORD-51, ORD-52, ORD-99). Idempotent. Throws only if the
 * database fails.
 */
export async function lookAtOrder(
  deps: OrderDeps & PollDeps,
  orderId: string,
  patience: Patience,
  options?: CallOptions,
): Promise<OrderStanding> {
  let row = await findOrder(deps.db, orderId);

  for (let moves = 0; moves <= MOST_MOVES; moves += 1) {
    const { stage } = toStanding(row);
    if (stage === 'ENDED' || stage === 'TO_SEND') return toStanding(row);
    if (!mayBeAtErp(row)) return giveUp(deps, orderId);
    if (moves === 0 && (await isLongOver(deps.db, row))) return stopPolling(deps, row, options);
    if (stage === 'AT_RESTAURANT')
      return followOrder(deps, row, patience.following ?? FOLLOWING, options);
    const reading = await readAtErp(deps, row, options);
    deps.failpoint('order-looked');
    if ('retryAfterMs' in reading) return toStanding(row, reading.retryAfterMs);
    const formerErpId = row.erpOrderId;
    row = await writeRead(deps, orderId, reading.order, patience);
    deps.failpoint('order-written');
    if (row.erpOrderId === null || row.erpOrderId === (formerErpId ?? row.id))
      return toStanding(row);
  }

  return toStanding(row);
}

/** Rule ORD-58. */
async function isLongOver(db: Database, { dueAt, readAt }: OrderRow): Promise<boolean> {
  const { order_watch_days: days } = await readSettings(db, 'order_watch_days');
  return dueAt.getTime() + days * DAY_MS <= readAt.getTime();
}

/**
 * Reads an order for the last time and closes it. Notifies staff, because the ERP may still expect
 * it.
 */
async function stopPolling(
  deps: OrderDeps,
  before: OrderRow,
  options: CallOptions | undefined,
): Promise<OrderStanding> {
  const reading = await readAtErp(deps, before, options);
  return deps.db.transaction(async (tx) => {
    const currentRow = await holdOrder(tx, before.id);
    const fact = 'retryAfterMs' in reading ? undefined : reading.order;
    const row = fact === undefined ? currentRow : await applyErpFact(deps, tx, currentRow, fact);
    if (toStanding(row).stage === 'ENDED') return toStanding(row);
    const state = row.state === 'ACCEPTED' || row.state === 'SENT' ? 'FAILED' : 'CLOSED';
    const details = {
      ours: { state: row.state, problem: row.problem, dueAt: row.dueAt.toISOString() },
      erp: {
        orderId: row.erpOrderId,
        status: fact?.creation === 'SUCCESS' ? fact.status : (fact?.creation ?? null),
        isAnswering: !('retryAfterMs' in reading),
      },
    };

    if (row.state === 'DELIVERED') await raiseNeverClosed(tx, row, details);
    else await raiseOrderNotice(tx, row, { kind: 'ORDER_NEVER_ENDED', cause: state, details });
    await resolveStuckOrder(tx, row.id);
    const facts = { problem: 'NEVER_ENDED', unansweredSince: null } as const;

    return toStanding(await moveOrder(deps, tx, row, state, 'CARTE', facts));
  });
}

type Read = { order: ErpDelivery | undefined } | { retryAfterMs: number | null };

/** Returns an undefined `order` if the ERP does not have it. */
export async function readAtErp(
  { db, erp }: Pick<OrderDeps, 'db' | 'erp'>,
  row: OrderRow,
  options?: CallOptions,
): Promise<Read> {
  const { erpId } = await db.db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', row.organizationId)
    .executeTakeFirstOrThrow();

  const id = row.erpOrderId ?? row.id;

  try {
    const { orders } = await erp.deliveriesById(
      row.connectionId,
      row.erpOrganizationErpId ?? erpId,
      [id],
      options,
    );

    return { order: orders.find((order) => order.id === id) };
  } catch (error) {
    if (!isErpFailure(error)) throw error;
    return { retryAfterMs: error.retryAfterMs ?? null };
  }
}

function writeRead(
  deps: OrderDeps,
  orderId: string,
  report: ErpDelivery | undefined,
  patience: Patience,
): Promise<OrderRow> {
  return deps.db.transaction(async (tx) => {
    const currentRow = await holdOrder(tx, orderId);
    if (report === undefined)
      return writeAnswer(deps, tx, currentRow, afterMissing(currentRow, patience));

    const row = await writeAnswer(deps, tx, currentRow, { kind: 'REPORT', report });
    return isStuck(row, patience.stuckMs) ? writeAnswer(deps, tx, row, { kind: 'STUCK' }) : row;
  });
}

function giveUp(deps: OrderDeps, orderId: string): Promise<OrderStanding> {
  return deps.db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    if (toStanding(row).stage !== 'AWAITED' || mayBeAtErp(row)) return toStanding(row);
    return toStanding(await writeAnswer(deps, tx, row, { kind: 'NOT_THERE' }));
  });
}
