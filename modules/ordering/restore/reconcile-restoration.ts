import { sql } from 'kysely';
import { anyOf, json, type Sql } from '../../../platform/db/database.ts';
import { StartFailure } from '../../../platform/start-failure.ts';
import { importGiftOrders } from '../../gifts/orders/import-gift-orders.ts';
import { savedRevision } from '../at-erp/order-revision.ts';
import { holdOrder } from '../orders/order-row.ts';
import { applyAll, type PollDeps } from '../at-erp/apply-orders.ts';
import { withdrawHeld } from '../orders/withdraw-order.ts';
import { closeIntake } from '../orders/intake.ts';
import { orderWitnesses, terminateExecutions, type OrderWitness } from './lost-executions.ts';
import { ordersAtErp, type Created, type OrderAtErp } from './lost-orders.ts';
import { recordLostOrder } from './record-lost-order.ts';

/** Ids and counters only. */
export type RestorationReport = {
  restoredTo: string;
  ordersRecorded: number;
  cartsClosed: number;
  rightsTaken: number;
  discountUses: number;
  /** Withdrawn in the lost period, so never sent. */
  ordersWithdrawn: string[];
  /** Their carts stay open. */
  ordersNotAtErp: string[];
  /** Rejected by the ERP. Their carts stay open. */
  ordersRefused: string[];
  ordersWithoutRestaurant: string[];
  unrecovered: Record<string, string[]>;
  executionsTerminated: number;
  /** Not delivered in the backup. Listeners are idempotent. */
  eventsDeliveredAgain: number;
  /** Disabled connections, whose orders could not be read. */
  connectionsSkipped: number[];
  /** ERP ids of rejected organizations. */
  organizationsRefused: string[];
  /** Orders of rejected organizations. Their carts stay open. */
  ordersNotRead: string[];
};

export type RestorationDeps = PollDeps;

export type RestorationOptions = {
  restoredTo: Date | null;
  /** In ms. A more recent order may still be on its way to the ERP. */
  settleMs: number;
  progress: (step: string, facts?: object) => void;
};

/** Clock difference between ERP and database, in ms. */
const SKEW_MS = 300_000;

/**
 * Updates a restored database from Temporal and the ERP while intake is closed (rules ORD-112 to
 * ORD-115, CMP-115, OPS-97, OPS-98). Null without a restoration. Idempotent: continues an
 * interrupted call. Throws StartFailure if orders are on their way to the ERP. After an error,
 * intake stays closed.
 */
export async function reconcileRestoration(
  deps: RestorationDeps,
  { restoredTo: named, settleMs, progress }: RestorationOptions,
): Promise<RestorationReport | null> {
  const restoredTo = await closeIntake(deps.db, named);
  if (restoredTo === null) return null;
  progress('intake closed', { restoredTo });
  const witnesses = await orderWitnesses(deps.temporal, new Date(restoredTo.getTime() - SKEW_MS));
  progress('executions read', { orders: witnesses.size });
  const executionsTerminated = await terminateExecutions(deps.temporal);
  progress('executions terminated', { executions: executionsTerminated });

  const { active, skipped } = await readConnections(deps.db);
  const atErp = new Map<string, OrderAtErp>();
  const organizationsRefused: string[] = [];
  const unread = new Set<string>();
  const perConnection = new Map<number, OrderAtErp[]>();

  for (const connectionId of active) {
    const { orders, refused, unreadOrderIds } = await ordersAtErp(deps, connectionId, restoredTo, [
      ...witnesses.values(),
    ]);
    perConnection.set(connectionId, orders);
    organizationsRefused.push(...refused);
    for (const id of unreadOrderIds) unread.add(id);
    for (const order of orders) atErp.set(order.orderId, order);
    progress('orders read', { connectionId, orders: orders.length });
  }

  const existing = await knownOrders(deps.db, [...atErp.keys(), ...witnesses.keys()]);
  const isLost = ({ orderId }: { orderId: string }) => !existing.has(orderId);
  const missing = [...witnesses.values()].filter(
    (witness) => isLost(witness) && !atErp.has(witness.orderId) && !unread.has(witness.orderId),
  );
  requireSettled([...atErp.values()].filter(isLost), missing, settleMs);

  const ordersWithoutRestaurant: string[] = [];

  for (const [connectionId, orders] of perConnection) {
    for (const { orderId, fact } of orders.filter(isLost)) {
      if (fact.creation !== 'SUCCESS') continue;
      const witness = witnesses.get(orderId) ?? null;
      const lost = { orderId, fact, witness, connectionId, restoredTo };
      const outcome = await recordLostOrder(deps, {
        ...lost,
        placedFrom: new Date(restoredTo.getTime() - SKEW_MS),
      });
      if (outcome === 'NO_RESTAURANT') ordersWithoutRestaurant.push(orderId);
    }

    await applyToConnection(deps, connectionId, orders);
    progress('orders recorded', { connectionId });
  }

  const ordersWithdrawn = await withdrawAgain(deps, [...witnesses.values()], atErp);
  const report: RestorationReport = {
    restoredTo: restoredTo.toISOString(),
    ...(await recordedOrders(deps.db, restoredTo)),
    ordersWithdrawn,
    // No guest waits for an order whose execution had ended.
    ordersNotAtErp: missing.filter(({ outcome }) => outcome === null).map(({ orderId }) => orderId),
    ordersRefused: [...atErp.values()]
      .filter((erp) => isLost(erp) && erp.fact.creation === 'ERROR')
      .map(({ orderId }) => orderId),
    ordersWithoutRestaurant,
    executionsTerminated,
    eventsDeliveredAgain: await waitingEvents(deps.db),
    connectionsSkipped: skipped,
    organizationsRefused,
    ordersNotRead: [...unread].filter((orderId) => isLost({ orderId })),
  };

  await deps.db.db
    .updateTable('restoration')
    .set({ finishedAt: sql<Date>`now()`, report: json(report) })
    .execute();

  progress('intake opened');

  return report;
}

