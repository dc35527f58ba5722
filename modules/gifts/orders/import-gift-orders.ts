import { reportProgress } from '../../../platform/progress.ts';
import { sql } from 'kysely';
import { anyOf, type Sql, type Tx } from '../../../platform/db/database.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { giftsOfOrder, settleGift, type GiftReward, type OrderGift } from '../rules/order-gifts.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { raiseNotification } from '../../notifications/raise-notification.ts';
import type { DetailsOf } from '../../notifications/schemas/notification-details.ts';
import { findClients } from '../clients/clients.ts';
import { readGiftDishes, type GiftDish } from '../rewards/gift-dishes.ts';
import { parseDay, holdGiftOrder, readLines, writeLine, type GiftOrder } from './gift-orders.ts';
import { readCardOfOrder, type CardDeps } from '../cards/read-card.ts';
import { holdRights, moveRights, type RightState } from '../rights/move-rights.ts';
import { notifyPaidGifts } from './paid-gifts.ts';
import { settleRedeemedGifts } from './gifts-after-order.ts';
import { divideReturned, holdClients } from './return-gifts.ts';
import {
  unauthorizedUnits,
  withdrawUnauthorized,
  writeUnauthorized,
} from './write-unauthorized.ts';

type Deps = CardDeps;
type Created = Extract<ErpDelivery, { creation: 'SUCCESS' }>;

const ERP_ORDERS = systemActor('erp-orders');
/** Attempts, because a concurrent transaction may move a right. */
const TRIES = 5;

/**
 * Redeems rights to gifts in ERP orders, and reports other gifts to staff (rules CMP-46 to CMP-51).
 * `own` contains own orders by ERP id. `noteFirst` runs in the transaction that stores an order for
 * the first time. `passedOver` are orders without gifts, which a process with an older state may
 * still store. Idempotent.
 */
export async function importGiftOrders(
  deps: Deps,
  connectionId: number,
  facts: readonly ErpDelivery[],
  { own, noteFirst }: { own: ReadonlyMap<string, string>; noteFirst: (tx: Tx) => Promise<void> },
): Promise<{ orders: number; passedOver: string[] }> {
  const passedOver: string[] = [];
  const dishes = await readGiftDishes(deps.db);
  if (dishes.length === 0) return { orders: 0, passedOver };
  // An order that moved continues under another id.
  const heard = facts.filter((fact): fact is Created => fact.creation === 'SUCCESS');
  const created = heard.filter(({ movedTo }) => movedTo === null);
  const listIds = (fact: Created): string[] => [fact.id, ...listFormerIds(fact, heard)];
  const { known, former } = await knownOrders(deps.db, connectionId, created.flatMap(listIds));
  const redeemed = await redeemedRewards(deps.db, [...new Set(own.values())]);
  let orders = 0;

  for (const fact of created) {
    reportProgress();
    const ids = listIds(fact);
    const itemIds = findFirst(known, ids);
    const ownOrderId = findFirst(own, ids) ?? null;
    const ofOwn = redeemed.get(ownOrderId ?? '');
    const meant = dishesMeantIn(fact, dishes, { itemIds, ofOwn });
    const gifts = giftsOfOrder(fact.content.lines, meant);
    // A canceled order has given no gift, unless it is an own order that has redeemed a right.
    const isNothing = gifts.length === 0 || (fact.status === 'Cancelled' && ofOwn === undefined);
    if (former.has(fact.id)) continue;
    if (ownOrderId === null) await notifyPaidGifts(deps, connectionId, fact, meant);
    if (itemIds === undefined && isNothing) passedOver.push(...ids);
    else {
      const formerIds = ids.slice(1);
      await importOrReadCard(deps, { connectionId, ownOrderId, fact, formerIds, gifts, noteFirst });
      orders += 1;
    }
  }

  return { orders, passedOver };
}

/** For earlier orders, includes rewards that have ended since (rule CMP-87). */
function dishesMeantIn(
  fact: Created,
  dishes: readonly GiftDish[],
  {
    itemIds,
    ofOwn,
  }: { itemIds: ReadonlySet<string> | undefined; ofOwn: ReadonlySet<number> | undefined },
): GiftReward[] {
  // One day earlier, because time zones differ.
  const dayBefore = Temporal.PlainDate.from(parseDay(fact)).subtract({ days: 1 }).toString();
  return dishes.flatMap(({ id, erpItemId, erpSizeId, isActive, leftAt }) => {
    const dish = { id, erpItemId, erpSizeId };
    if (isActive || itemIds?.has(erpItemId) === true || ofOwn?.has(id) === true) return [dish];
    return leftAt !== null && dayBefore <= leftAt.toISOString().slice(0, 10) ? [dish] : [];
  });
}

