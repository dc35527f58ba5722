import { DAY_MS } from '../../kernel/pure/time.ts';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { SOURCE_KEY } from './rules/erp-order.ts';
import type { CallOptions } from '../../erp/call.ts';
import type { ErpDelivery } from '../../erp/schemas/deliveries.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import { areGiftsGiven } from '../gifts/gift-dishes.ts';
import { importGiftOrders } from '../gifts/import-gift-orders.ts';
import { noteMissedHistory } from '../gifts/missed-history.ts';
import { saveErpOrders } from './save-erp-orders.ts';
import { wakeOrder } from './accompany-order.ts';
import { applyErpFact } from './apply-erp-fact.ts';
import { endPoll, pollState, saveCatchUp } from './order-poll.ts';
import { readByDate } from './read-by-date.ts';
import { readAgainFrom, savedRevision, saveRevision, type SavedRevision } from './order-revision.ts';
import { holdOrder, standingOf, type OrderDeps } from './order-row.ts';

/**
 * BEGAN: nothing was known of what had changed, so every open order was looked up. `gifts` counts orders with gifts, also those that were made
 * elsewhere.
 */
export type Polled = { outcome: 'NOTHING_TO_ASK' | 'CHANGES' | 'BEGAN'; orders: number; gifts: number };

export type PollDeps = Omit<OrderDeps, 'failpoint'> & TemporalDeps & { env: { SYNC_TIME_ZONE: string } };

/**
 * Reads what has changed at the ERP since the last call and brings the orders of a connection to it
 * (rule ORD-57), so an order moves although no webhook comes. Where orders are accepted or gifts
 * are given, the orders of everybody are read and stored (rules ORD-94, CMP-46). Without a place to
 * begin, or with one that is too old for the ERP, every open order is looked up by its id from the
 * present revision on, and orders with gifts by date from the last call on, or those of today at
 * the first one (rules CMP-102, ORD-101). While a revision that is too old is still the present
 * one, a poll is one call (rule ORD-102). Makes no call if nothing can have changed. A second call
 * is harmless: facts change nothing the second time. Throws what the client of the ERP throws.
 */
export async function pollOrders(deps: PollDeps, connectionId: number, options?: CallOptions): Promise<Polled> {
  const { db, erp } = deps;
  const readsAll = await readsAllOrders(db, connectionId);
  const mayHaveChanged = readsAll || (await hasOrdersAtErp(db, connectionId));
  const organizationIds = mayHaveChanged ? await organizationsOf(db, connectionId) : [];
  if (organizationIds.length === 0) {
    await endPoll(db, connectionId);
    return { outcome: 'NOTHING_TO_ASK', orders: 0, gifts: 0 };
  }
  const saved = await savedRevision(db, connectionId);
  const state = await pollState(db, connectionId);
  const request = { organizationIds, ...(readsAll ? {} : { sourceKeys: [SOURCE_KEY] }) };
  if (saved !== null && !state.isTooOld && state.catchUpRevision === null) {
    const changes = await erp.deliveriesByRevision(
      connectionId,
      { ...request, startRevision: saved.revision },
      options,
    );
    if (changes.kind === 'ORDERS') {
      const { passedOver, ...applied } = await applyAll(deps, connectionId, changes.orders, saved);
      await saveRevision(db, connectionId, { saved, revision: changes.maxRevision, passedOver });
      await endPoll(db, connectionId);
      return { outcome: 'CHANGES', ...applied };
    }
  }
  // The revision before the orders: what changes meanwhile is in the next answer.
  const revision = state.catchUpRevision ?? (await presentRevision(deps, connectionId, request, options));
  if (saved !== null && state.catchUpRevision === null && revision === saved.revision) {
    await saveRevision(db, connectionId, { saved, revision, passedOver: [] });
    await endPoll(db, connectionId, { isTooOld: true });
    return { outcome: 'CHANGES', orders: 0, gifts: 0 };
  }
  const read = { orders: 0, gifts: 0 };
  const passedOver: string[] = [];
  const apply = async (facts: ErpDelivery[]): Promise<void> => {
    const applied = await applyAll(deps, connectionId, facts, saved);
    read.orders += applied.orders;
    read.gifts += applied.gifts;
    passedOver.push(...applied.passedOver);
  };
  await apply(await readOpenOrders(deps, connectionId, options));
  if (readsAll) {
    // Whole hours, so that a poll that goes on ends where the first one would have.
    const now = Temporal.Now.instant().round({ smallestUnit: 'hour', roundingMode: 'floor' });
    const since = Math.min(MOST_DAYS, Math.ceil((Date.now() - (saved?.polledAt ?? new Date()).getTime()) / DAY_MS) + 1);
    const from = state.catchUpTo?.toTemporalInstant() ?? now.subtract({ hours: 24 * since });
    const work = {
      apply,
      done: (to: Temporal.Instant) => saveCatchUp(db, connectionId, { revision, to: new Date(to.epochMilliseconds) }),
    };
    const period = { ...request, from, to: now.add({ hours: 24 * DAYS_AHEAD }) };
    await readByDate(erp, connectionId, period, work, options);
    if (saved !== null) await noteOlder(deps, connectionId, saved.polledAt);
  }
  await saveRevision(db, connectionId, { saved, revision, passedOver });
  await endPoll(db, connectionId);
  return { outcome: 'BEGAN', ...read };
}

