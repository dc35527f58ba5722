import { defineEntity, p } from '@mikro-orm/core';
import type { RewardHealth } from '../rules/checks.ts';
import type { ClearingState, HeldBy } from '../rules/markers.ts';
import type { CompensationMoveName, CompensationStatus } from '../rules/states.ts';
import type {
  CandidateStatus,
  CompensationReason,
  CompensationSource,
  ConflictKind,
  ConflictStatus,
  MarkerSource,
  UnauthorizedKind,
  UnauthorizedStatus,
} from '../rules/words.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

/** An item that the ERP sells for nothing. */
export const Reward = defineEntity({
  name: 'Reward',
  tableName: 'reward',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    name: p.text(),
    erpItemId: p.uuid(),
    /** Null for the item's first size. */
    erpItemSizeId: p.bigint('number').nullable(),
    /** Null for the whole network. */
    organizationErpId: p.uuid().nullable(),
    imageId: p.bigint('number').nullable(),
    /** Client category that grants this gift. */
    categoryId: p.uuid().nullable(),
    isActive: p.boolean().default(true),
    /** Applies to rights that markers grant. Null means no term. */
    defaultTermDays: p.integer().nullable(),
    /** Applies to rights of markers. */
    defaultReason: p.text().$type<CompensationReason>().default('OTHER'),
    healthState: p.text().$type<RewardHealth>().default('UNKNOWN'),
    healthReasons: p
      .array((text) => text)
      .columnType('text[]')
      .defaultRaw(`'{}'::text[]`),
    healthCheckedAt: p.datetime().nullable(),
    ...edited,
  },
});

export const RewardFormerDish = defineEntity({
  name: 'RewardFormerDish',
  tableName: 'reward_former_dish',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    rewardId: p.bigint('number'),
    erpItemId: p.uuid(),
    /** Empty if the dish had no sizes. Null if the mirror had none. */
    erpSizeId: p.text().nullable(),
    leftAt: p.datetime().defaultRaw('now()'),
  },
});

/** A client who has rights in one ERP account. */
export const CompensationClient = defineEntity({
  name: 'CompensationClient',
  tableName: 'compensation_client',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.bigint('number'),
    erpCustomerId: p.uuid().nullable(),
    /** Keyed digest; the phone is in `personal_data`. */
    phoneDigest: p.text().nullable(),
    personalDataId: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** The columns show the state after the last move. */
export const Compensation = defineEntity({
  name: 'Compensation',
  tableName: 'compensation',
  properties: {
    id: p.uuid().primary(),
    clientId: p.uuid(),
    rewardId: p.bigint('number'),
    quantity: p.integer().default(1),
    status: p.text().$type<CompensationStatus>().default('GRANTED'),
    reason: p.text().$type<CompensationReason>(),
    /** Written by an earlier release; `npm run migrate` moves it. */
    reasonComment: p.text().nullable(),
    /** Staff text in `personal_data`, until erased. */
    reasonCommentId: p.uuid().nullable(),
    source: p.text().$type<CompensationSource>(),
    /** Unique name of the marker. */
    sourceMarker: p.text().nullable(),
    sourceOrderId: p.uuid().nullable(),
    grantedBy: p.text().$type<'STAFF' | 'ERP_OPERATOR' | 'SYSTEM'>(),
    grantedByUserId: p.bigint('number').nullable(),
    grantedAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    /** Kept when redeemed, cleared when returned. */
    reservedOrderId: p.uuid().nullable(),
    reservedAt: p.datetime().nullable(),
    /** Id of an own order, or the ERP's id of another order. */
    redeemedOrderId: p.uuid().nullable(),
    redeemedAt: p.datetime().nullable(),
    version: p.integer().default(0),
  },
});

/** Append-only ledger; version 0 is the grant. */
export const CompensationMove = defineEntity({
  name: 'CompensationMove',
  tableName: 'compensation_move',
  properties: {
    compensationId: p.uuid().primary(),
    /** After the move. */
    version: p.integer().primary(),
    move: p.text().$type<CompensationMoveName | 'GRANT'>(),
    fromStatus: p.text().$type<CompensationStatus>().nullable(),
    toStatus: p.text().$type<CompensationStatus>(),
    /** After the move. */
    rewardId: p.bigint('number'),
    orderId: p.uuid().nullable(),
    /** A code; null if a staff text is the reason. */
    reason: p.text().nullable(),
    /** Staff text in `personal_data`, until erased. */
    reasonId: p.uuid().nullable(),
    actorType: p.text().$type<'USER' | 'SYSTEM'>(),
    actorId: p.bigint('number').nullable(),
    actorName: p.text().nullable(),
    at: p.datetime(),
  },
});

/** A lock on its row serializes reads of the card. */
export const ClientCard = defineEntity({
  name: 'ClientCard',
  tableName: 'client_card',
  properties: {
    clientId: p.uuid().primary(),
    /** Time when the last read was applied. */
    readAt: p.datetime().nullable(),
    /** Start of the last read that compared promises with rewards. */
    promisesReadAt: p.datetime().nullable(),
    /** Broken blocks in the comment. */
    damaged: p.integer().default(0),
    /** Block names that match no gift. */
    unknown: p.integer().default(0),
    /** Gift categories that cannot be promised now. */
    withoutReward: p.integer().default(0),
  },
});

export const ClientMarker = defineEntity({
  name: 'ClientMarker',
  tableName: 'client_marker',
  properties: {
    clientId: p.uuid().primary(),
    source: p.text().$type<MarkerSource>().primary(),
    /** The category, or a digest of the block's name. */
    subject: p.text().primary(),
    generation: p.integer().primary(),
    /** As of the last read. */
    isPresent: p.boolean(),
    /** Null for an open or ignored conflict. */
    compensationId: p.uuid().nullable(),
    seenAt: p.datetime(),
    goneAt: p.datetime().nullable(),
  },
});

export const MarkerClearing = defineEntity({
  name: 'MarkerClearing',
  tableName: 'marker_clearing',
  properties: {
    compensationId: p.uuid().primary(),
    state: p.text().$type<ClearingState>().default('TO_CLEAR'),
    /** Null unless the state is HELD. */
    heldBy: p.text().$type<HeldBy>().nullable(),
    tries: p.integer().default(0),
    waitsSince: p.datetime(),
    triedAt: p.datetime().nullable(),
    clearedAt: p.datetime().nullable(),
    /** The comment was read back as written. Null if nothing was written. */
    isAsWritten: p.boolean().nullable(),
    /** Number of equal markers that must remain. Null unless some equal markers are not stored. */
    equalsLeft: p.integer().nullable(),
  },
});

export const CompensationConflict = defineEntity({
  name: 'CompensationConflict',
  tableName: 'compensation_conflict',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<ConflictKind>(),
    clientId: p.uuid(),
    source: p.text().$type<MarkerSource>(),
    subject: p.text(),
    generation: p.integer(),
    rewardId: p.bigint('number'),
    /** The right that was granted, or that lost its marker. */
    compensationId: p.uuid().nullable(),
    status: p.text().$type<ConflictStatus>().default('OPEN'),
    reason: p.text().nullable(),
    /** Staff text in `personal_data`, until erased. */
    reasonId: p.uuid().nullable(),
    foundAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    closedByUserId: p.bigint('number').nullable(),
  },
});

/** A phrase that may promise a gift. */
export const CompensationCandidate = defineEntity({
  name: 'CompensationCandidate',
  tableName: 'compensation_candidate',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    clientId: p.uuid(),
    /** Normalized. */
    phrase: p.text(),
    generation: p.integer(),
    /** As of the last read. */
    isPresent: p.boolean(),
    status: p.text().$type<CandidateStatus>().default('OPEN'),
    /** The excerpt, until the decision and the retention period end. */
    personalDataId: p.uuid().nullable(),
    /** The only reward named in the comment. */
    rewardId: p.bigint('number').nullable(),
    compensationId: p.uuid().nullable(),
    reason: p.text().nullable(),
    /** Staff text in `personal_data`, until erased. */
    reasonId: p.uuid().nullable(),
    foundAt: p.datetime(),
    seenAt: p.datetime(),
    goneAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    closedByUserId: p.bigint('number').nullable(),
  },
});

