import { sql } from 'kysely';
import { anyOf, json, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { keepPersonal } from '../../access/customers/personal-data.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { cartAddressErasure } from '../../delivery/addresses/kept-addresses.ts';
import { localTime } from '../../delivery/rules/schedule.ts';
import { moveRights } from '../../gifts/move-rights.ts';
import { applyErpFact } from '../apply-erp-fact.ts';
import { useDiscounts } from '../discount-uses.ts';
import { holdOrder, type MoveDeps } from '../order-row.ts';
import type { OrderPersonal } from '../order-personal.ts';
import { ASAP } from '../rules/gate.ts';
import { erpOrderOf, type StoredErpOrder } from '../save-erp-orders.ts';
import type { OrderWitness } from './lost-executions.ts';
import type { Created } from './lost-orders.ts';

/** A part of a lost order that could not be recovered. */
export type Unrecovered =
  /** No cart matches the order. */
  | 'CART_UNKNOWN'
  /** The cart was found by its lines, because no execution names it. */
  | 'CART_BY_LINES'
  /** No execution lists the rights that were taken. Gifts are matched by the phone. */
  | 'GIFTS_BY_PHONE'
  /** A right was given in the lost window, so it has no row. */
  | 'RIGHT_LOST'
  /** A right was taken by another order or has ended. */
  | 'RIGHT_TAKEN'
  /** No execution lists the discounts that were used. */
  | 'DISCOUNTS_UNKNOWN'
  /** A limit of a discount leaves no place for the use. */
  | 'DISCOUNT_NOT_COUNTED';

type Deps = MoveDeps & { db: Database; secrets: SecretBox; env: { SYNC_TIME_ZONE: string } };
type Lost = {
  orderId: string;
  fact: Created;
  witness: OrderWitness | null;
  connectionId: number;
  restoredTo: Date;
  placedFrom: Date;
};
type CartRow = { id: string; customerId: string | null; promocode: string | null; version: number };

/** The actor that moves the rights of lost orders. */
const RESTORE = systemActor('restore');
/** Minutes of a slot whose length is lost. */
const SLOT_MINUTES = 30;

/**
 * Records an order of the lost window in one transaction (rules ORD-113 to ORD-115, CMP-115): the
 * order in the state that the ERP reports, the carts that it was made of closed, its rights
 * redeemed, and its discounts used. Does nothing if the order is recorded already. An order from
 * before `placedFrom` that no execution names is of another installation.
 */
export async function recordLostOrder(deps: Deps, lost: Lost): Promise<'RECORDED' | 'NO_RESTAURANT' | 'NOT_OURS'> {
  const { orderId, fact, witness, connectionId, restoredTo } = lost;
  const read = await erpOrderOf(deps, connectionId, fact);
  if (read === null) return 'NO_RESTAURANT';
  if (witness === null && read.placedAt < lost.placedFrom) return 'NOT_OURS';
  const { organizationId: erpOrganizationId, ...stored } = read;
  const organizationId = witness?.organizationId ?? erpOrganizationId;
  await deps.db.transaction(async (tx) => {
    const known = await tx.db.selectFrom('customer_order').select('id').where('id', '=', orderId).executeTakeFirst();
    if (known !== undefined) return;
    const unrecovered = new Set<Unrecovered>();
    const carts = await cartsOf(tx, { organizationId, witness, stored, restoredTo });
    if (carts.length === 0) unrecovered.add('CART_UNKNOWN');
    else if (witness?.cartId == null) unrecovered.add('CART_BY_LINES');
    const cart = witness?.cartId == null && carts.length > 1 ? null : (carts[0] ?? null);
    await insertOrder(tx, deps, { ...lost, organizationId, stored, cart });
    await closeCarts(tx, carts);
    const rightsTaken = await reserveAgain(tx, lost, stored.placedAt, unrecovered);
    const discountUses = await useAgain(tx, lost, { cart, stored }, unrecovered);
    await applyErpFact(deps, tx, await holdOrder(tx, orderId), fact);
    // A poll of a process that was already started may have stored it as an order from elsewhere.
    await tx.db
      .deleteFrom('erp_order')
      .where('id', '=', anyOf([orderId, fact.id], 'uuid'))
      .execute();
    await tx.db
      .insertInto('restored_order')
      .values({
        orderId,
        restoredTo,
        cartsClosed: carts.length,
        rightsTaken,
        discountUses,
        unrecovered: [...unrecovered],
      })
      .execute();
  });
  return 'RECORDED';
}

/**
 * The cart that an order was made of: the one that its execution names, otherwise all carts of the
 * organization with the same dishes. Each of them may be the one, and none may be ordered again.
 */
async function cartsOf(
  { db }: Sql,
  {
    organizationId,
    witness,
    stored,
    restoredTo,
  }: { organizationId: number; witness: OrderWitness | null; stored: Stored; restoredTo: Date },
): Promise<CartRow[]> {
  const carts = db.selectFrom('cart').select(['id', 'customerId', 'promocode', 'version', 'lines']);
  if (witness?.cartId != null) return carts.where('id', '=', witness.cartId).execute();
  const found = await carts
    .where('organizationId', '=', organizationId)
    .where('updatedAt', '<=', restoredTo)
    .orderBy('id')
    .execute();
  const ordered = unitsOf(stored.lines);
  return found.filter(({ lines }) => lines.length > 0 && unitsOf(lines).every((unit) => ordered.includes(unit)));
}

/** Dishes with their units, as one text each. */
function unitsOf(lines: readonly { itemId: string; quantity: number }[]): string[] {
  return [...Map.groupBy(lines, ({ itemId }) => itemId.toLowerCase())].map(
    ([itemId, same]) => `${itemId} ${same.reduce((sum, { quantity }) => sum + quantity, 0)}`,
  );
}

type Stored = Omit<StoredErpOrder, 'organizationId'>;
type ToInsert = Lost & { organizationId: number; stored: Stored; cart: CartRow | null };

async function insertOrder(
  tx: Tx,
  deps: Deps,
  { orderId, fact, witness, connectionId, organizationId, stored, cart }: ToInsert,
): Promise<void> {
  const { timeZone, placedAt, totalKopecks } = stored;
  const dueAt = stored.dueAt ?? placedAt;
  const subtotalKopecks = Math.max(
    totalKopecks,
    stored.lines.reduce((sum, line) => sum + line.lineTotalKopecks, 0),
  );
  const phone = normalPhone(fact.content.phone ?? '');
  const personal: OrderPersonal = {
    customer: { name: '', phone: phone ?? '' },
    address: null,
    comment: null,
    lineComments: {},
  };
  const day = localTime(placedAt.getTime(), timeZone).toPlainDate().toString();
  await tx.db
    .insertInto('customer_order')
    .values({
      id: orderId,
      number: await freeNumber(tx, { organizationId, day, wanted: fact.externalNumber ?? stored.number, orderId }),
      day,
      organizationId,
      connectionId,
      customerId: cart?.customerId ?? null,
      // Without a known cart the id of the order takes its place.
      cartId: witness?.cartId ?? cart?.id ?? orderId,
      cartVersion: cart?.version ?? 1,
      fulfillmentType: stored.fulfillmentType,
      slotId: stored.isAsap ? ASAP : slotOf(dueAt, timeZone),
      timeZone,
      dueAt,
      etaMinutes: Math.max(0, Math.round((dueAt.getTime() - placedAt.getTime()) / 60_000)),
      paymentMethod: stored.paymentKind === 'Cash' || stored.paymentKind === null ? 'CASH' : 'CARD_COURIER',
      leaveAtDoor: false,
      persons: stored.persons,
      terminalGroupErpId: fact.terminalGroupId,
      personalDataId: phone === null ? null : await keepPersonal(tx, deps, 'ORDER', personal, placedAt),
      subtotalKopecks,
      discountKopecks: subtotalKopecks - totalKopecks,
      deliveryFeeKopecks: 0,
      totalKopecks,
      state: 'SENT',
      acceptedAt: placedAt,
      sentAt: placedAt,
      sendUntil: placedAt,
      erpOrderId: fact.id,
      erpOrganizationErpId: fact.organizationId,
    })
    .execute();
  await insertLines(tx, orderId, stored, witness);
  await tx.db
    .insertInto('order_move')
    .values([
      { orderId, state: 'ACCEPTED', by: 'CUSTOMER', at: placedAt },
      { orderId, state: 'SENT', by: 'CARTE', at: placedAt },
    ])
    .execute();
}

const slotOf = (at: Date, timeZone: string): string =>
  `${localTime(at.getTime(), timeZone).toString({ smallestUnit: 'minute', timeZoneName: 'never' })}/PT${SLOT_MINUTES}M`;

/** The number of the order, unless an order of the day has it; then a part of its id. */
async function freeNumber(
  { db }: Sql,
  { organizationId, day, wanted, orderId }: { organizationId: number; day: string; wanted: string; orderId: string },
): Promise<string> {
  const taken = await db
    .selectFrom('customer_order')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('day', '=', day)
    .where('number', '=', wanted)
    .executeTakeFirst();
  return taken === undefined && wanted !== '' ? wanted : orderId.slice(0, 8);
}

/** Writes the lines. A free dish of one of the rights is the gift of that right. */
async function insertLines(tx: Tx, orderId: string, { lines }: Stored, witness: OrderWitness | null): Promise<void> {
  const rights = await tx.db
    .selectFrom('compensation')
    .innerJoin('reward', 'reward.id', 'compensation.rewardId')
    .select(['compensation.id', 'reward.erpItemId'])
    .where('compensation.id', '=', anyOf([...(witness?.gifts ?? [])], 'uuid'))
    .orderBy('compensation.id')
    .execute();
  if (lines.length === 0) return;
  const rows = lines.map((line, position) => {
    const at = line.lineTotalKopecks === 0 ? rights.findIndex(({ erpItemId }) => erpItemId === line.itemId) : -1;
    const [right] = at < 0 ? [] : rights.splice(at, 1);
    const kind = right === undefined ? ('ITEM' as const) : ('COMPENSATION' as const);
    return {
      orderId,
      position,
      kind,
      erpItemId: line.itemId,
      erpSizeId: line.sizeId,
      name: line.name,
      variantName: line.sizeName,
      quantity: Math.max(1, Math.round(line.quantity)),
      modifiers: json(
        line.modifiers.map(({ itemId, groupId, name, quantity, unitPriceKopecks }) => ({
          groupKey: groupId ?? '~',
          groupErpId: groupId,
          modifierId: itemId,
          name,
          quantity,
          freeQuantity: 0,
          unitPriceKopecks,
        })),
      ),
      basePriceKopecks: line.unitPriceKopecks,
      unitPriceKopecks: line.unitPriceKopecks,
      lineTotalKopecks: line.lineTotalKopecks,
      compensationId: right?.id ?? null,
    };
  });
  await tx.db.insertInto('order_line').values(rows).execute();
}

async function closeCarts(tx: Tx, carts: readonly CartRow[]): Promise<void> {
  for (const { id } of carts) {
    await cartAddressErasure(tx.db, id).execute();
    await tx.db.deleteFrom('cart').where('id', '=', id).execute();
  }
}

/**
 * Reserves the rights that the execution of an order names, each by its id (rule CMP-115). Returns
 * how many the order has.
 */
async function reserveAgain(
  tx: Tx,
  { orderId, witness }: Lost,
  at: Date,
  unrecovered: Set<Unrecovered>,
): Promise<number> {
  if (witness?.gifts == null) {
    unrecovered.add('GIFTS_BY_PHONE');
    return 0;
  }
  const ids = [...witness.gifts].toSorted();
  if (ids.length === 0) return 0;
  const { moved, refused } = await moveRights(tx, RESTORE, { ids }, { move: 'RESERVE', orderId, at });
  if (moved.length + refused.length < ids.length) unrecovered.add('RIGHT_LOST');
  const own = refused.filter((right) => right.reservedOrderId === orderId || right.redeemedOrderId === orderId);
  if (own.length < refused.length) unrecovered.add('RIGHT_TAKEN');
  return moved.length + own.length;
}

/** Counts the discounts of an order again (rule ORD-115). Returns how many uses were written. */
async function useAgain(
  tx: Tx,
  { orderId, witness }: Lost,
  { cart, stored }: { cart: CartRow | null; stored: Stored },
  unrecovered: Set<Unrecovered>,
): Promise<number> {
  const discountIds = witness?.discountIds ?? (await discountsOfPromocode(tx, cart));
  const listed = stored.lines.reduce((sum, line) => sum + line.lineTotalKopecks, 0);
  if (witness?.discountIds == null && listed > stored.totalKopecks) unrecovered.add('DISCOUNTS_UNKNOWN');
  const customerId = cart?.customerId ?? null;
  if (!(await useDiscounts(tx, { orderId, customerId, discountIds }))) unrecovered.add('DISCOUNT_NOT_COUNTED');
  const { uses } = await tx.db
    .selectFrom('discount_use')
    .select(sql<number>`count(*)::int`.as('uses'))
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  return uses;
}

async function discountsOfPromocode({ db }: Sql, cart: CartRow | null): Promise<number[]> {
  if (cart?.promocode == null) return [];
  const rows = await db.selectFrom('promocode').select('discountId').where('code', '=', cart.promocode).execute();
  return rows.map(({ discountId }) => discountId);
}