function requireSettled(
  lost: readonly OrderAtErp[],
  missing: readonly OrderWitness[],
  settleMs: number,
): void {
  const open = [
    ...lost.filter(({ fact }) => fact.creation === 'IN_PROGRESS'),
    ...missing.filter(
      ({ outcome, startedAt }) => outcome === null && Date.now() - startedAt.getTime() < settleMs,
    ),
  ];

  if (open.length > 0)
    throw new StartFailure(
      `The ERP has not decided about these orders yet: ${open.map(({ orderId }) => orderId).join(', ')}. ` +
        'Intake stays closed. Run the command again in a few minutes.',
    );
}

async function readConnections({ db }: Sql): Promise<{ active: number[]; skipped: number[] }> {
  const rows = await db.selectFrom('connection').select(['id', 'status']).orderBy('id').execute();
  const ids = (isActive: boolean) =>
    rows.filter(({ status }) => (status === 'ACTIVE') === isActive).map(({ id }) => id);
  return { active: ids(true), skipped: ids(false) };
}

async function knownOrders({ db }: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('customer_order')
    .select('id')
    .where('id', '=', anyOf(ids, 'uuid'))
    .execute();

  return new Set(rows.map(({ id }) => id));
}

async function applyToConnection(
  deps: RestorationDeps,
  connectionId: number,
  orders: readonly OrderAtErp[],
): Promise<void> {
  // The ERP has these orders, which were unsent in the backup.
  await deps.db.db
    .updateTable('customer_order')
    .set({ sentAt: sql<Date>`accepted_at` })
    .where(
      'id',
      '=',
      anyOf(
        orders.map(({ orderId }) => orderId),
        'uuid',
      ),
    )
    .where('sentAt', 'is', null)
    .execute();

  const byPhone = await deps.db.db
    .selectFrom('restored_order')
    .select('orderId')
    .where(sql<boolean>`'GIFTS_BY_PHONE' = any (unrecovered)`)
    .execute();

  const unnamed = new Set(byPhone.map(({ orderId }) => orderId));
  const facts = orders
    .map(({ fact }) => fact)
    .filter((fact): fact is Created => fact.creation === 'SUCCESS');
  const gifts = orders.flatMap(({ orderId, fact }) => (unnamed.has(orderId) ? [fact] : []));
  await importGiftOrders(deps, connectionId, gifts, {
    own: new Map(),
    noteFirst: async () => undefined,
  });

  await applyAll(deps, connectionId, facts, await savedRevision(deps.db, connectionId));
}

/** Rule ORD-114. */
async function withdrawAgain(
  deps: RestorationDeps,
  witnesses: readonly OrderWitness[],
  atErp: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const ids: string[] = [];

  for (const { orderId, outcome } of witnesses) {
    if (outcome === null || !outcome.startsWith('CANCELLED') || atErp.has(orderId)) continue;
    const by = outcome.includes('STAFF') ? ('STAFF' as const) : ('CUSTOMER' as const);
    await deps.db.transaction(async (tx) => {
      if ((await knownOrders(tx, [orderId])).size === 0) return;
      const row = await withdrawHeld(deps, tx, await holdOrder(tx, orderId), { by });
      if (row !== null) ids.push(orderId);
    });
  }

  return ids;
}

async function recordedOrders({ db }: Sql, restoredTo: Date) {
  const rows = await db
    .selectFrom('restored_order')
    .select(['orderId', 'cartsClosed', 'rightsTaken', 'discountUses', 'unrecovered'])
    .where('restoredTo', '=', restoredTo)
    .orderBy('orderId')
    .execute();

  const sum = (count: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + count(row), 0);

  return {
    ordersRecorded: rows.length,
    cartsClosed: sum((row) => row.cartsClosed),
    rightsTaken: sum((row) => row.rightsTaken),
    discountUses: sum((row) => row.discountUses),
    unrecovered: Object.fromEntries(
      rows.filter((row) => row.unrecovered.length > 0).map((row) => [row.orderId, row.unrecovered]),
    ),
  };
}

async function waitingEvents({ db }: Sql): Promise<number> {
  const { events } = await db
    .selectFrom('outbox')
    .select(sql<number>`count(*)::int`.as('events'))
    .where('deliveredAt', 'is', null)
    .executeTakeFirstOrThrow();

  return events;
}
