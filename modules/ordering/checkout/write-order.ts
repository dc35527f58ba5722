import { eventRows } from '../../events/record-events.ts';
import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { alongside, json, type Sql } from '../../../platform/db/database.ts';
import type { OrderModifier } from '../tables/orders.ts';
import type { answerRow } from '../../../kernel/idempotency.ts';
import { outboxRows } from '../../../kernel/outbox.ts';
import { localTime } from '../../delivery/rules/schedule.ts';
import { MINUTE } from '../../delivery/rules/status.ts';
import { readSlotId } from '../../delivery/rules/slots.ts';
import type { EvaluatedCart, EvaluatedLine } from '../rules/cart-facts.ts';
import { withFreeItems } from '../rules/evaluate-cart.ts';
import { allFindings } from '../rules/gate.ts';
import { erpGroupId } from '../rules/erp-order.ts';
import { personalRecord } from '../../access/customers/personal-data.ts';
import { phoneDigest } from '../../gifts/clients/clients.ts';
import { reserveRights } from '../../gifts/rights/move-rights.ts';
import { cartAddressErasure } from '../../delivery/addresses/kept-addresses.ts';
import type { CartDeps } from '../cart/carts.ts';
import { unlimitedAmong, unlimitedUses, useDiscounts } from '../promotions/discount-uses.ts';
import type { Checkout } from './decide-checkout.ts';
import type { OrderPersonal } from '../orders/order-personal.ts';
import type { CartReading } from '../cart/read-cart-facts.ts';

export type Orderer = Omit<OrderPersonal, 'lineComments'>;

export type Accepted = {
  orderId: string;
  number: string;
  checkout: Checkout;
  orderer: Orderer;
  answer: ReturnType<typeof answerRow>;
  now: Date;
};

/** Orders for a slot are sent at least this long before it. */
const LEAST_NOTICE_MINUTES = 60;
/** Random numbers hide the number of orders. */
const [LEAST_NUMBER, MOST_NUMBER] = [10_000, 99_999];

export const newNumber = (): string => String(randomInt(LEAST_NUMBER, MOST_NUMBER + 1));

/**
 * Returns false if a discount is used up. A number taken that day violates a unique constraint, and
 * the transaction is retried.
 */
export async function writeOrder(tx: Sql, deps: CartDeps, accepted: Accepted): Promise<boolean> {
  const { orderId, number, checkout, orderer, answer, now } = accepted;
  const { cart, facts, findings, eta, reading, honored, buyerId: customerId } = checkout;
  const evaluated = reading.facts.takesDiscounts
    ? checkout.evaluated
    : withFreeItems(checkout.evaluated, reading.facts);
  const { wanted, address } = facts;
  const { timeZone } = reading.facts;
  const lines = buildLines(evaluated, reading);
  const isCash = facts.paymentMethods.some(
    (method) => method.isCash && method.code === wanted.paymentMethod,
  );
  const lineComments = Object.fromEntries(
    evaluated.lines.flatMap(({ comment }, position) =>
      comment === null ? [] : [[String(position), comment]],
    ),
  );

  const personal = personalRecord(
    deps,
    'ORDER',
    { ...orderer, lineComments } satisfies OrderPersonal,
    {
      phoneDigest: phoneDigest(deps, orderer.customer.phone),
    },
  );

  const discounts = evaluated.discounts.filter(
    (discount) => discount.reason === null && discount.amountKopecks > 0,
  );
  const discountIds = discounts.flatMap((discount) => discount.discountId ?? []);
  const unlimited = unlimitedAmong(discountIds, reading.facts.discounts);
  const gifts = evaluated.gifts.included.map(({ id }) => id);
  const event = outboxRows(tx, 'OrderAccepted', [
    {
      orderId,
      organizationId: cart.organizationId,
      ...(gifts.length === 0 ? {} : { gifts }),
      cartId: cart.id,
      ...(discountIds.length === 0 ? {} : { discountIds }),
    },
  ]);

  const { organizationId } = cart;
  await alongside(tx.db, {
    lines: (db) =>
      db.insertInto('order_line').values(
        lines.map((line, position) => ({
          orderId,
          position,
          ...line,
          modifiers: json(line.modifiers),
        })),
      ),
    moves: (db) =>
      db.insertInto('order_move').values({ orderId, state: 'ACCEPTED', by: 'CUSTOMER', at: now }),
    carts: (db) => db.deleteFrom('cart').where('id', '=', cart.id),
    personal: personal.insertInto,
    // Deletes the cart's addresses, of which the order has its own copy.
    addresses: (db) => cartAddressErasure(db, cart.id),
    decision: (db) =>
      db.insertInto('order_decision').values({
        orderId,
        decision: json({ facts, findings: allFindings(findings) }),
        decidedAt: now,
      }),
    event,
    answer,
    publicEvent: eventRows('order.accepted', [
      { id: orderId, organizationId, data: { orderId, number } },
    ]),
    uses: (db) => unlimitedUses(db, { orderId, customerId, discountIds: unlimited }),
  })
    .insertInto('customer_order')
    .values({
      id: orderId,
      number,
      day: localTime(now.getTime(), timeZone).toPlainDate().toString(),
      organizationId: cart.organizationId,
      connectionId: reading.organization.connectionId,
      customerId,
      cartId: cart.id,
      cartVersion: cart.version,
      fulfillmentType: wanted.type,
      slotId: wanted.slotId,
      timeZone,
      dueAt: new Date(eta.at),
      etaMinutes: eta.minutes,
      paymentMethod: wanted.paymentMethod,
      leaveAtDoor: wanted.leaveAtDoor,
      changeFromKopecks: isCash ? wanted.changeFromKopecks : null,
      persons: evaluated.persons,
      terminalGroupErpId: address?.isResolved === true ? address.terminalGroupErpId : null,
      personalDataId: personal.id,
      subtotalKopecks: evaluated.subtotalKopecks,
      discountKopecks: evaluated.discountKopecks,
      deliveryFeeKopecks: evaluated.deliveryFeeKopecks,
      totalKopecks: evaluated.totalKopecks,
      discounts: json(
        discounts.map(({ code, name, isByPromocode, discountId, amountKopecks }) => ({
          code,
          name,
          isByPromocode,
          discountId,
          amountKopecks,
        })),
      ),
      quoteId: honored?.id ?? null,
      menuRevision: reading.organization.menuRevision,
      acceptedAt: now,
      sendUntil: sendUntil(reading.organization.orderSendMinutes, wanted.slotId),
    })
    .execute();

  const instead = new Map(
    evaluated.gifts.included.flatMap(({ id, rewardId, replaces }) =>
      replaces === null ? [] : [[id, rewardId]],
    ),
  );

  await reserveRights(tx, { orderId, rights: gifts, instead, at: now });
  const limited = discountIds.filter((id) => !unlimited.has(id));

  return useDiscounts(tx, { orderId, customerId, discountIds: limited });
}