/** The ERP keeps the lines of an order for so long. */
const DAYS_KEPT = 90;

/** What is older than orders that the ERP still tells by date is told by phone alone. */
async function noteOlder({ db }: PollDeps, connectionId: number, polledAt: Date): Promise<void> {
  const [kept, byDate] = [DAYS_KEPT, MOST_DAYS].map((days) => new Date(Date.now() - days * DAY_MS)) as [Date, Date];
  const from = polledAt < kept ? kept : polledAt;
  if (from < byDate) await noteMissedHistory(db, connectionId, { from, to: byDate });
}

/** Days whose orders are read again before their gifts are compared, and one more that may not be over somewhere. */
const DAYS_COMPARED = 4;

/**
 * Reads the orders of the last days of a connection by date, whatever revision was read last, and
 * brings everything to them (rule CMP-56): a call that was lost, or an answer that was wrong, is
 * made up for. Makes no call while only our own orders are read. Throws what the client of the ERP
 * throws.
 */
export async function readLastOrders(
  deps: PollDeps,
  connectionId: number,
  options?: CallOptions,
): Promise<Pick<Polled, 'orders' | 'gifts'>> {
  const organizationIds = await organizationsOf(deps.db, connectionId);
  const read = { orders: 0, gifts: 0 };
  if (organizationIds.length === 0 || !(await readsAllOrders(deps.db, connectionId))) return read;
  const now = Temporal.Now.instant();
  for (let day = -DAYS_COMPARED; day < DAYS_AHEAD; day += 1) {
    const saved = await savedRevision(deps.db, connectionId);
    const apply = async (facts: ErpDelivery[]): Promise<void> => {
      const { orders, gifts } = await applyAll(deps, connectionId, facts, saved);
      read.orders += orders;
      read.gifts += gifts;
    };
    const period = { organizationIds, from: now.add({ hours: 24 * day }), to: now.add({ hours: 24 * (day + 1) }) };
    await readByDate(deps.erp, connectionId, period, { apply, done: async () => undefined }, options);
  }
  return read;
}

/** The ERP promises orders of the last days by date. */
const MOST_DAYS = 7;
/** Orders may be for a later day, and clocks of restaurants differ from ours by half a day. */
const DAYS_AHEAD = 2;

/**
 * Returns whether the orders of everybody are read: where orders are accepted, for the history of
 * customers, or gifts are given.
 */
