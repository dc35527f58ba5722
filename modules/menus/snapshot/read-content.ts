import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type * as facts from '../rules/snapshot/facts.ts';
import { CARD_TEXTS, MENU_TEXTS } from '../rules/snapshot/facts.ts';
import { restoreVariants, type PinnedContent } from '../rules/snapshot/pinned-content.ts';

type Content = Omit<PinnedContent, 'variants'>;

/** `productId` null selects all products. A preview includes unpublished ones. */
export type Subject = { productId: number | null; isPreview: boolean };
const ALL: Subject = { productId: null, isPreview: false };

/** Visibility in the organization takes precedence over general visibility. */
const withShown = ({ db }: Sql, organizationId: number, { productId, isPreview }: Subject) =>
  db.with('shown', (inner) =>
    inner
      .selectFrom('catalog_product as product')
      .leftJoin('catalog_product_visibility as here', (join) =>
        join
          .onRef('here.productId', '=', 'product.id')
          .on('here.organizationId', '=', organizationId),
      )
      .selectAll('product')
      .$if(!isPreview, (query) => query.where('product.status', '=', 'PUBLISHED'))
      .where((eb) => eb.fn.coalesce('here.isVisible', 'product.isVisible'))
      .$if(productId !== null, (query) => query.where('product.id', '=', productId)),
  );

const TEXTS = [...MENU_TEXTS, ...CARD_TEXTS].map((text) => `shown.${text}` as const);

export async function readStorefrontContent(
  tx: Sql,
  organizationId: number,
  subject: Subject = ALL,
): Promise<Content> {
  return {
    categories: await tx.db
      .selectFrom('catalog_category')
      .select([
        'id',
        'slug',
        'name',
        'parentId',
        'position',
        'imageId',
        'seoTitle',
        'seoDescription',
        sql<boolean>`archived_at is not null`.as('isArchived'),
      ])
      .execute(),
    products: await withShown(tx, organizationId, subject)
      .selectFrom('shown')
      .leftJoin('catalog_variant_axis as axis', 'axis.id', 'shown.variantAxisId')
      .select([
        'shown.id',
        'shown.slug',
        'shown.name',
        'shown.status',
        'shown.mainImageId',
        'shown.hoverImageId',
        ...TEXTS,
        sql<facts.ProductFact['axis']>`case when axis.id is not null
          then jsonb_build_object('code', axis.code, 'name', axis.name, 'uiType', axis.ui_type) end`.as(
          'axis',
        ),
      ])
      .execute(),
    placements: await withShown(tx, organizationId, subject)
      .selectFrom('catalog_product_category as placement')
      .innerJoin('shown', 'shown.id', 'placement.productId')
      .select([
        'placement.productId',
        'placement.categoryId',
        'placement.position',
        'placement.isPrimary',
      ])
      .execute(),
    badges: await withShown(tx, organizationId, subject)
      .selectFrom('catalog_product_badge as assigned')
      .innerJoin('catalog_badge as badge', 'badge.id', 'assigned.badgeId')
      .innerJoin('shown', 'shown.id', 'assigned.productId')
      .select(['assigned.productId', 'badge.code', 'assigned.position'])
      .execute(),
    gallery: await withShown(tx, organizationId, subject)
      .selectFrom('catalog_product_image as image')
      .innerJoin('shown', 'shown.id', 'image.productId')
      .select(['image.productId', 'image.mediaId', 'image.position'])
      .execute(),
    groupProfiles: await tx.db
      .selectFrom('catalog_modifier_group_profile')
      .select(['groupKey', 'displayName', 'uiType', 'isHidden', 'isCollapsed', 'itemOrder'])
      .execute(),
    modifierProfiles: await tx.db
      .selectFrom('catalog_modifier_profile')
      .select(['itemId', 'displayName', 'imageId', 'position', 'isHidden'])
      .execute(),
  };
}

/** `variant` may be null. */
const MIRRORED = [
  'item.erpId as itemErpId',
  'size.erpSizeId as sizeErpId',
  sql<string | null>`coalesce(size.sku, item.sku, variant.last_seen_sku)`.as('sku'),
  'size.weightGrams',
  'size.nutrition',
  'item.allergens',
] as const;

const OPTION = sql<facts.VariantFact['option']>`case when option.id is not null
  then jsonb_build_object('code', option.code, 'name', option.name, 'shortName', option.short_name) end`;

export function readVariants(
  tx: Sql,
  organizationId: number,
  subject: Subject = ALL,
): Promise<facts.VariantFact[]> {
  const shown = withShown(tx, organizationId, subject).selectFrom('shown').select('shown.id');

  return tx.db
    .selectFrom('catalog_variant as variant')
    .innerJoin(shown.as('shown'), 'shown.id', 'variant.productId')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .leftJoin('catalog_variant_option as option', 'option.id', 'variant.optionId')
    .select(['variant.id', 'variant.productId', 'variant.itemSizeId', 'variant.position'])
    .select(['variant.isDefault', OPTION.as('option')])
    .select(MIRRORED)
    .execute();
}

type KeptSize = Pick<facts.VariantFact, 'id' | 'itemSizeId'>;

/** Reads pinned variants with their current bindings. */
export async function readKeptVariants(
  tx: Sql,
  { variants }: PinnedContent,
): Promise<facts.VariantFact[]> {
  const ids = variants.map((variant) => variant.id);
  const sizeIds = variants.map((variant) => variant.itemSizeId);
  const kept = sql<KeptSize>`unnest(${ids}::bigint[], ${sizeIds}::bigint[])`;
  const rows = await tx.db
    .selectFrom(kept.as<'kept'>(sql`kept (id, item_size_id)`))
    .leftJoin('catalog_variant as variant', 'variant.id', 'kept.id')
    .innerJoin('mirror_item_size as size', (on) =>
      on.on('size.id', '=', (eb) => eb.fn.coalesce('variant.itemSizeId', 'kept.itemSizeId')),
    )
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['kept.id', 'size.id as itemSizeId'])
    .select(sql<boolean>`variant.id is null`.as('isRemoved'))
    .select(MIRRORED)
    .execute();

  return restoreVariants(variants, rows);
}