/** Returns the latest id first. An order may move twice between polls. */
function listFormerIds({ id: own }: Created, heard: readonly Created[]): string[] {
  const ids: string[] = [];

  for (
    let id = findFormerId(own, heard);
    id !== null && id !== own && !ids.includes(id);
    id = findFormerId(id, heard)
  )
    ids.push(id);

  return ids;
}

const findFormerId = (id: string, heard: readonly Created[]): string | null =>
  heard.find((entry) => entry.id === id)?.movedFrom ??
  heard.find(({ movedTo }) => movedTo?.deliveryId === id)?.id ??
  null;

const findFirst = <Value>(
  values: ReadonlyMap<string, Value>,
  ids: readonly string[],
): Value | undefined => values.get(ids.find((id) => values.has(id)) ?? '');

async function knownOrders({ db }: Sql, connectionId: number, ids: readonly string[]) {
  const rows = await db
    .selectFrom('erp_gift_order')
    .select(['erpOrderId', 'formerErpOrderIds'])
    .select(
      sql<
        string[]
      >`array(select erp_item_id from erp_gift_line where gift_order_id = erp_gift_order.id)`.as(
        'itemIds',
      ),
    )
    .where('connectionId', '=', connectionId)
    .where((eb) =>
      eb.or([
        eb('erpOrderId', '=', anyOf(ids, 'uuid')),
        sql<boolean>`former_erp_order_ids && ${ids}::uuid[]`,
      ]),
    )
    .execute();

  return {
    known: new Map(rows.map((row) => [row.erpOrderId, new Set(row.itemIds)])),
    former: new Set(rows.flatMap((row) => row.formerErpOrderIds)),
  };
}

