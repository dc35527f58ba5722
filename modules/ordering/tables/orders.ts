import { defineEntity, p } from '@mikro-orm/core';
import type { AttemptOutcome } from '../rules/attempt-answers.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { Finding } from '../rules/findings.ts';
import type { GateFacts } from '../rules/gate-facts.ts';
import type { QuotedSums, QuotedTerms } from '../rules/quote.ts';
import type { MovedBy, OrderProblem, OrderState } from '../rules/order-states.ts';

/**
 * A discount of an order as it was applied, in kopecks. `discountId` is null for free units, and
 * absent in orders of earlier releases.
 */
export type OrderDiscount = {
  code: string;
  name: string;
  isByPromocode: boolean;
  discountId?: number | null;
  amountKopecks: number;
};

/**
 * A modifier of a line as it was ordered: `quantity` is for one unit of the line. Kopecks for one.
 */
export type OrderModifier = {
  groupKey: string;
  groupErpId: string | null;
  modifierId: string;
  name: string;
  quantity: number;
  freeQuantity: number;
  unitPriceKopecks: number;
};

/** The facts that the gate evaluated, and its findings. */
export type StoredDecision = { facts: GateFacts; findings: readonly Finding[] };

/**
 * An order of a guest; its id is the ERP's id of it too. Nothing personal: that is in
 * `personal_data`.
 */
export const CustomerOrder = defineEntity({
  name: 'CustomerOrder',
  tableName: 'customer_order',
  properties: {
    id: p.uuid().primary(),
    /** The number for people: unique for its organization and day. */
    number: p.text(),
    /** The day in the time zone of the organization. */
    day: p.date(),
    organizationId: p.bigint('number'),
    connectionId: p.bigint('number'),
    customerId: p.text().nullable(),
    /** The cart that became this order. */
    cartId: p.uuid(),
    cartVersion: p.integer(),
    fulfillmentType: p.text().$type<FulfillmentType>(),
    slotId: p.text(),
    timeZone: p.text(),
    /** For when the order is meant. */
    dueAt: p.datetime(),
    etaMinutes: p.integer(),
    paymentMethod: p.text(),
    leaveAtDoor: p.boolean(),
    changeFromKopecks: p.bigint('number').nullable(),
    persons: p.integer(),
    terminalGroupErpId: p.uuid().nullable(),
    personalDataId: p.uuid().nullable(),
    subtotalKopecks: p.bigint('number'),
    discountKopecks: p.bigint('number'),
    deliveryFeeKopecks: p.bigint('number'),
    totalKopecks: p.bigint('number'),
    discounts: p.json<readonly OrderDiscount[]>().defaultRaw(`'[]'::jsonb`),
    quoteId: p.uuid().nullable(),
    menuRevision: p.integer().nullable(),
    /**
     * Written by the previous release; deleted after the retention period of `order_decision` (rule
     * ORD-104).
     */
    decision: p.json<StoredDecision>().nullable(),
    state: p.text().$type<OrderState>().default('ACCEPTED'),
    /** The ERP's count of the fact that led to the current state. */
    erpTimestamp: p.bigint('number').nullable(),
    /** The id under which the ERP has it now: another one after the order was moved. */
    erpOrderId: p.uuid().nullable(),
    /** The present obstacle of the order, or the reason of its end. */
    problem: p.text().$type<OrderProblem>().nullable(),
    acceptedAt: p.datetime().defaultRaw('now()'),
    /** After this moment the order is no longer sent. */
    sendUntil: p.datetime(),
    sentAt: p.datetime().nullable(),
    /** The time of the last call that may not have reached the ERP; null when none is open. */
    unansweredSince: p.datetime().nullable(),
    /** Moment since which the ERP has not had it at any read. */
    missingSince: p.datetime().nullable(),
    followedAt: p.datetime().nullable(),
    /** The number that the restaurant sees; null until the ERP reports it. */
    erpNumber: p.text().nullable(),
    /**
     * The organization in which the ERP has it: that of the order, a call center, or the one to
     * which it was moved.
     */
    erpOrganizationErpId: p.uuid().nullable(),
    /** The ERP's word for why it does not take the order. */
    erpError: p.text().nullable(),
    endedAt: p.datetime().nullable(),
    erasedAt: p.datetime().nullable(),
  },
});