/** An order of any channel that contains or contained a gift. */
export const ErpGiftOrder = defineEntity({
  name: 'ErpGiftOrder',
  tableName: 'erp_gift_order',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    erpOrderId: p.uuid(),
    /** Ids before moves to other terminal groups. */
    formerErpOrderIds: p
      .array((text) => text)
      .columnType('uuid[]')
      .defaultRaw(`'{}'::uuid[]`),
    organizationErpId: p.uuid(),
    /** Null for other channels. */
    ownOrderId: p.uuid().nullable(),
    /** Local day. */
    day: p.date(),
    status: p.text(),
    /** Time of the last state. */
    erpTimestamp: p.bigint('number'),
    seenAt: p.datetime().defaultRaw('now()'),
  },
});

/** After a gift is removed, its quantity is 0. */
export const ErpGiftLine = defineEntity({
  name: 'ErpGiftLine',
  tableName: 'erp_gift_line',
  properties: {
    giftOrderId: p.bigint('number').primary().autoincrement(false),
    erpItemId: p.uuid().primary(),
    /** Empty for an item without sizes. */
    erpSizeId: p.text().primary(),
    name: p.text(),
    quantity: p.integer(),
    /** As of the last read. */
    rewardIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .defaultRaw(`'{}'::bigint[]`),
  },
});

export const UnauthorizedGift = defineEntity({
  name: 'UnauthorizedGift',
  tableName: 'unauthorized_gift',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<UnauthorizedKind>(),
    giftOrderId: p.bigint('number'),
    erpItemId: p.uuid(),
    erpSizeId: p.text(),
    name: p.text(),
    quantity: p.integer(),
    rewardId: p.bigint('number'),
    /** Null if the client is not stored. */
    clientId: p.uuid().nullable(),
    status: p.text().$type<UnauthorizedStatus>().default('OPEN'),
    reason: p.text().nullable(),
    /** Staff text in `personal_data`, until erased. */
    reasonId: p.uuid().nullable(),
    foundAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    closedByUserId: p.bigint('number').nullable(),
  },
});

/** A client whose older orders must be read after a long ERP outage. */
export const ClientHistory = defineEntity({
  name: 'ClientHistory',
  tableName: 'client_history',
  properties: {
    clientId: p.uuid().primary(),
    connectionId: p.bigint('number'),
    ordersFrom: p.datetime(),
    ordersTo: p.datetime(),
    since: p.datetime().defaultRaw('now()'),
    /** Last failed request. */
    askedAt: p.datetime().nullable(),
  },
});