/** Returns the deadline for sending by the database clock (rule ORD-108). */
export function sendUntil(minutes: number, slotId: string): RawBuilder<Date> {
  const startsAt = readSlotId(slotId)?.startsAt ?? 0;
  const nearSlot = new Date(startsAt - LEAST_NOTICE_MINUTES * MINUTE);
  return sql`greatest(now() + ${minutes}::integer * interval '1 minute', ${nearSlot}::timestamptz)`;
}

type LineRow = {
  kind: 'ITEM' | 'SERVICE' | 'COMPENSATION';
  role: string | null;
  isHidden: boolean;
  lineId: string | null;
  productId: number | null;
  variantId: number | null;
  erpItemId: string;
  erpSizeId: string | null;
  name: string;
  variantName: string | null;
  quantity: number;
  modifiers: readonly OrderModifier[];
  basePriceKopecks: number;
  unitPriceKopecks: number;
  lineTotalKopecks: number;
  compensationId: string | null;
};

function buildLines(evaluated: EvaluatedCart, reading: CartReading): LineRow[] {
  return [
    ...evaluated.lines.map((line): LineRow => {
      const offered = reading.facts.variants.get(line.variantId);
      if (offered === undefined) throw new Error('A line that can be ordered has no variant');
      const {
        lineId,
        productId,
        variantId,
        name,
        variantName,
        quantity,
        unitPriceKopecks,
        lineTotalKopecks,
      } = line;

      return {
        kind: 'ITEM',
        role: offered.role,
        isHidden: false,
        lineId,
        productId,
        variantId,
        erpItemId: line.itemId,
        erpSizeId: offered.erpSizeId,
        name,
        variantName,
        quantity,
        modifiers: listModifiers(line),
        basePriceKopecks: offered.priceKopecks,
        unitPriceKopecks,
        lineTotalKopecks,
        compensationId: null,
      };
    }),
    ...evaluated.serviceItems.map(
      ({ role, name, itemId, sizeErpId, quantity, isHidden }): LineRow => ({
        kind: 'SERVICE',
        role,
        isHidden,
        lineId: null,
        productId: null,
        variantId: null,
        erpItemId: itemId,
        erpSizeId: sizeErpId === '' ? null : sizeErpId,
        name,
        variantName: null,
        quantity,
        modifiers: [],
        basePriceKopecks: 0,
        unitPriceKopecks: 0,
        lineTotalKopecks: 0,
        compensationId: null,
      }),
    ),
    ...evaluated.gifts.included.map(({ id, name, itemId, erpSizeId, quantity }): LineRow => ({
      kind: 'COMPENSATION',
      role: null,
      isHidden: false,
      lineId: null,
      productId: null,
      variantId: null,
      erpItemId: itemId,
      erpSizeId,
      name,
      variantName: null,
      quantity,
      modifiers: [],
      basePriceKopecks: 0,
      unitPriceKopecks: 0,
      lineTotalKopecks: 0,
      compensationId: id,
    })),
  ];
}

const listModifiers = ({ pricedModifiers }: EvaluatedLine): OrderModifier[] =>
  pricedModifiers
    .filter((modifier) => modifier.quantity > 0)
    .map(({ groupKey, modifierId, name, quantity, freeQuantity, unitPriceKopecks }) => ({
      groupKey,
      groupErpId: erpGroupId(groupKey),
      modifierId,
      name,
      quantity,
      freeQuantity,
      unitPriceKopecks,
    }));
