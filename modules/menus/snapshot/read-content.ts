import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
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
const MIRRORED = sql`item.erp_id as item_erp_id, size.erp_size_id as size_erp_id, coalesce(size.sku, item.sku, variant.last_seen_sku) as sku,
  size.weight_grams, size.nutrition, item.allergens`;

type MirroredRow = Row<'mirror_item', 'erpId as itemErpId' | 'allergens'> &
  Row<'mirror_item_size', 'erpSizeId as sizeErpId' | 'weightGrams' | 'nutrition' | 'sku'>;

type VariantRow = MirroredRow &
  Row<
    'catalog_variant',
    'id' | 'productId' | 'itemSizeId' | 'position' | 'isDefault',
    Pick<facts.VariantFact, 'option'>
  >;

type KeptRow = MirroredRow &
  Row<'catalog_variant', 'id', { isRemoved: boolean }> &
  Row<'mirror_item_size', 'id as itemSizeId'>;

export async function readVariants(
  tx: Sql,
  organizationId: number,
  subject: Subject = ALL,
): Promise<facts.VariantFact[]> {
  const shown = withShown(tx, organizationId, subject).selectFrom('shown').select('shown.id');
  const { rows } = await sql<VariantRow>`
    select variant.id, variant.product_id, variant.item_size_id, variant.position, variant.is_default,
           case when option.id is not null
             then jsonb_build_object('code', option.code, 'name', option.name, 'shortName', option.short_name) end as option,
           ${MIRRORED}
      from catalog_variant variant join (${shown}) shown on shown.id = variant.product_id
      join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
      left join catalog_variant_option option on option.id = variant.option_id`.execute(tx.db);

  return rows;
}

/** Reads pinned variants with their current bindings. */
export async function readKeptVariants(
  tx: Sql,
  { variants }: PinnedContent,
): Promise<facts.VariantFact[]> {
  const ids = variants.map((variant) => variant.id);
  const sizeIds = variants.map((variant) => variant.itemSizeId);
  const { rows } = await sql<KeptRow>`
    select kept.id, size.id as item_size_id, variant.id is null as is_removed, ${MIRRORED}
      from unnest(${ids}::bigint[], ${sizeIds}::bigint[]) as kept (id, item_size_id)
      left join catalog_variant variant on variant.id = kept.id
      join mirror_item_size size on size.id = coalesce(variant.item_size_id, kept.item_size_id)
      join mirror_item item on item.id = size.item_id`.execute(tx.db);

  return restoreVariants(variants, rows);
}
