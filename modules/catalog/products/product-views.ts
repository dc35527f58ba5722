import type { Product } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { PRODUCT_TEXTS } from '../rules/product-content.ts';
import { imageReference } from '../../media/rules/image-reference.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { SIZE_PRICES } from '../variants/size-prices.ts';

export type ProductView = Product;

export async function getProduct(tx: Sql, id: number): Promise<ProductView> {
  const { main, hover, gallery, ...rest } = await tx.db
    .selectFrom('catalog_product as product')
    .select(['product.id', 'product.slug', 'product.name', ...TEXTS, 'product.isVisible'])
    .select([FORMER_SLUGS.as('formerSlugs'), BADGES.as('badges')])
    .select([VISIBILITY.as('organizationVisibility'), ALLERGENS.as('allergens')])
    .select(['product.status', 'product.statusReason', 'product.publishedAt'])
    .select(['product.createdAt', 'product.updatedAt', 'product.version'])
    .select([VARIANT_AXIS.as('variantAxis'), CATEGORIES.as('categories')])
    .select([selectImage('product.mainImageId').as('main')])
    .select([selectImage('product.hoverImageId').as('hover'), GALLERY.as('gallery')])
    .select(VARIANTS.as('variants'))
    .where('product.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such product.' }));

  return {
    ...rest,
    images: {
      main: main === null ? null : imageReference(main),
      hover: hover === null ? null : imageReference(hover),
      gallery: gallery.map(imageReference),
    },
  };
}

const TEXTS = PRODUCT_TEXTS.map((text) => `product.${text}` as const);

const FORMER_SLUGS = sql<Product['formerSlugs']>`
  array(select slug from catalog_product_slug former where former.product_id = product.id and former.slug <> product.slug
         order by taken_at desc, slug)`;

const BADGES = sql<Product['badges']>`
  coalesce((select json_agg(json_build_object('id', badge.id, 'code', badge.code, 'name', badge.name) order by assigned.position)
     from catalog_product_badge assigned join catalog_badge badge on badge.id = assigned.badge_id
    where assigned.product_id = product.id), '[]')`;

const VISIBILITY = sql<Product['organizationVisibility']>`
  coalesce((select json_agg(json_build_object('organizationId', organization_id, 'isVisible', is_visible) order by organization_id)
     from catalog_product_visibility visibility where visibility.product_id = product.id), '[]')`;

const ALLERGENS = sql<Product['allergens']>`
  coalesce((select json_agg(json_build_object('code', code, 'name', name) order by code) from (
     select distinct on (allergen ->> 'code') allergen ->> 'code' as code, allergen ->> 'name' as name
       from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id, jsonb_array_elements(item.allergens) as allergen
      where variant.product_id = product.id order by allergen ->> 'code', variant.position, variant.id) as contained), '[]')`;

const VARIANT_AXIS = sql<Product['variantAxis']>`
  (select json_build_object('id', axis.id, 'code', axis.code, 'name', axis.name)
     from catalog_variant_axis axis where axis.id = product.variant_axis_id)`;

const CATEGORIES = sql<Product['categories']>`
  coalesce((select json_agg(json_build_object('id', category.id, 'name', category.name, 'isPrimary', placement.is_primary)
      order by placement.is_primary desc, category.position, category.id)
     from catalog_product_category placement join catalog_category category on category.id = placement.category_id
    where placement.product_id = product.id), '[]')`;

type MediaRow = Row<'media', 'id' | 'renditions'>;

const selectImage = (column: string) => sql<MediaRow | null>`
  (select json_build_object('id', media.id, 'renditions', media.renditions) from media where media.id = ${sql.ref(column)})`;

const GALLERY = sql<MediaRow[]>`
  coalesce((select json_agg(json_build_object('id', media.id, 'renditions', media.renditions) order by image.position)
     from catalog_product_image image join media on media.id = image.media_id where image.product_id = product.id), '[]')`;

const VARIANTS = sql<Product['variants']>`
  coalesce((select json_agg(json_build_object('id', variant.id, 'erpItemId', item.erp_id, 'erpItemSizeId', size.id,
        'option', case when option.id is null then null else json_build_object('id', option.id, 'code', option.code,
           'name', option.name, 'shortName', option.short_name) end,
        'isDefault', variant.is_default, 'position', variant.position, 'lastSeenName', variant.last_seen_name,
        'lastSeenSku', variant.last_seen_sku, 'lastSeenPrice', variant.last_seen_price_kopecks,
        'erpName', item.name, 'erpSku', coalesce(size.sku, item.sku),
        'erpDeletedAt', coalesce(item.deleted_at, size.deleted_at), 'priceMin', price.lowest, 'priceMax', price.highest,
        'bindingState', variant.binding_state, 'isServiceItem', item.id in (select item_id from service_item)) order by variant.position, variant.id)
     from catalog_variant variant
     join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
     left join catalog_variant_option option on option.id = variant.option_id ${SIZE_PRICES}
    where variant.product_id = product.id), '[]')`;
