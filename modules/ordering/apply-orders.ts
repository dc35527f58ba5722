import { anyOf } from '../../platform/db/database.ts';
import type { ErpDelivery } from '../../erp/schemas/deliveries.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import { importGiftOrders } from '../gifts/import-gift-orders.ts';
import { wakeOrder } from './accompany-order.ts';
import { applyErpFact } from './apply-erp-fact.ts';
import { readAgainFrom, type SavedRevision } from './order-revision.ts';
import { holdOrder, standingOf, type OrderDeps } from './order-row.ts';
import { saveErpOrders } from './save-erp-orders.ts';

export type PollDeps = Omit<OrderDeps, 'failpoint'> & TemporalDeps & { env: { SYNC_TIME_ZONE: string } };

/** What a poll asks for. An empty `search` finds the orders of everybody. */
export type Poll = { connectionId: number; readsAll: boolean; search: { sourceKeys?: string[] } };

/** Counts of orders that were brought to what the ERP says; `gifts` also of those made elsewhere. */
export type AppliedOrders = { orders: number; gifts: number };

/**
 * Brings each of our orders to what the ERP says of it, one transaction each, then the rights to gifts, and returns how many are ours, how many
 * contain gifts, and the orders that were passed over for having none. `saved` is what was saved when the ERP was asked.
 */
export async function applyAll(
  deps: PollDeps,
  connectionId: number,
  facts: readonly ErpDelivery[],
  saved: SavedRevision | null,
): Promise<AppliedOrders & { passedOver: string[] }> {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const ours = (await ownOrders(deps, [...byId.keys()])).filter((each) => each.connectionId === connectionId);
  for (const { id, erpOrderId } of ours) {
    const fact = byId.get(erpOrderId ?? id);
    if (fact === undefined) continue;
    const [before, after] = await deps.db.transaction(async (tx) => {
      const held = await holdOrder(tx, id);
      return [held, await applyErpFact(deps, tx, held, fact)] as const;
    });
    const isOver = standingOf(before).stage !== standingOf(after).stage;
    // The workflow goes another way from here; a status on the way it finds in the row with its next look.
    if (isOver || before.erpOrderId !== after.erpOrderId)
      await wakeOrder(deps, { orderId: id, organizationId: after.organizationId });
  }
  // Moved ones have other ids now, or will have with the next look.
  const formerIds = facts.flatMap((fact) => (fact.creation === 'SUCCESS' ? (fact.movedFrom ?? []) : []));
  const known = (await ownOrders(deps, [...byId.keys(), ...formerIds])).flatMap(({ id, erpOrderId, ...order }) =>
    [id, erpOrderId ?? id].map((erpId) => ({ erpId, id, isMine: order.connectionId === connectionId })),
  );
  const own = new Map(known.filter(({ isMine }) => isMine).map(({ erpId, id }) => [erpId, id]));
  const elsewhere = new Set(known.filter(({ isMine }) => !isMine).map(({ erpId }) => erpId));
  // An order of ours follows the account that it was sent to, also when its restaurant has moved to another one (rule CMP-94).
  const mine = [...byId.values()].filter(
    (fact) => !elsewhere.has(fact.id) && !(fact.creation === 'SUCCESS' && elsewhere.has(fact.movedFrom ?? '')),
  );
  await saveErpOrders(deps, connectionId, mine, new Set(own.keys()));
  const { orders: gifts, passedOver } = await importGiftOrders(deps, connectionId, mine, {
    own,
    noteFirst: (tx) => readAgainFrom(tx, connectionId, saved),
  });
  return { orders: ours.length, gifts, passedOver };
}

/** The orders of ours among these, whichever connection they were sent to. */
function ownOrders({ db }: PollDeps, erpIds: readonly string[]) {
  const ids = anyOf(erpIds, 'uuid');
  return db.db
    .selectFrom('customer_order')
    .select(['id', 'erpOrderId', 'connectionId'])
    .where((eb) => eb.or([eb('id', '=', ids), eb('erpOrderId', '=', ids)]))
    .orderBy('id')
    .execute();
}
