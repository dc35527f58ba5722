import { defineEntity, p } from '@mikro-orm/core';
import type { WeeklyHours } from '../rules/weekly-hours.ts';

// Unlogged tables without a primary key. The ORM requires one, so the identifying columns are
// declared; it never reads or writes them.

export const StageGroup = defineEntity({
  name: 'StageGroup',
  tableName: 'stage_group',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    itemErpId: p.uuid(),
    groupKey: p.text(),
    erpId: p.text().nullable(),
    name: p.text(),
    sku: p.text().nullable(),
    position: p.integer(),
    isHidden: p.boolean(),
    minQuantity: p.integer(),
    maxQuantity: p.integer(),
    freeQuantity: p.integer(),
    defaultQuantity: p.integer(),
    hasChildRestrictions: p.boolean(),
  },
});

export const StageItem = defineEntity({
  name: 'StageItem',
  tableName: 'stage_item',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    erpId: p.uuid(),
    role: p.text().$type<'DISH' | 'MODIFIER'>(),
    name: p.text(),
    description: p.text().nullable(),
    sku: p.text().nullable(),
    type: p.text().nullable(),
    orderItemType: p.text().nullable(),
    measureUnit: p.text().nullable(),
    productCategoryErpId: p.text().nullable(),
    allergens: p.json<unknown>(),
    labels: p.json<unknown>(),
    isHidden: p.boolean(),
  },
});

export const StageLink = defineEntity({
  name: 'StageLink',
  tableName: 'stage_link',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    itemErpId: p.uuid(),
    groupKey: p.text(),
    modifierErpId: p.uuid(),
    position: p.integer(),
    name: p.text(),
    isHidden: p.boolean(),
    weightGrams: p.double().$type<number>().nullable(),
    minQuantity: p.integer(),
    maxQuantity: p.integer(),
    freeQuantity: p.integer(),
    defaultQuantity: p.integer(),
  },
});

export const StageMenuCategory = defineEntity({
  name: 'StageMenuCategory',
  tableName: 'stage_menu_category',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    erpId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    isHidden: p.boolean(),
    position: p.integer(),
    hours: p.json<WeeklyHours>().nullable(),
  },
});

export const StagePlacement = defineEntity({
  name: 'StagePlacement',
  tableName: 'stage_placement',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    categoryErpId: p.text(),
    itemErpId: p.uuid(),
    position: p.integer(),
    isHidden: p.boolean(),
  },
});

export const StagePrice = defineEntity({
  name: 'StagePrice',
  tableName: 'stage_price',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    itemErpId: p.uuid(),
    role: p.text().$type<'DISH' | 'MODIFIER'>(),
    erpSizeId: p.text(),
    organizationId: p.bigint('number'),
    priceKopecks: p.bigint('number').nullable(),
  },
});

export const StageProductCategory = defineEntity({
  name: 'StageProductCategory',
  tableName: 'stage_product_category',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    erpId: p.text(),
    name: p.text(),
    isDeleted: p.boolean(),
  },
});

export const StageSize = defineEntity({
  name: 'StageSize',
  tableName: 'stage_size',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    itemErpId: p.uuid(),
    role: p.text().$type<'DISH' | 'MODIFIER'>(),
    erpSizeId: p.text(),
    name: p.text().nullable(),
    code: p.text().nullable(),
    sku: p.text().nullable(),
    weightGrams: p.double().$type<number>().nullable(),
    nutrition: p.json<unknown>().nullable(),
    isDefault: p.boolean(),
    isHidden: p.boolean(),
  },
});

export const StageUnreadItem = defineEntity({
  name: 'StageUnreadItem',
  tableName: 'stage_unread_item',
  properties: {
    runId: p.bigint('number').primary().autoincrement(false),
    batch: p.integer().primary(),
    attempt: p.integer().primary(),
    role: p.text().$type<'DISH' | 'MODIFIER'>(),
    erpId: p.uuid().nullable(),
  },
});
