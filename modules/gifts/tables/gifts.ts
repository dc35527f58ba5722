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

/** A gift that may be promised: an item which the ERP sells for nothing. */
export const Reward = defineEntity({
  name: 'Reward',
  tableName: 'reward',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    name: p.text(),
    erpItemId: p.uuid(),
    /** Our id of the item in one size; null for the item's first one. */
    erpItemSizeId: p.bigint('number').nullable(),
    /** Null for the whole network. */
    organizationErpId: p.uuid().nullable(),
    imageId: p.bigint('number').nullable(),
    /** The category of clients at the ERP that stands for a right to this gift. */
    categoryId: p.uuid().nullable(),
    isActive: p.boolean().default(true),
    /** Days until a right expires that a marker of the ERP gives; null is no term. */
    defaultTermDays: p.integer().nullable(),
    /** The reason of rights that markers of the ERP give. */
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

/** A dish that a reward had until it got another one, or was given no more. */
export const RewardFormerDish = defineEntity({
  name: 'RewardFormerDish',
  tableName: 'reward_former_dish',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    rewardId: p.bigint('number'),
    erpItemId: p.uuid(),
    /** Empty for an item without sizes; null if the mirror had none. */
    erpSizeId: p.text().nullable(),
    leftAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * An owner of rights: a person in one account of the ERP, by the ERP's id or by a verified phone.
 */
export const CompensationClient = defineEntity({
  name: 'CompensationClient',
  tableName: 'compensation_client',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.bigint('number'),
    erpCustomerId: p.uuid().nullable(),
    /** Keyed digest of the phone; the phone itself is in `personal_data`. */
    phoneDigest: p.text().nullable(),
    personalDataId: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** One right of one client to a gift. Its state is the result of its last move. */
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
    /** Text that a former release has written; `npm run migrate` moves it. */
    reasonComment: p.text().nullable(),
    /** Words of staff in `personal_data`, until they are erased. */
    reasonCommentId: p.uuid().nullable(),
    source: p.text().$type<CompensationSource>(),
    /** The source at the ERP; names the source once. */
    sourceMarker: p.text().nullable(),
    /** The order that it makes up for. */
    sourceOrderId: p.uuid().nullable(),
    grantedBy: p.text().$type<'STAFF' | 'ERP_OPERATOR' | 'SYSTEM'>(),
    grantedByUserId: p.bigint('number').nullable(),
    grantedAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    /** Kept when the reservation is redeemed, and cleared when it is returned. */
    reservedOrderId: p.uuid().nullable(),
    reservedAt: p.datetime().nullable(),
    /** An order of ours, or the ERP's id of an order from another channel. */
    redeemedOrderId: p.uuid().nullable(),
    redeemedAt: p.datetime().nullable(),
    version: p.integer().default(0),
  },
});

/**
 * The ledger: every move of every right in its order, never changed. Version 0 is the promise
 * itself.
 */
export const CompensationMove = defineEntity({
  name: 'CompensationMove',
  tableName: 'compensation_move',
  properties: {
    compensationId: p.uuid().primary(),
    /** The version of the right after the move. */
    version: p.integer().primary(),
    move: p.text().$type<CompensationMoveName | 'GRANT'>(),
    fromStatus: p.text().$type<CompensationStatus>().nullable(),
    toStatus: p.text().$type<CompensationStatus>(),
    /** After the move. */
    rewardId: p.bigint('number'),
    orderId: p.uuid().nullable(),
    /** A code; null when words of staff are the whole reason. */
    reason: p.text().nullable(),
    /** Words of staff in `personal_data`, until they are erased. */
    reasonId: p.uuid().nullable(),
    actorType: p.text().$type<'USER' | 'SYSTEM'>(),
    actorId: p.bigint('number').nullable(),
    actorName: p.text().nullable(),
    at: p.datetime(),
  },
});

/** The stored card of a client at the ERP. Its row lock also serializes readings. */
export const ClientCard = defineEntity({
  name: 'ClientCard',
  tableName: 'client_card',
  properties: {
    clientId: p.uuid().primary(),
    /** The time when the last valid reading was applied; null before the first. */
    readAt: p.datetime().nullable(),
    /** Start of the last reading that compared its promises with the rewards. */
    promisesReadAt: p.datetime().nullable(),
    /** Broken blocks in the comment. */
    damaged: p.integer().default(0),
    /** Names in blocks that mean no gift. */
    unknown: p.integer().default(0),
    /** Categories that stand for gifts of which none may be promised now. */
    withoutReward: p.integer().default(0),
  },
});

/** A marker of a client that was seen at the ERP. */
export const ClientMarker = defineEntity({
  name: 'ClientMarker',
  tableName: 'client_marker',
  properties: {
    clientId: p.uuid().primary(),
    source: p.text().$type<MarkerSource>().primary(),
    /** The category, or a digest of the name in the block. */
    subject: p.text().primary(),
    generation: p.integer().primary(),
    /** As the card was last read. */
    isPresent: p.boolean(),
    /** The right that it has given; null for a conflict that is open or was ignored. */
    compensationId: p.uuid().nullable(),
    seenAt: p.datetime(),
    goneAt: p.datetime().nullable(),
  },
});

/** The marker of a redeemed right on its way out of the ERP. */
export const MarkerClearing = defineEntity({
  name: 'MarkerClearing',
  tableName: 'marker_clearing',
  properties: {
    compensationId: p.uuid().primary(),
    state: p.text().$type<ClearingState>().default('TO_CLEAR'),
    /** The reason why it cannot be cleared yet; only while it is HELD. */
    heldBy: p.text().$type<HeldBy>().nullable(),
    tries: p.integer().default(0),
    waitsSince: p.datetime(),
    triedAt: p.datetime().nullable(),
    clearedAt: p.datetime().nullable(),
    /**
     * True if the comment was as we wrote it when it was read again; null when nothing was written.
     */
    isAsWritten: p.boolean().nullable(),
    /**
     * The number of equal markers that are to stay when this one is removed, while some are
     * unknown; null otherwise.
     */
    equalsLeft: p.integer().nullable(),
  },
});

/** A decision of staff about a marker. */
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
    /** The right that a decision has granted, or that has lost its marker. */
    compensationId: p.uuid().nullable(),
    status: p.text().$type<ConflictStatus>().default('OPEN'),
    reason: p.text().nullable(),
    /** Words of staff in `personal_data`, until they are erased. */
    reasonId: p.uuid().nullable(),
    foundAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    closedByUserId: p.bigint('number').nullable(),
  },
});

