import { defineEntity, p } from '@mikro-orm/core';
import type { GiftChoice } from '../../gifts/rules/choose-gifts.ts';
import type { CartLine, ServerChange } from '../rules/cart-facts.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { ServiceOptions } from '../rules/service-items.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

/** Comments are stored encrypted. */
export type StoredLine = Omit<CartLine, 'comment'>;

/**
 * `version` is the first version with the change, which is kept until the guest sends this version
 * or a later one.
 */
export type StoredChange = ServerChange & { version: number };

/** Contains no parts of the address. */
export type CartDelivery = {
  addressId: string;
  terminalGroupErpId: string | null;
  deliveryFeeKopecks: number;
};

export const Cart = defineEntity({
  name: 'Cart',
  tableName: 'cart',
  properties: {
    id: p.uuid().primary(),
    customerId: p.text().nullable(),
    organizationId: p.bigint('number'),
    lines: p.json<readonly StoredLine[]>().defaultRaw(`'[]'::jsonb`),
    commentsEncrypted: p.text().nullable(),
    promocode: p.text().nullable(),
    options: p.json<ServiceOptions>(),
    giftChoices: p.json<readonly GiftChoice[]>().defaultRaw(`'[]'::jsonb`),
    changes: p.json<readonly StoredChange[]>().defaultRaw(`'[]'::jsonb`),
    /** Null unless delivered to a served address. */
    delivery: p.json<CartDelivery>().nullable(),
    /** The paid content. A difference raises the version. */
    answered: p.text(),
    /** True after the first reuse. */
    isRevisited: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    version: p.integer().default(1),
  },
});

export const Discount = defineEntity({
  name: 'Discount',
  tableName: 'discount',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    name: p.text(),
    kind: p.text().$type<'PERCENT' | 'FIXED'>(),
    value: p.bigint('number'),
    minSubtotalKopecks: p.bigint('number').default(0),
    startsAt: p.datetime().nullable(),
    endsAt: p.datetime().nullable(),
    weekdays: p
      .array((text) => Number(text))
      .columnType('integer[]')
      .nullable(),
    fromMinute: p.integer().nullable(),
    toMinute: p.integer().nullable(),
    organizationIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    fulfillmentTypes: p
      .array((text) => text as FulfillmentType)
      .columnType('text[]')
      .nullable(),
    oncePerCustomer: p.boolean().default(false),
    firstOrderOnly: p.boolean().default(false),
    totalUses: p.integer().nullable(),
    isCombinable: p.boolean().default(false),
    needsPromocode: p.boolean().default(false),
    isActive: p.boolean().default(true),
    ...edited,
  },
});

export const Promocode = defineEntity({
  name: 'Promocode',
  tableName: 'promocode',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    discountId: p.bigint('number'),
    customerId: p.text().nullable(),
    isActive: p.boolean().default(true),
    ...edited,
  },
});

export const DiscountUse = defineEntity({
  name: 'DiscountUse',
  tableName: 'discount_use',
  properties: {
    discountId: p.bigint('number').primary().autoincrement(false),
    orderId: p.uuid().primary(),
    customerId: p.text().nullable(),
    /** Written by the previous release. */
    ordinal: p.integer().nullable(),
    /** The customer who may use the discount once, or null. */
    onceFor: p.text().nullable(),
    usedAt: p.datetime().defaultRaw('now()'),
  },
});

/** Uses in one of 100 shares of a limit, counted by triggers (ORD-103). */
export const DiscountCount = defineEntity({
  name: 'DiscountCount',
  tableName: 'discount_count',
  properties: {
    discountId: p.bigint('number').primary().autoincrement(false),
    share: p.integer().primary(),
    uses: p.integer(),
  },
});

export const ServiceRole = defineEntity({
  name: 'ServiceRole',
  tableName: 'service_role',
  properties: {
    role: p.text().primary(),
    /** Exactly one is set. The role follows the variant's binding. */
    erpItemId: p.uuid().nullable(),
    variantId: p.bigint('number').nullable(),
  },
});

/** One version for all roles. There is no row until roles are assigned. */
export const ServiceRoleList = defineEntity({
  name: 'ServiceRoleList',
  tableName: 'service_role_list',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    updatedAt: edited.updatedAt,
    version: edited.version,
  },
});

export const CompositionRule = defineEntity({
  name: 'CompositionRule',
  tableName: 'composition_rule',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    role: p.text(),
    everyPersons: p.integer(),
    freeUnits: p.integer(),
    isHidden: p.boolean().default(false),
    ...edited,
  },
});
