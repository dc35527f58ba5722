import { defineEntity, p } from '@mikro-orm/core';
import type { ProductStatus } from '../rules/states.ts';
import { edited } from '../../../kernel/tables/kernel.ts';

export const Badge = defineEntity({
  name: 'Badge',
  tableName: 'catalog_badge',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    name: p.text(),
    position: p.integer().default(0),
    version: edited.version,
  },
});

export const Category = defineEntity({
  name: 'Category',
  tableName: 'catalog_category',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    slug: p.text(),
    name: p.text(),
    parentId: p.bigint('number').nullable(),
    position: p.integer().default(0),
    imageId: p.bigint('number').nullable(),
    archivedAt: p.datetime().nullable(),
    ...edited,
    seoTitle: p.text().nullable(),
    seoDescription: p.text().nullable(),
  },
});

export const CategorySlug = defineEntity({
  name: 'CategorySlug',
  tableName: 'catalog_category_slug',
  properties: {
    slug: p.text().primary(),
    takenAt: p.datetime().defaultRaw('now()'),
    categoryId: p.bigint('number'),
  },
});

export const ItemBinding = defineEntity({
  name: 'ItemBinding',
  tableName: 'catalog_item_binding',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(false),
    productId: p.bigint('number'),
  },
});

export const ItemTriage = defineEntity({
  name: 'ItemTriage',
  tableName: 'catalog_item_triage',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(false),
    status: p.text(),
    note: p.text().nullable(),
    decidedAt: p.datetime().defaultRaw('now()'),
  },
});

export const ModifierGroupProfile = defineEntity({
  name: 'ModifierGroupProfile',
  tableName: 'catalog_modifier_group_profile',
  properties: {
    groupKey: p.text().primary(),
    displayName: p.text().nullable(),
    uiType: p.text().$type<'RADIO' | 'CHECKBOX' | 'COUNTER'>().nullable(),
    isHidden: p.boolean().default(false),
    isCollapsed: p.boolean().default(false),
    itemOrder: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .defaultRaw(`'{}'::bigint[]`),
    ...edited,
  },
});

export const ModifierProfile = defineEntity({
  name: 'ModifierProfile',
  tableName: 'catalog_modifier_profile',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(false),
    displayName: p.text().nullable(),
    imageId: p.bigint('number').nullable(),
    position: p.integer().nullable(),
    isHidden: p.boolean().default(false),
    ...edited,
  },
});

export const Product = defineEntity({
  name: 'Product',
  tableName: 'catalog_product',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    slug: p.text(),
    name: p.text(),
    subtitle: p.text().nullable(),
    description: p.text().nullable(),
    composition: p.text().nullable(),
    status: p.text().$type<ProductStatus>().default('DRAFT'),
    statusReason: p.text().nullable(),
    variantAxisId: p.bigint('number').nullable(),
    mainImageId: p.bigint('number').nullable(),
    hoverImageId: p.bigint('number').nullable(),
    publishedAt: p.datetime().nullable(),
    seoTitle: p.text().nullable(),
    isVisible: p.boolean().default(true),
    searchText: p
      .text()
      .generated("((translate(lower(name), 'ё'::text, 'е'::text) || chr(10)) || slug)")
      .nullable(),
    seoDescription: p.text().nullable(),
    ...edited,
  },
});

export const ProductBadge = defineEntity({
  name: 'ProductBadge',
  tableName: 'catalog_product_badge',
  properties: {
    productId: p.bigint('number').primary().autoincrement(false),
    badgeId: p.bigint('number').primary().autoincrement(false),
    position: p.integer().default(0),
  },
});

export const ProductCategory = defineEntity({
  name: 'ProductCategory',
  tableName: 'catalog_product_category',
  properties: {
    productId: p.bigint('number').primary().autoincrement(false),
    categoryId: p.bigint('number').primary().autoincrement(false),
    position: p.integer().default(0),
    isPrimary: p.boolean().default(false),
  },
});

export const ProductImage = defineEntity({
  name: 'ProductImage',
  tableName: 'catalog_product_image',
  properties: {
    productId: p.bigint('number').primary().autoincrement(false),
    mediaId: p.bigint('number').primary().autoincrement(false),
    position: p.integer(),
  },
});

export const ProductSlug = defineEntity({
  name: 'ProductSlug',
  tableName: 'catalog_product_slug',
  properties: {
    slug: p.text().primary(),
    takenAt: p.datetime().defaultRaw('now()'),
    productId: p.bigint('number'),
  },
});

export const ProductVisibility = defineEntity({
  name: 'ProductVisibility',
  tableName: 'catalog_product_visibility',
  properties: {
    productId: p.bigint('number').primary().autoincrement(false),
    organizationId: p.bigint('number').primary().autoincrement(false),
    isVisible: p.boolean(),
  },
});

export const Variant = defineEntity({
  name: 'Variant',
  tableName: 'catalog_variant',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    productId: p.bigint('number'),
    itemSizeId: p.bigint('number'),
    optionId: p.bigint('number').nullable(),
    isDefault: p.boolean().default(false),
    position: p.integer().default(0),
    lastSeenName: p.text().nullable(),
    lastSeenSku: p.text().nullable(),
    lastSeenPriceKopecks: p.bigint('number').nullable(),
    lastSeenAt: p.datetime().nullable(),
    bindingState: p.text().$type<'OK' | 'MISSING'>().default('OK'),
    missingSince: p.datetime().nullable(),
    lastSeenSnapshot: p.json<Record<string, unknown>>().nullable(),
    personCount: p.integer().default(0),
    personSplittingEnabled: p.boolean().default(false),
    toolCount: p.integer().default(0),
    sugarCount: p.integer().default(0),
    ...edited,
  },
});

export const VariantAxis = defineEntity({
  name: 'VariantAxis',
  tableName: 'catalog_variant_axis',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    code: p.text(),
    name: p.text(),
    uiType: p.text().default('SEGMENTED'),
    version: edited.version,
  },
});

export const VariantOption = defineEntity({
  name: 'VariantOption',
  tableName: 'catalog_variant_option',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    axisId: p.bigint('number'),
    code: p.text(),
    name: p.text(),
    shortName: p.text().nullable(),
    position: p.integer().default(0),
    version: edited.version,
  },
});