async function redeemedRewards(
  { db }: Sql,
  ownOrderIds: readonly string[],
): Promise<Map<string, Set<number>>> {
  if (ownOrderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('compensation')
    .select(['redeemedOrderId', 'rewardId'])
    .where('redeemedOrderId', '=', anyOf(ownOrderIds, 'uuid'))
    .execute();

  const byOrder = Map.groupBy(rows, (entry) => entry.redeemedOrderId ?? '');

  return new Map(
    [...byOrder].map(([id, rights]) => [id, new Set(rights.map(({ rewardId }) => rewardId))]),
  );
}

class CardUnread extends Error {}

/**
 * Before reporting a gift without a right, reads the card: an unread promise would be given twice
 * (rule CMP-67). If the ERP fails, staff decide.
 */
async function importOrReadCard(deps: Deps, imported: Imported): Promise<void> {
  const once = (isCardRead: boolean) =>
    deps.db.transaction((tx) => importOrder(tx, deps, { ...imported, isCardRead }));
  try {
    await once(imported.ownOrderId !== null);
  } catch (error) {
    if (!(error instanceof CardUnread)) throw error;
    await readCardOfGuest(deps, imported);
    await once(true);
  }
}

async function readCardOfGuest(deps: Deps, { connectionId, fact }: Imported): Promise<void> {
  const { customerId } = fact.content;
  const phone = fact.content.phone === null ? null : normalPhone(fact.content.phone);
  const organization = await deps.db.db
    .selectFrom('served_organization')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('erpId', '=', fact.organizationId)
    .executeTakeFirst();
  if (organization === undefined || (customerId === null && phone === null)) return;

  await readCardOfOrder(deps, customerId === null ? { phone: phone! } : { id: customerId }, {
    connectionId,
    organizationId: organization.id,
    organizationErpId: fact.organizationId,
  });
}

type Imported = {
  connectionId: number;
  ownOrderId: string | null;
  fact: Created;
  formerIds: readonly string[];
  gifts: readonly OrderGift[];
  noteFirst: (tx: Tx) => Promise<void>;
};

async function importOrder(
  tx: Tx,
  deps: Deps,
  imported: Imported & { isCardRead: boolean },
): Promise<void> {
  const order = await holdGiftOrder(tx, imported);
  if (order === null) return;
  await importHeld(tx, deps, { ...imported, order });
  // Runs last, because it waits for concurrent transactions that store an order for the first time.
  if (order.isFirst) await imported.noteFirst(tx);
}

/** Skips own orders, whose gifts change with the state of the order. */
async function settleForeign(
  tx: Tx,
  order: GiftOrder,
  states: Parameters<typeof settleRedeemedGifts>[2],
): Promise<void> {
  if (order.ownOrderId === null) await settleRedeemedGifts(tx, toReturning(order), states);
}

async function importHeld(
  tx: Tx,
  deps: Deps,
  { gifts, isCardRead, order, ...imported }: Imported & { isCardRead: boolean; order: GiftOrder },
): Promise<void> {
  const before = await readLines(tx, order.id);
  if (imported.fact.status === 'Cancelled') {
    // Keeps reported and redeemed gifts, which the restaurant may have made before the
    // cancellation.
    const usedUnits: Units = new Map();

    for (const gift of before.length === 0 ? gifts.toSorted(byChoice) : []) {
      const accounted = await accountedUnits(tx, order, gift, usedUnits);
      await writeLine(tx, order.id, { ...gift, quantity: Math.min(gift.quantity, accounted) });
      await takeUnits(tx, order, gift, usedUnits);
    }

    for (const line of before) await withdrawUnauthorized(tx, order.id, line, Infinity);
    await settleForeign(tx, order, { wasCanceled: false, isCanceled: true });

    return;
  }

  await settleForeign(tx, order, { wasCanceled: order.wasCanceled, isCanceled: false });
  // Includes gifts of inactive rewards.
  const isIn = ({ erpItemId, erpSizeId }: { erpItemId: string; erpSizeId: string }) => {
    const known = gifts.filter((gift) => gift.erpItemId === erpItemId);
    if (known.length > 0) return known.some((gift) => gift.erpSizeId === erpSizeId);

    return imported.fact.content.lines.some(
      ({ itemId, sizeId, quantity }) =>
        itemId === erpItemId && (erpSizeId === '' || sizeId === erpSizeId) && quantity > 0,
    );
  };

  const takenOut = before
    .filter((line) => !isIn(line))
    .map((line): OrderGift => ({ ...line, quantity: 0 }));
  const clientIds = order.ownOrderId === null ? await findOrderClients(tx, deps, imported) : [];
  await holdClients(tx, clientIds);
  const settled = { ...order, clientIds, isCardRead };
  // Locks all rights by id before any right moves, like own orders.
  const rights = await rightsTo(tx, settled, {
    rewardIds: gifts.flatMap((gift) => gift.rewardIds),
  });
  await holdRights(tx, { ids: rights.map(({ id }) => id) });
  const usedUnits: Units = new Map();

  for (const gift of [...gifts.toSorted(byChoice), ...takenOut]) {
    await writeLine(tx, order.id, gift);
    await settle(tx, settled, gift, usedUnits);
    await takeUnits(tx, order, gift, usedUnits);
  }
}

const toReturning = ({ erpOrderId, orderIds }: GiftOrder) => ({ orderId: erpOrderId, orderIds });

/** Returns the customer, and the client with the phone unless it is another customer. */
async function findOrderClients(
  tx: Tx,
  deps: Deps,
  { connectionId, fact }: Pick<Imported, 'connectionId' | 'fact'>,
) {
  const { customerId, phone } = fact.content;
  const keys = {
    connectionId,
    ...(customerId === null ? {} : { erpCustomerId: customerId }),
    ...(phone === null ? {} : { phone: normalPhone(phone) ?? undefined }),
  };

  const isOther = (erpCustomerId: string | null) =>
    customerId !== null && erpCustomerId !== null && erpCustomerId !== customerId;
  const clients = await findClients(tx, deps, keys);

  return clients.filter((client) => !isOther(client.erpCustomerId)).map(({ id }) => id);
}

type Settled = GiftOrder & { clientIds: readonly string[]; isCardRead: boolean };

async function settle(tx: Tx, order: Settled, gift: OrderGift, usedUnits: Units): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const remainder = gift.quantity - (await accountedUnits(tx, order, gift, usedUnits));
    if (remainder < 0) await withdrawUnauthorized(tx, order.id, gift, -remainder);
    if (remainder <= 0) return;
    const { redeemed, excess, lacking } = settleGift(remainder, await rightsTo(tx, order, gift));
    if (excess > 0 && !order.isCardRead) throw new CardUnread();
    if (
      order.ownOrderId === null &&
      lacking > 0 &&
      (await divideReturned(tx, redeemed.at(-1)!, lacking))
    )
      continue;

    if (!(await redeem(tx, order, redeemed))) continue;
    const [clientId = null] = order.clientIds;
    if (excess > 0) await writeUnauthorized(tx, order, { ...gift, quantity: excess, clientId });
    if (lacking > 0)
      await tellDivergence(tx, redeemed.at(-1)!, {
        what: 'FEWER_THAN_PROMISED',
        ...pickIds(order),
        lacking,
      });

    return;
  }

  throw new Error('Rights to a gift are moved again and again');
}

/** By reward. */
type Units = Map<number, number>;

/**
 * Returns units covered by redeemed rights. `usedUnits` already cover other gifts (rule CMP-93).
 */
async function unitsOfRights(
  tx: Tx,
  order: GiftOrder,
  gift: OrderGift,
  usedUnits: Units,
): Promise<Units> {
  const redeemed = await tx.db
    .selectFrom('compensation')
    .select(['rewardId', sql<number>`sum(quantity)::int`.as('units')])
    .where('redeemedOrderId', '=', anyOf(order.orderIds, 'uuid'))
    .where('rewardId', '=', anyOf(gift.rewardIds))
    .groupBy('rewardId')
    .orderBy('rewardId')
    .execute();

  const own: Units = new Map();
  let remainder = gift.quantity;

  for (const { rewardId, units } of redeemed) {
    const mine = Math.min(remainder, units - (usedUnits.get(rewardId) ?? 0));
    own.set(rewardId, mine);
    remainder -= mine;
  }

  return own;
}

