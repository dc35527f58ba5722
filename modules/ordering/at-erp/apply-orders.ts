import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import { importGiftOrders } from '../../gifts/orders/import-gift-orders.ts';
import { wakeOrder } from './accompany-order.ts';
import { applyErpFact, erpIdOf } from './apply-erp-fact.ts';
import { readAgainFrom, type SavedRevision } from './order-revision.ts';
import { holdOrder, standingOf, type OrderDeps, type OrderRow } from '../orders/order-row.ts';
import { saveErpOrders } from './save-erp-orders.ts';

export type PollDeps = Omit<OrderDeps, 'failpoint'> & TemporalDeps & { env: { SYNC_TIME_ZONE: string } };

/** Parameters of a poll. An empty `search` finds all orders. */
export type Poll = { connectionId: number; readsAll: boolean; search: { sourceKeys?: string[] } };

/**
 * Numbers of orders that were updated from the ERP; `gifts` includes orders from other channels.
 */
export type AppliedOrders = { orders: number; gifts: number };

/**
 * Updates our orders from the ERP's facts, one transaction each, then the rights to gifts. Returns
 * the numbers of our orders and of orders with gifts, and the orders that were skipped because they
 * have none. `saved` is the revision that was saved when the ERP was queried.
 */
export async function applyAll(
  deps: PollDeps,
  connectionId: number,
  facts: readonly ErpDelivery[],
  saved: SavedRevision | null,
): Promise<AppliedOrders & { passedOver: string[] }> {
  const reports = reportsOf(facts);
  const { byId } = reports;
  // An order may be reported first under the id to which it was moved.
  const reportedIds = [...byId.keys(), ...reports.successors.keys()];
  const ours = (await ownOrders(deps, reportedIds)).filter((order) => order.connectionId === connectionId);
  for (const [at, { id }] of ours.entries()) {
    reportProgress({ applied: at, of: ours.length });
    const [before, after] = await deps.db.prepared.transaction(async (tx) => {
      const held = await holdOrder(tx, id);
      return [held, await applyReports(deps, tx, held, reports)] as const;
    });
    const standing = standingOf(after);
    // The workflow must change its course; it reads other status changes from the row with its next
    // check.
    if (standingOf(before).stage !== standing.stage || before.erpOrderId !== after.erpOrderId)
      await wakeOrder(deps, { orderId: id, organizationId: after.organizationId }, standing);
  }
  // Moved orders have new ids now.
  const existing = (await ownOrders(deps, reportedIds)).flatMap(({ id, erpOrderId, ...order }) =>
    [id, erpOrderId ?? id].map((erpId) => ({ erpId, id, isMine: order.connectionId === connectionId })),
  );
  const own = new Map(existing.filter(({ isMine }) => isMine).map(({ erpId, id }) => [erpId, id]));
  const elsewhere = new Set(existing.filter(({ isMine }) => !isMine).map(({ erpId }) => erpId));
  // Our order is tracked in the account that it was sent to, even if its restaurant has moved to
  // another account (rule CMP-94).
  const mine = [...byId.values()].filter(
    (fact) => !elsewhere.has(fact.id) && !(fact.creation === 'SUCCESS' && elsewhere.has(fact.movedFrom ?? '')),
  );
  reportProgress({ applied: ours.length, saves: mine.length });
  await saveErpOrders(deps, connectionId, mine, new Set(own.keys()));
  reportProgress({ saves: 0 });
  const { orders: gifts, passedOver } = await importGiftOrders(deps, connectionId, mine, {
    own,
    noteFirst: (tx) => readAgainFrom(tx, connectionId, saved),
  });
  return { orders: ours.length, gifts, passedOver };
}

/** Reports of one answer: by the order's id, and by the id that an order had before its move. */
type Reports = { byId: ReadonlyMap<string, ErpDelivery>; successors: ReadonlyMap<string, ErpDelivery> };

/** The newest report of each order decides. */
function reportsOf(facts: readonly ErpDelivery[]): Reports {
  const byId = new Map(facts.toSorted((one, other) => one.timestamp - other.timestamp).map((fact) => [fact.id, fact]));
  const moved = [...byId.values()].flatMap((fact) =>
    fact.creation === 'SUCCESS' && fact.movedFrom !== null ? [[fact.movedFrom, fact] as const] : [],
  );
  return { byId, successors: new Map(moved) };
}

/**
 * Applies the reports of an order one after another, each under the id to which the one before has
 * moved it (rule ORD-52). The order that it was moved to decides for any report of the old one.
 */
async function applyReports(deps: PollDeps, tx: Tx, held: OrderRow, reports: Reports): Promise<OrderRow> {
  let row = held;
  const applied = new Set<ErpDelivery>();
  for (;;) {
    const erpId = erpIdOf(row);
    const fact = [reports.successors.get(erpId), reports.byId.get(erpId)].find(
      (report) => report !== undefined && !applied.has(report),
    );
    if (fact === undefined) return row;
    applied.add(fact);
    row = await applyErpFact(deps, tx, row, fact);
  }
}

/** Our orders among these, of any connection. */
function ownOrders({ db }: PollDeps, erpIds: readonly string[]) {
  const ids = anyOf(erpIds, 'uuid');
  return db.db
    .selectFrom('customer_order')
    .select(['id', 'erpOrderId', 'connectionId'])
    .where((eb) => eb.or([eb('id', '=', ids), eb('erpOrderId', '=', ids)]))
    .orderBy('id')
    .execute();
}
