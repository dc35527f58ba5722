import { DAY_MS } from '../../../kernel/pure/time.ts';
import type { OrderStanding } from '../messages/ordering.ts';
import type { CallOptions } from '../../../erp/call.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { followOrder, type Following } from './follow-order.ts';
import type { PollDeps } from './apply-orders.ts';
import { raiseNeverClosed, raiseOrderNotice, resolveStuckOrder } from '../orders/order-notices.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { applyErpFact } from './apply-erp-fact.ts';
import { moveOrder, noteOrder } from '../orders/move-order.ts';
import {
  findOrder,
  holdOrder,
  mayBeAtErp,
  standingOf,
  type OrderDeps,
  type MoveDeps,
  type OrderRow,
} from '../orders/order-row.ts';

/** The time limits of a restaurant, and of an order that is missing at the ERP; ms. */
export type Patience = { stuckMs: number; missingMs: number; following?: Following };

/** Executions of an earlier release name nothing. */
const FOLLOWING: Following = { followMs: 600_000, isHinted: true };

/** An order is moved once or twice; more often only by a fault of the ERP. */
const MOST_MOVES = 5;

/**
 * Reads one order at the ERP and updates the row (rules ORD-51, ORD-52); one that its restaurant
 * has is followed with others (rule ORD-99). An order that was not sent to the ERP in time is given
 * up, and one whose time is days ago is abandoned. A second call is harmless: a read, and facts
 * that change nothing the second time. An ERP that does not answer is a result; rejects with
 * failures of our own database only.
 */
export async function lookAtOrder(
  deps: OrderDeps & PollDeps,
  orderId: string,
  patience: Patience,
  options?: CallOptions,
): Promise<OrderStanding> {
  let row = await findOrder(deps.db, orderId);
  for (let moves = 0; moves <= MOST_MOVES; moves += 1) {
    const { stage } = standingOf(row);
    if (stage === 'ENDED' || stage === 'TO_SEND') return standingOf(row);
    if (!mayBeAtErp(row)) return giveUp(deps, orderId);
    if (moves === 0 && (await isLongOver(deps.db, row))) return letGo(deps, row, options);
    if (stage === 'AT_RESTAURANT') return followOrder(deps, row, patience.following ?? FOLLOWING, options);
    const found = await readAtErp(deps, row, options);
    deps.failpoint('order-looked');
    if ('retryAfterMs' in found) return standingOf(row, found.retryAfterMs);
    const asked = row.erpOrderId;
    row = await deps.db.transaction(async (tx) => {
      const held = await holdOrder(tx, orderId);
      return found.order === undefined
        ? missing(deps, tx, held, patience)
        : seen(deps, tx, held, found.order, patience);
    });
    deps.failpoint('order-written');
    if (row.erpOrderId === null || row.erpOrderId === (asked ?? row.id)) return standingOf(row);
  }
  return standingOf(row);
}

/** Returns whether an order is too old to be followed (rule ORD-58). */
async function isLongOver(db: Database, { dueAt, readAt }: OrderRow): Promise<boolean> {
  const { order_watch_days: days } = await readSettings(db, 'order_watch_days');
  return dueAt.getTime() + days * DAY_MS <= readAt.getTime();
}

/**
 * Reads an order for the last time, and ends it in its state if the ERP has not: an order that a
 * restaurant has had for days is over for its guest. One that no restaurant ever accepted has
 * failed. Staff are notified, because the ERP may still count on it.
 */