async function accountedUnits(
  tx: Tx,
  order: GiftOrder,
  gift: OrderGift,
  usedUnits: Units,
): Promise<number> {
  return (
    sumUnits(await unitsOfRights(tx, order, gift, usedUnits)) +
    (await unauthorizedUnits(tx, order.id, gift))
  );
}

async function takeUnits(
  tx: Tx,
  order: GiftOrder,
  gift: OrderGift,
  usedUnits: Units,
): Promise<void> {
  for (const [rewardId, units] of await unitsOfRights(tx, order, gift, usedUnits))
    usedUnits.set(rewardId, (usedUnits.get(rewardId) ?? 0) + units);
}

const sumUnits = (units: Units): number => [...units.values()].reduce((sum, unit) => sum + unit, 0);

/** Fewer matching rewards first. Deterministic. */
const byChoice = (one: OrderGift, other: OrderGift): number =>
  one.rewardIds.length - other.rewardIds.length ||
  one.erpItemId.localeCompare(other.erpItemId) ||
  one.erpSizeId.localeCompare(other.erpSizeId);

/**
 * Granted rights first, then reserved ones, each by age (rule CMP-70). An own order redeems only
 * rights that it had reserved and released.
 */
async function rightsTo(
  tx: Tx,
  { ownOrderId, clientIds, day }: Settled,
  { rewardIds }: Pick<OrderGift, 'rewardIds'>,
) {
  const query = tx.db
    .selectFrom('compensation')
    .select(['id', 'quantity'])
    .where('rewardId', '=', anyOf(rewardIds))
    .orderBy(sql`status <> 'GRANTED'`)
    .orderBy('grantedAt')
    .orderBy('id');

  if (ownOrderId === null)
    return (
      query
        .where('clientId', '=', anyOf(clientIds, 'uuid'))
        .where('status', 'in', ['GRANTED', 'RESERVED'])
        // Later promises by staff are meant for another order. The extra day covers time zones.
        // Markers may be read much later.
        .where((eb) =>
          eb.or([eb('source', '<>', 'ADMIN'), eb('grantedAt', '<', sql<Date>`${day}::date + 2`)]),
        )
        .execute()
    );

  return query
    .where('status', '=', 'GRANTED')
    .where(
      'id',
      'in',
      tx.db
        .selectFrom('compensation_move')
        .select('compensationId')
        .where('orderId', '=', ownOrderId),
    )
    .execute();
}

/** Returns false if a right was moved concurrently. */
async function redeem(tx: Tx, order: GiftOrder, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const orderId = order.ownOrderId ?? order.erpOrderId;
  const { moved, refused } = await moveRights(
    tx,
    ERP_ORDERS,
    { ids },
    { move: 'IMPORT', orderId, at: new Date() },
  );

  for (const { id, reservedOrderId } of moved)
    if (reservedOrderId !== null && reservedOrderId !== orderId)
      await tellDivergence(tx, id, {
        what: 'TAKEN_ELSEWHERE',
        ...pickIds(order),
        reservedFor: reservedOrderId,
      });

  if (order.ownOrderId === null) await tellOtherOrganization(tx, order, moved);

  return refused.length === 0;
}

/** Rule CMP-100. */
async function tellOtherOrganization(
  tx: Tx,
  order: GiftOrder,
  moved: readonly RightState[],
): Promise<void> {
  const rewards = await tx.db
    .selectFrom('reward')
    .select(['id', 'organizationErpId'])
    .where('id', '=', anyOf(moved.map(({ rewardId }) => rewardId)))
    .where('organizationErpId', '<>', order.organizationErpId)
    .execute();

  for (const { id, rewardId } of moved) {
    const reward = rewards.find((entry) => entry.id === rewardId);
    if (reward === undefined) continue;
    const meantFor = reward.organizationErpId;
    await tellDivergence(tx, id, { what: 'OTHER_ORGANIZATION', ...pickIds(order), meantFor });
  }
}

const pickIds = ({ erpOrderId, organizationErpId, ownOrderId }: GiftOrder) => ({
  erpOrderId,
  organizationErpId,
  ownOrderId,
});

async function tellDivergence(
  tx: Tx,
  subjectId: string,
  details: DetailsOf<'COMPENSATION_DIVERGENCE'>,
): Promise<void> {
  await raiseNotification(tx, {
    kind: 'COMPENSATION_DIVERGENCE',
    subjectType: 'compensation',
    subjectId,
    details,
  });
}
