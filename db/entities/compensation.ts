import { defineEntity, p } from '@mikro-orm/core';
import type { RewardHealth } from '../../domain/compensation/checks.ts';
import type { CompensationMoveName, CompensationStatus } from '../../domain/compensation/states.ts';
import type { CompensationReason, CompensationSource } from '../../domain/compensation/words.ts';
import { edited } from './edited.ts';

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
    healthState: p.text().$type<RewardHealth>().default('UNKNOWN'),
    healthReasons: p
      .array((text) => text)
      .columnType('text[]')
      .defaultRaw(`'{}'::text[]`),
    healthCheckedAt: p.datetime().nullable(),
    ...edited,
  },
});

/** To whom rights belong: a person in one account of the ERP, by the ERP's id or by a phone that somebody vouches for. */
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

/** One right of one client to a gift. Its state is what the last of its moves says. */
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
    reasonComment: p.text().nullable(),
    source: p.text().$type<CompensationSource>(),
    /** What of the ERP it was read from; names the source once. */
    sourceMarker: p.text().nullable(),
    /** The order that it makes up for. */
    sourceOrderId: p.uuid().nullable(),
    grantedBy: p.text().$type<'STAFF' | 'ERP_OPERATOR' | 'SYSTEM'>(),
    grantedByUserId: p.bigint('number').nullable(),
    grantedAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    /** Stays when the reservation is redeemed, and goes when it is given back. */
    reservedOrderId: p.uuid().nullable(),
    reservedAt: p.datetime().nullable(),
    /** An order of ours, or the ERP's id of one that was made elsewhere. */
    redeemedOrderId: p.uuid().nullable(),
    redeemedAt: p.datetime().nullable(),
    version: p.integer().default(0),
  },
});

/** The ledger: every move of every right in its order, never changed. Version 0 is the promise itself. */
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
    reason: p.text().nullable(),
    actorType: p.text().$type<'USER' | 'SYSTEM'>(),
    actorId: p.bigint('number').nullable(),
    actorName: p.text().nullable(),
    at: p.datetime(),
  },
});
