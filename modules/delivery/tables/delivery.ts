import { defineEntity, p } from '@mikro-orm/core';
import type { AddressPrecision } from '../rules/addresses/match-address.ts';
import type { ErpDiscountChoice, ErpPaymentChoice } from '../rules/erp-names.ts';
import type { PaymentCode } from '../rules/payment-methods.ts';
import type { Channel, DayWindow, ExceptionKind, RegularWindow } from '../rules/schedule.ts';
import type { FulfillmentType } from '../rules/status.ts';
import type { ZoneStyle, ZoneTexts } from '../schemas/zones.ts';
import type { GeocodedPlace } from '../rules/geocoder/kind.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

/** Without a row, defaults apply. */
export const OrderingConfig = defineEntity({
  name: 'OrderingConfig',
  tableName: 'ordering_config',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    deliveryEnabled: p.boolean().default(false),
    pickupEnabled: p.boolean().default(false),
    timedOrdersEnabled: p.boolean().default(true),
    timeZone: p.text().nullable(),
    code: p.text().nullable(),
    city: p.text().nullable(),
    phone: p.text().nullable(),
    deliverySlotStepMinutes: p.integer().default(30),
    pickupSlotStepMinutes: p.integer().default(10),
    horizonDays: p.integer().default(2),
    deliveryOpenDelayMinutes: p.integer().default(60),
    deliveryCloseDelayMinutes: p.integer().default(40),
    restaurantOpenDelayMinutes: p.integer().default(60),
    restaurantCloseDelayMinutes: p.integer().default(30),
    /** Null for the default. */
    pickupCookingMinutes: p.integer().nullable(),
    deliveryMinutes: p.integer().default(60),
    updatedAt: edited.updatedAt,
    version: edited.version,
  },
});

/** Replaced as a whole. */
export const OrderingSchedule = defineEntity({
  name: 'OrderingSchedule',
  tableName: 'ordering_schedule',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    windows: p.json<RegularWindow[]>(),
    updatedAt: edited.updatedAt,
    version: edited.version,
  },
});

export const ScheduleException = defineEntity({
  name: 'ScheduleException',
  tableName: 'schedule_exception',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: p.bigint('number'),
    kind: p.text().$type<ExceptionKind>(),
    channel: p.text().$type<Channel>().nullable(),
    date: p.date().nullable(),
    windows: p.json<DayWindow[]>(),
    startsAt: p.datetime().nullable(),
    endsAt: p.datetime().nullable(),
    reason: p.text().nullable(),
    ...edited,
  },
});

/** Without an organization, for all. */
export const ExpectationRule = defineEntity({
  name: 'ExpectationRule',
  tableName: 'expectation_rule',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    scope: p.text().$type<'GLOBAL' | 'CATEGORY'>(),
    categoryId: p.bigint('number').nullable(),
    organizationId: p.bigint('number').nullable(),
    durationMinutes: p.integer(),
    activeFrom: p.datetime().nullable(),
    activeTo: p.datetime().nullable(),
    ...edited,
  },
});

export const BusyMode = defineEntity({
  name: 'BusyMode',
  tableName: 'busy_mode',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    extraMinutes: p.integer(),
    until: p.datetime(),
    updatedAt: edited.updatedAt,
  },
});

export const GuestNotice = defineEntity({
  name: 'GuestNotice',
  tableName: 'guest_notice',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    severity: p.text().$type<'INFO' | 'WARNING' | 'CRITICAL'>(),
    title: p.text(),
    text: p.text(),
    ttlSeconds: p.integer(),
    isActive: p.boolean().default(true),
    organizationId: p.bigint('number').nullable(),
    activeFrom: p.datetime().nullable(),
    activeTo: p.datetime().nullable(),
    position: p.integer().default(0),
    ...edited,
  },
});

export const PaymentMethod = defineEntity({
  name: 'PaymentMethod',
  tableName: 'payment_method',
  properties: {
    code: p.text().$type<PaymentCode>().primary(),
    name: p.text(),
    isEnabled: p.boolean().default(true),
    allowsLeaveAtDoor: p.boolean().default(false),
    requiresChange: p.boolean().default(false),
    sortOrder: p.integer().default(0),
    availability: p
      .json<{ organizationId: number; fulfillmentTypes: FulfillmentType[] }[]>()
      .defaultRaw(`'[]'::jsonb`),
    updatedAt: edited.updatedAt,
    version: edited.version,
  },
});

export const ErpChoices = defineEntity({
  name: 'ErpChoices',
  tableName: 'erp_choices',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    paymentTypes: p.json<readonly ErpPaymentChoice[]>(),
    discountTypes: p.json<readonly ErpDiscountChoice[]>(),
    readAt: p.datetime().defaultRaw('now()'),
  },
});

export const OrderSending = defineEntity({
  name: 'OrderSending',
  tableName: 'order_sending',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    paymentTypes: p.json<Partial<Record<PaymentCode, string>>>().defaultRaw(`'{}'::jsonb`),
    discountTypeId: p.uuid().nullable(),
    marketingSourceId: p.uuid().nullable(),
    updatedAt: edited.updatedAt,
    version: edited.version,
  },
});

export const DeliveryZoneView = defineEntity({
  name: 'DeliveryZoneView',
  tableName: 'delivery_zone_view',
  properties: {
    zoneId: p.bigint('number').primary().autoincrement(false),
    displayName: p.text().nullable(),
    priority: p.integer().default(100),
    style: p.json<ZoneStyle>().nullable(),
    texts: p.json<ZoneTexts>().defaultRaw(`'{}'::jsonb`),
    updatedAt: p.datetime().defaultRaw('now()'),
    version: edited.version,
  },
});

export const ZoneOverride = defineEntity({
  name: 'ZoneOverride',
  tableName: 'zone_override',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: p.bigint('number'),
    minSumKopecks: p.bigint('number').nullable(),
    deliveryFeeKopecks: p.bigint('number').nullable(),
    validFrom: p.datetime().nullable(),
    validTo: p.datetime().nullable(),
    ...edited,
  },
});

/** Deleted with its personal data. */
export const DeliveryAddress = defineEntity({
  name: 'DeliveryAddress',
  tableName: 'delivery_address',
  properties: {
    id: p.uuid().primary(),
    /** Exactly one is set. */
    customerId: p.text().nullable(),
    cartId: p.uuid().nullable(),
    personalDataId: p.uuid(),
    precision: p.text().$type<AddressPrecision>().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

export const GeocoderAnswer = defineEntity({
  name: 'GeocoderAnswer',
  tableName: 'geocoder_answer',
  properties: {
    key: p.text().primary(),
    places: p.json<GeocodedPlace[]>(),
    /** The day in UTC. */
    createdAt: p.date().defaultRaw(`(now() at time zone 'UTC')::date`),
    expiresAt: p.datetime(),
  },
});