async function letGo(deps: OrderDeps, before: OrderRow, options: CallOptions | undefined): Promise<OrderStanding> {
  const found = await readAtErp(deps, before, options);
  return deps.db.transaction(async (tx) => {
    const held = await holdOrder(tx, before.id);
    const fact = 'retryAfterMs' in found ? undefined : found.order;
    const row = fact === undefined ? held : await applyErpFact(deps, tx, held, fact);
    if (standingOf(row).stage === 'ENDED') return standingOf(row);
    const state = row.state === 'ACCEPTED' || row.state === 'SENT' ? 'FAILED' : 'CLOSED';
    const details = {
      ours: { state: row.state, problem: row.problem, dueAt: row.dueAt.toISOString() },
      erp: {
        orderId: row.erpOrderId,
        status: fact?.creation === 'SUCCESS' ? fact.status : (fact?.creation ?? null),
        isAnswering: !('retryAfterMs' in found),
      },
    };
    if (row.state === 'DELIVERED') await raiseNeverClosed(tx, row, details);
    else await raiseOrderNotice(tx, row, { kind: 'ORDER_NEVER_ENDED', cause: state, details });
    await resolveStuckOrder(tx, row.id);
    const facts = { problem: 'NEVER_ENDED', unansweredSince: null } as const;
    return standingOf(await moveOrder(deps, tx, row, state, 'CARTE', facts));
  });
}

type Read = { order: ErpDelivery | undefined } | { retryAfterMs: number | null };

async function readAtErp({ db, erp }: OrderDeps, row: OrderRow, options: CallOptions | undefined): Promise<Read> {
  const { erpId } = await db.db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', row.organizationId)
    .executeTakeFirstOrThrow();
  const id = row.erpOrderId ?? row.id;
  try {
    const { orders } = await erp.deliveriesById(row.connectionId, row.erpOrganizationErpId ?? erpId, [id], options);
    return { order: orders.find((order) => order.id === id) };
  } catch (error) {
    if (!isErpFailure(error)) throw error;
    return { retryAfterMs: error.retryAfterMs ?? null };
  }
}

async function seen(
  deps: MoveDeps,
  tx: Tx,
  before: OrderRow,
  fact: ErpDelivery,
  { stuckMs }: Patience,
): Promise<OrderRow> {
  const row = await applyErpFact(deps, tx, before, fact);
  if (row.state !== 'SENT' || row.problem === 'STUCK_IN_PROGRESS') return row;
  return isAgo(row, row.sentAt ?? row.readAt, stuckMs) ? stuck(tx, row) : row;
}

/** True if a moment of an order is at least `ms` ago by the database clock. */
const isAgo = ({ readAt }: OrderRow, moment: Date, ms: number): boolean => readAt.getTime() - moment.getTime() >= ms;

/** The ERP has the order, and the restaurant does not accept it. */
async function stuck(tx: Tx, row: OrderRow): Promise<OrderRow> {
  await raiseOrderNotice(tx, row, {
    kind: 'ORDER_STUCK',
    cause: 'STUCK_IN_PROGRESS',
    details: { sentAt: row.sentAt?.toISOString() ?? null },
  });
  return noteOrder(tx, row, { problem: 'STUCK_IN_PROGRESS' });
}

/**
 * One look that does not find an order proves nothing; looks over a time after the last call do.
 */
async function missing(deps: MoveDeps, tx: Tx, row: OrderRow, { stuckMs, missingMs }: Patience): Promise<OrderRow> {
  if (row.state !== 'SENT') return row;
  if (row.erpOrderId !== null) {
    const isStuck = row.problem !== 'STUCK_IN_PROGRESS' && (row.sentAt === null || isAgo(row, row.sentAt, stuckMs));
    return isStuck ? stuck(tx, row) : row;
  }
  if (row.missingSince === null) return noteOrder(tx, row, { missingSince: row.readAt });
  return isAgo(row, row.missingSince, missingMs) ? notThere(deps, tx, row) : row;
}

function giveUp(deps: OrderDeps, orderId: string): Promise<OrderStanding> {
  return deps.db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    return standingOf(standingOf(row).stage !== 'AWAITED' || mayBeAtErp(row) ? row : await notThere(deps, tx, row));
  });
}

/**
 * Ends an order that the ERP certainly does not have. The guest waits for it, so staff are
 * notified.
 */
async function notThere(deps: MoveDeps, tx: Tx, row: OrderRow): Promise<OrderRow> {
  const problem = row.erpError === null ? 'DEADLINE_PASSED' : 'REJECTED_BY_ERP';
  const failed = await moveOrder(deps, tx, row, 'FAILED', 'CARTE', { problem, unansweredSince: null });
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
