import { defineEntity, p } from '@mikro-orm/core';
import type { AttemptOutcome } from '../rules/attempt-answers.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { Finding } from '../rules/findings.ts';
import type { GateFacts } from '../rules/gate-facts.ts';
import type { QuotedSums, QuotedTerms } from '../rules/quote.ts';
import type { MovedBy, OrderProblem, OrderState } from '../rules/order-states.ts';

/** `discountId` is null for free units, and missing in orders of earlier releases. */
export type OrderDiscount = {
  code: string;
  name: string;
  isByPromocode: boolean;
  discountId?: number | null;
  amountKopecks: number;
};

/** `quantity` is per unit of the line. Kopecks per unit. */
export type OrderModifier = {
  groupKey: string;
  groupErpId: string | null;
  modifierId: string;
  name: string;
  quantity: number;
  freeQuantity: number;
  unitPriceKopecks: number;
};

export type StoredDecision = { facts: GateFacts; findings: readonly Finding[] };

/** The ERP uses the same id. Personal data is in `personal_data`. */
export const CustomerOrder = defineEntity({
  name: 'CustomerOrder',
  tableName: 'customer_order',
  properties: {
    id: p.uuid().primary(),
    /** Unique by organization and day. */
    number: p.text(),
    /** Local day of the organization. */
    day: p.date(),
    organizationId: p.bigint('number'),
    connectionId: p.bigint('number'),
    customerId: p.text().nullable(),
    cartId: p.uuid(),
    cartVersion: p.integer(),
    fulfillmentType: p.text().$type<FulfillmentType>(),
    slotId: p.text(),
    timeZone: p.text(),
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
    /** Written by the previous release, until retention ends (rule ORD-104). */
    decision: p.json<StoredDecision>().nullable(),
    state: p.text().$type<OrderState>().default('ACCEPTED'),
    /** Time of the last applied report. */
    erpTimestamp: p.bigint('number').nullable(),
    /** Differs from the order's id after a move. */
    erpOrderId: p.uuid().nullable(),
    problem: p.text().$type<OrderProblem>().nullable(),
    acceptedAt: p.datetime().defaultRaw('now()'),
    sendUntil: p.datetime(),
    sentAt: p.datetime().nullable(),
    /** Last call with an unknown result, or null. */
    unansweredSince: p.datetime().nullable(),
    /** First read that did not find the order; null once found. */
    missingSince: p.datetime().nullable(),
    followedAt: p.datetime().nullable(),
    /** Null until the ERP reports the number. */
    erpNumber: p.text().nullable(),
    /** The order's organization, a call center, or a move's target. */
    erpOrganizationErpId: p.uuid().nullable(),
    erpError: p.text().nullable(),
    endedAt: p.datetime().nullable(),
    erasedAt: p.datetime().nullable(),
  },
});

/**
 * A reservation that counts an order in a limit (rule ORD-121). `key` is a digest. Inserted before
 * the order. Ignored after one minute if the order was never placed.
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

/** Retained for 90 days (rule ORD-104). */
export const OrderDecision = defineEntity({
  name: 'OrderDecision',
  tableName: 'order_decision',
  properties: {
    orderId: p.uuid().primary(),
    decision: p.json<StoredDecision>(),
    decidedAt: p.datetime(),
  },
});

/** Retained for 90 days (rule ORD-172). */
export const OrderAttempt = defineEntity({
  name: 'OrderAttempt',
  tableName: 'order_attempt',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    orderId: p.uuid(),
    begunAt: p.datetime().defaultRaw('clock_timestamp()'),
    endedAt: p.datetime().nullable(),
    /** Null until the response is recorded. */
    outcome: p.text().$type<AttemptOutcome>().nullable(),
    /** Kind of failure, or null. */
    kind: p.text().nullable(),
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
    /** Per unit without modifiers. */
    basePriceKopecks: p.bigint('number'),
    unitPriceKopecks: p.bigint('number'),
    lineTotalKopecks: p.bigint('number'),
    /** The right to a gift. Null in earlier orders. */
    compensationId: p.uuid().nullable(),
    /** Set if the gift was redeemed by another order before sending. */
    leftOutAt: p.datetime().nullable(),
  },
});

/** Append-only. */
export const OrderMove = defineEntity({
  name: 'OrderMove',
  tableName: 'order_move',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    orderId: p.uuid(),
    state: p.text().$type<OrderState>(),
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
    /** Digest of the terms. */
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

export const OrderRevision = defineEntity({
  name: 'OrderRevision',
  tableName: 'order_revision',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    revision: p.bigint('number'),
    polledAt: p.datetime().defaultRaw('now()'),
  },
});

/** `revision` is null if the connection had none. */
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
    /** Set if a poll was requested but has not begun. */
    hintedAt: p.datetime().nullable(),
  },
});

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

export const GiftReconciliation = defineEntity({
  name: 'GiftReconciliation',
  tableName: 'gift_reconciliation',
  properties: {
    /** Local day. */
    day: p.date().primary(),
    organizationErpId: p.uuid().primary(),
    connectionId: p.bigint('number'),
    /** Gift units in orders at the ERP. */
    atErp: p.integer(),
    /** Units of rights that these orders have redeemed. */
    redeemed: p.integer(),
    /** Units without a right. */
    unauthorized: p.integer(),
    /** By order, because differences of two orders may cancel out. */
    differingOrders: p.integer(),
    checkedAt: p.datetime(),
    /** Digest of the differing orders, or null. */
    fingerprint: p.text().nullable(),
    /** The difference is accepted while this equals `fingerprint`. */
    acceptedFingerprint: p.text().nullable(),
    acceptedAt: p.datetime().nullable(),
    acceptedByUserId: p.bigint('number').nullable(),
    /** Written by an earlier release; `npm run migrate` moves it. */
    acceptanceReason: p.text().nullable(),
    /** Staff text in `personal_data`, until erased. */
    acceptanceReasonId: p.uuid().nullable(),
  },
});

/** Orders are neither accepted nor sent until the restoration is finished (rule ORD-112). */
export const Restoration = defineEntity({
  name: 'Restoration',
  tableName: 'restoration',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    /** Time of the backup. */
    restoredTo: p.datetime(),
    beganAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    report: p.json<object>().nullable(),
  },
});

export const RestoredOrder = defineEntity({
  name: 'RestoredOrder',
  tableName: 'restored_order',
  properties: {
    orderId: p.uuid().primary(),
    restoredTo: p.datetime(),
    cartsClosed: p.integer(),
    rightsTaken: p.integer(),
    discountUses: p.integer(),
    unrecovered: p
      .array((text) => text)
      .columnType('text[]')
      .defaultRaw(`'{}'::text[]`),
    recordedAt: p.datetime().defaultRaw('now()'),
  },
});