/** A phrase in a comment that may promise a gift: staff decide. */
export const CompensationCandidate = defineEntity({
  name: 'CompensationCandidate',
  tableName: 'compensation_candidate',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    clientId: p.uuid(),
    /** As phrases are compared. */
    phrase: p.text(),
    generation: p.integer(),
    /** As the card was last read. */
    isPresent: p.boolean(),
    status: p.text().$type<CandidateStatus>().default('OPEN'),
    /** The excerpt with the phrase, until the decision and while the text may be kept. */
    personalDataId: p.uuid().nullable(),
    /** The only reward whose name was in the comment. */
    rewardId: p.bigint('number').nullable(),
    /** The right that staff have granted. */
    compensationId: p.uuid().nullable(),
    reason: p.text().nullable(),
    /** Words of staff in `personal_data`, until they are erased. */
    reasonId: p.uuid().nullable(),
    foundAt: p.datetime(),
    seenAt: p.datetime(),
    goneAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    closedByUserId: p.bigint('number').nullable(),
  },
});

/** An order at the ERP that contains a gift, or did; from any channel. */
export const ErpGiftOrder = defineEntity({
  name: 'ErpGiftOrder',
  tableName: 'erp_gift_order',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    erpOrderId: p.uuid(),
    /** Its ids before it was moved to another terminal group. */
    formerErpOrderIds: p
      .array((text) => text)
      .columnType('uuid[]')
      .defaultRaw(`'{}'::uuid[]`),
    organizationErpId: p.uuid(),
    /** Null for an order from another channel. */
    ownOrderId: p.uuid().nullable(),
    /** On which it was made, by the restaurant's clock. */
    day: p.date(),
    /** The ERP's word. */
    status: p.text(),
    /** The count of the state that was read last. */
    erpTimestamp: p.bigint('number'),
    seenAt: p.datetime().defaultRaw('now()'),
  },
});

/** Units of one gift in such an order. A gift that was removed again has none. */
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
    /** The rewards that it may be, as it was last read. */
    rewardIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .defaultRaw(`'{}'::bigint[]`),
  },
});

/** Units of a gift in an order at the ERP without a right. */
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
    /** Null if the order has no stored client. */
    clientId: p.uuid().nullable(),
    status: p.text().$type<UnauthorizedStatus>().default('OPEN'),
    reason: p.text().nullable(),
    /** Words of staff in `personal_data`, until they are erased. */
    reasonId: p.uuid().nullable(),
    foundAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    closedByUserId: p.bigint('number').nullable(),
  },
});

/**
 * A client whose older orders are still to be read at the ERP, because it was silent for long.
 */
export const ClientHistory = defineEntity({
  name: 'ClientHistory',
  tableName: 'client_history',
  properties: {
    clientId: p.uuid().primary(),
    connectionId: p.bigint('number'),
    ordersFrom: p.datetime(),
    ordersTo: p.datetime(),
    /** The time when they were first found missing. */
    since: p.datetime().defaultRaw('now()'),
    /** The time of the last failed request to the ERP. */
    askedAt: p.datetime().nullable(),
  },
});