/**
 * A place within a limit that an order has claimed (rule ORD-121), with the digest of its key.
 * Written before the order; without an order it counts for a minute.
 */
export const OrderClaim = defineEntity({
  name: 'OrderClaim',
  tableName: 'order_claim',
  properties: {
    orderId: p.uuid().primary(),
    key: p.text().primary(),
    claimedAt: p.datetime().defaultRaw('now()'),
  },
});

/** The decision of the gate about an order, kept for 90 days (rule ORD-104). */
export const OrderDecision = defineEntity({
  name: 'OrderDecision',
  tableName: 'order_decision',
  properties: {
    orderId: p.uuid().primary(),
    decision: p.json<StoredDecision>(),
    decidedAt: p.datetime(),
  },
});

/** A call by which an order is sent to the ERP, kept for 90 days (rule ORD-172). */
export const OrderAttempt = defineEntity({
  name: 'OrderAttempt',
  tableName: 'order_attempt',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    orderId: p.uuid(),
    begunAt: p.datetime().defaultRaw('clock_timestamp()'),
    endedAt: p.datetime().nullable(),
    /** Null until the answer is recorded. */
    outcome: p.text().$type<AttemptOutcome>().nullable(),
    /** The kind of failure; null for an answer about the order. */
    kind: p.text().nullable(),
    /** The code of the ERP for a rejected order. */
    code: p.text().nullable(),
    httpStatus: p.integer().nullable(),
  },
});

export const OrderLine = defineEntity({
  name: 'OrderLine',
  tableName: 'order_line',
  properties: {
    orderId: p.uuid().primary(),
    position: p.integer().primary(),
    kind: p.text().$type<'ITEM' | 'SERVICE' | 'COMPENSATION'>(),
    /** Role of a service item. */
    role: p.text().nullable(),
    isHidden: p.boolean().default(false),
    lineId: p.uuid().nullable(),
    productId: p.bigint('number').nullable(),
    variantId: p.bigint('number').nullable(),
    erpItemId: p.uuid(),
    /** Null for a dish without sizes. */
    erpSizeId: p.uuid().nullable(),
    name: p.text(),
    variantName: p.text().nullable(),
    quantity: p.integer(),
    modifiers: p.json<readonly OrderModifier[]>().defaultRaw(`'[]'::jsonb`),
    /** Of one unit without its modifiers. */
    basePriceKopecks: p.bigint('number'),
    unitPriceKopecks: p.bigint('number'),
    lineTotalKopecks: p.bigint('number'),
    /**
     * The right that the line is the gift of; null for everything else, and for gifts of orders
     * that were placed before this was kept.
     */
    compensationId: p.uuid().nullable(),
    /**
     * Moment since which the order has no longer this gift: another order contained it before this
     * one was sent to the ERP.
     */
    leftOutAt: p.datetime().nullable(),
  },
});

/** The moves of an order, in their order; never changed afterwards. */
export const OrderMove = defineEntity({
  name: 'OrderMove',
  tableName: 'order_move',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    orderId: p.uuid(),
    state: p.text().$type<OrderState>(),
    /** The actor of the move: us, the ERP, the customer, staff. */
    by: p.text().$type<MovedBy>(),
    problem: p.text().$type<OrderProblem>().nullable(),
    at: p.datetime().defaultRaw('now()'),
  },
});

export const OrderQuote = defineEntity({
  name: 'OrderQuote',
  tableName: 'order_quote',
  properties: {
    id: p.uuid().primary(),
    cartId: p.uuid(),
    cartVersion: p.integer(),
    /** Of the terms. */
    digest: p.text(),
    terms: p.json<QuotedTerms>(),
    sums: p.json<QuotedSums>(),
    sumsDigest: p.text(),
    isBinding: p.boolean(),
    menuRevision: p.integer().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    validUntil: p.datetime(),
  },
});

