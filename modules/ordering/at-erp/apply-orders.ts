import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import { importGiftOrders } from '../../gifts/orders/import-gift-orders.ts';
import { wakeOrder } from './accompany-order.ts';
import { applyErpFact, erpIdOf } from './apply-erp-fact.ts';
import { readAgainFrom, type SavedRevision } from './order-revision.ts';
import { holdOrder, toStanding, type OrderDeps, type OrderRow } from '../orders/order-row.ts';
import { saveErpOrders } from './save-erp-orders.ts';

export type PollDeps = Omit<OrderDeps, 'failpoint'> &
  TemporalDeps & { env: { SYNC_TIME_ZONE: string } };

/** An empty `search` finds all orders. */
export type Poll = { connectionId: number; readsAll: boolean; search: { sourceKeys?: string[] } };

/** `gifts` includes orders from other channels. */
export type AppliedOrders = { orders: number; gifts: number };

/**
 * Applies reports to orders, one transaction each, then to rights. `saved` is the revision before
 * the request. `passedOver` are orders without gifts.
 */
export async function applyAll(
  deps: PollDeps,
  connectionId: number,
  facts: readonly ErpDelivery[],
  saved: SavedRevision | null,
): Promise<AppliedOrders & { passedOver: string[] }> {
  const reports = indexReports(facts);
  const { byId } = reports;
  // The first report may already have the new id.
  const reportedIds = [...byId.keys(), ...reports.successors.keys()];
  const ours = (await ownOrders(deps, reportedIds)).filter(
    (order) => order.connectionId === connectionId,
  );

  for (const [at, { id }] of ours.entries()) {
    reportProgress({ applied: at, of: ours.length });
    const [before, after] = await deps.db.prepared.transaction(async (tx) => {
      const row = await holdOrder(tx, id);
      return [row, await applyReports(deps, tx, row, reports)] as const;
    });

    const standing = toStanding(after);
    // The workflow detects other changes when it next reads the order.
    if (toStanding(before).stage !== standing.stage || before.erpOrderId !== after.erpOrderId)
      await wakeOrder(deps, { orderId: id, organizationId: after.organizationId }, standing);
  }

  const existing = (await ownOrders(deps, reportedIds)).flatMap(({ id, erpOrderId, ...order }) =>
    [id, erpOrderId ?? id].map((erpId) => ({
      erpId,
      id,
      isMine: order.connectionId === connectionId,
    })),
  );

  const own = new Map(existing.filter(({ isMine }) => isMine).map(({ erpId, id }) => [erpId, id]));
  const elsewhere = new Set(existing.filter(({ isMine }) => !isMine).map(({ erpId }) => erpId));
  // Orders stay in their ERP account even if the restaurant moves (rule CMP-94).
  const mine = [...byId.values()].filter(
    (fact) =>
      !elsewhere.has(fact.id) &&
      !(fact.creation === 'SUCCESS' && elsewhere.has(fact.movedFrom ?? '')),
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

type Reports = {
  byId: ReadonlyMap<string, ErpDelivery>;
  successors: ReadonlyMap<string, ErpDelivery>;
};

function indexReports(facts: readonly ErpDelivery[]): Reports {
  const byId = new Map(
    facts.toSorted((one, other) => one.timestamp - other.timestamp).map((fact) => [fact.id, fact]),
  );
  const moved = [...byId.values()].flatMap((fact) =>
    fact.creation === 'SUCCESS' && fact.movedFrom !== null ? [[fact.movedFrom, fact] as const] : [],
  );

  return { byId, successors: new Map(moved) };
}

/** Follows moves. The successor's report is applied first (rule ORD-52). */
async function applyReports(
  deps: PollDeps,
  tx: Tx,
  firstRow: OrderRow,
  reports: Reports,
): Promise<OrderRow> {
  let row = firstRow;
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

function ownOrders({ db }: PollDeps, erpIds: readonly string[]) {
  const ids = anyOf(erpIds, 'uuid');
  return db.db
    .selectFrom('customer_order')
    .select(['id', 'erpOrderId', 'connectionId'])
    .where((eb) => eb.or([eb('id', '=', ids), eb('erpOrderId', '=', ids)]))
    .orderBy('id')
    .execute();
}