export async function readsAllOrders(from: Sql, connectionId: number): Promise<boolean> {
  const accepting = await from.db
    .selectFrom('served_organization as organization')
    .innerJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select('organization.id')
    .where('organization.connectionId', '=', connectionId)
    .where((eb) => eb.or([eb('config.deliveryEnabled', '=', true), eb('config.pickupEnabled', '=', true)]))
    .limit(1)
    .executeTakeFirst();
  return accepting !== undefined || (await areGiftsGiven(from));
}

/** Orders of which the ERP may speak: those it may have, and those that have ended of late, which it may contradict. */
export async function hasOrdersAtErp({ db }: Sql, connectionId: number): Promise<boolean> {
  // The newest decides. PostgreSQL sorts open orders, which have no end, before all others.
  const newest = await db
    .selectFrom('customer_order')
    .select(sql<boolean>`ended_at is null or ended_at > now() - interval '1 day'`.as('isRecent'))
    .where('connectionId', '=', connectionId)
    .where('sentAt', 'is not', null)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.isRecent === true;
}

/** Organizations of a connection in which the ERP may have orders of ours: those that guests see, and those where it has some now. */
export async function organizationsOf({ db }: Sql, connectionId: number): Promise<string[]> {
  const served = db.selectFrom('answered_organization').select('erpId').where('connectionId', '=', connectionId);
  const refused = db.selectFrom('refused_organization').select('organizationId').where('status', 'in', [400, 403]);
  // One that the account does not list any more would fail the question for all.
  const others = db
    .selectFrom('customer_order as order')
    .innerJoin('mirror_organization as organization', 'organization.erpId', 'order.erpOrganizationErpId')
    .select('organization.erpId')
    .where('order.connectionId', '=', connectionId)
    .where('organization.connectionId', '=', connectionId)
    .where('organization.inactiveAt', 'is', null)
    .where('organization.id', 'not in', refused)
    .where('order.endedAt', 'is', null);
  const rows = await served.union(others).orderBy('erpId').execute();
  return rows.map((each) => each.erpId);
}

/** Returns the present revision by the shortest search by date; its orders do not matter. */
async function presentRevision(
  { erp }: PollDeps,
  connectionId: number,
  request: { organizationIds: string[]; sourceKeys?: string[] },
  options: CallOptions | undefined,
): Promise<number> {
  const from = Temporal.Now.plainDateTimeISO('UTC');
  const thisMinute = { phone: null, from, to: from.add({ minutes: 1 }), rowsCount: 1 };
  return (await erp.deliveriesByPhone(connectionId, { ...request, ...thisMinute }, options)).maxRevision;
}

async function readOpenOrders(
  { db, erp }: PollDeps,
  connectionId: number,
  options: CallOptions | undefined,
): Promise<ErpDelivery[]> {
  const open = await db.db
    .selectFrom('customer_order as order')
    .innerJoin('mirror_organization as organization', 'organization.id', 'order.organizationId')
    .select((eb) => [
      eb.fn.coalesce('order.erpOrderId', 'order.id').as('erpId'),
      eb.fn.coalesce('order.erpOrganizationErpId', 'organization.erpId').as('organizationErpId'),
    ])
    .where('order.connectionId', '=', connectionId)
    .where('order.endedAt', 'is', null)
    .where('order.sentAt', 'is not', null)
    .orderBy('order.id')
    .execute();
  const found: ErpDelivery[] = [];
  for (const [organization, rows] of Map.groupBy(open, (each) => each.organizationErpId)) {
    const ids = rows.map((each) => each.erpId);
    found.push(...(await erp.deliveriesById(connectionId, organization, ids, { ...options, priority: 'REST' })).orders);
  }
  return found;
}

/**
 * Brings each of our orders to what the ERP says of it, one transaction each, then the rights to gifts, and returns how many are ours, how many
 * contain gifts, and the orders that were passed over for having none. `saved` is what was saved when the ERP was asked.
 */
export async function applyAll(
  deps: PollDeps,
  connectionId: number,
  facts: readonly ErpDelivery[],
  saved: SavedRevision | null,
): Promise<Pick<Polled, 'orders' | 'gifts'> & { passedOver: string[] }> {
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