/** The last read revision of a connection's orders at the ERP. */
export const OrderRevision = defineEntity({
  name: 'OrderRevision',
  tableName: 'order_revision',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    revision: p.bigint('number'),
    polledAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * The revision up to which the orders of a rejected organization were read. `revision` is null if
 * the connection had none.
 */
export const RefusedOrderRevision = defineEntity({
  name: 'RefusedOrderRevision',
  tableName: 'refused_order_revision',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    connectionId: p.bigint('number'),
    revision: p.bigint('number').nullable(),
    polledAt: p.datetime().defaultRaw('now()'),
    askedAt: p.datetime().defaultRaw('now()'),
  },
});

/** The progress of the polls of a connection's orders. */
export const OrderPoll = defineEntity({
  name: 'OrderPoll',
  tableName: 'order_poll',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    succeededAt: p.datetime().nullable(),
    isTooOld: p.boolean().default(false),
    catchUpRevision: p.bigint('number').nullable(),
    catchUpTo: p.datetime().nullable(),
    catchUpAt: p.datetime().nullable(),
    /** A poll was requested by a webhook and has not begun. */
    hintedAt: p.datetime().nullable(),
  },
});

/** True if a terminal group could take orders at the last request to the ERP. */
export const TerminalAlive = defineEntity({
  name: 'TerminalAlive',
  tableName: 'terminal_alive',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    terminalGroupErpId: p.uuid().primary(),
    isAlive: p.boolean(),
    checkedAt: p.datetime().defaultRaw('now()'),
  },
});

/** The result of the last comparison for a day of an organization. */
export const GiftReconciliation = defineEntity({
  name: 'GiftReconciliation',
  tableName: 'gift_reconciliation',
  properties: {
    /** By the organization's clock. */
    day: p.date().primary(),
    organizationErpId: p.uuid().primary(),
    connectionId: p.bigint('number'),
    /** Units of gifts in orders at the ERP. */
    atErp: p.integer(),
    /** Units of rights that these orders have redeemed. */
    redeemed: p.integer(),
    /** Units without a right. */
    unauthorized: p.integer(),
    /**
     * Orders in which the first is not the sum of the others: two of them may hide each other in
     * the sums.
     */
    differingOrders: p.integer(),
    checkedAt: p.datetime(),
    /** A digest of the differing orders and their counts; null if there are none. */
    fingerprint: p.text().nullable(),
    /** The result that staff have accepted: valid while it equals the one above. */
    acceptedFingerprint: p.text().nullable(),
    acceptedAt: p.datetime().nullable(),
    acceptedByUserId: p.bigint('number').nullable(),
    /** Text that a former release has written; `npm run migrate` moves it. */
    acceptanceReason: p.text().nullable(),
    /** Words of staff in `personal_data`, until they are erased. */
    acceptanceReasonId: p.uuid().nullable(),
  },
});

/**
 * The restoration of the database to an earlier moment. While it is not finished no order is
 * accepted or sent (rule ORD-112).
 */
export const Restoration = defineEntity({
  name: 'Restoration',
  tableName: 'restoration',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    /** The moment to which the database was restored. */
    restoredTo: p.datetime(),
    beganAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    /** The report of the last finished reconciliation; ids and counters only. */
    report: p.json<object>().nullable(),
  },
});

/** An order of the lost window as it was recorded again. */
export const RestoredOrder = defineEntity({
  name: 'RestoredOrder',
  tableName: 'restored_order',
  properties: {
    orderId: p.uuid().primary(),
    restoredTo: p.datetime(),
    cartsClosed: p.integer(),
    rightsTaken: p.integer(),
    discountUses: p.integer(),
    /** Codes of unrecoverable parts. */
    unrecovered: p
      .array((text) => text)
      .columnType('text[]')
      .defaultRaw(`'{}'::text[]`),
    recordedAt: p.datetime().defaultRaw('now()'),
  },
});
