import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import { edited } from './edited.ts';

export const Category = defineEntity({
  name: 'Category',
  tableName: 'catalog_category',
  properties: {
    id: p.bigint('number').primary(),
    slug: p.text(),
    name: p.text(),
    parentId: p.bigint('number').nullable(),
    position: p.integer().default(0),
    imageId: p.bigint('number').nullable(),
    archivedAt: p.datetime().nullable(),
    ...edited,
  },
});
export type Category = InferEntity<typeof Category>;

export const VariantAxis = defineEntity({
  name: 'VariantAxis',
  tableName: 'catalog_variant_axis',
  properties: {
    id: p.bigint('number').primary(),
    code: p.text(),
    name: p.text(),
    uiType: p.text().default('SEGMENTED'),
    version: edited.version,
  },
});
export type VariantAxis = InferEntity<typeof VariantAxis>;

export const VariantOption = defineEntity({
  name: 'VariantOption',
  tableName: 'catalog_variant_option',
  properties: {
    id: p.bigint('number').primary(),
    axisId: p.bigint('number'),
    code: p.text(),
    name: p.text(),
    shortName: p.text().nullable(),
    position: p.integer().default(0),
    version: edited.version,
  },
});
export type VariantOption = InferEntity<typeof VariantOption>;

export const Product = defineEntity({
  name: 'Product',
  tableName: 'catalog_product',
  properties: {
    id: p.bigint('number').primary(),
    slug: p.text(),
    name: p.text(),
    subtitle: p.text().nullable(),
    description: p.text().nullable(),
    composition: p.text().nullable(),
    seoTitle: p.text().nullable(),
    seoDescription: p.text().nullable(),
    status: p.text().$type<ProductStatus>().default('DRAFT'),
    statusReason: p.text().nullable(),
    variantAxisId: p.bigint('number').nullable(),
    mainImageId: p.bigint('number').nullable(),
    hoverImageId: p.bigint('number').nullable(),
    publishedAt: p.datetime().nullable(),
    isVisible: p.boolean().default(true),
    /** Made by the database: what the product list is searched by. */
    searchText: p.text().nullable().persist(false),
    ...edited,
  },
});
export type Product = InferEntity<typeof Product>;

export const Variant = defineEntity({
  name: 'Variant',
  tableName: 'catalog_variant',
  properties: {
    id: p.bigint('number').primary(),
    productId: p.bigint('number'),
    itemSizeId: p.bigint('number'),
    optionId: p.bigint('number').nullable(),
    isDefault: p.boolean().default(false),
    position: p.integer().default(0),
    lastSeenName: p.text().nullable(),
    lastSeenSku: p.text().nullable(),
    lastSeenPriceKopecks: p.bigint('number').nullable(),
    lastSeenAt: p.datetime().nullable(),
    /** Group and menus of the item, for the time after its loss. */
    lastSeenSnapshot: p.json<Record<string, unknown>>().nullable(),
    bindingState: p.text().$type<'OK' | 'MISSING'>().default('OK'),
    missingSince: p.datetime().nullable(),
    ...edited,
  },
});
export type Variant = InferEntity<typeof Variant>;
