import { sql } from 'kysely';
import type { UsageKind } from '../media/media-uses.ts';

/** One entry per foreign key to `media`. */
export const CATALOG_MEDIA_USAGES: readonly UsageKind[] = [
  {
    kind: 'PRODUCT_MAIN_IMAGE',
    entityType: 'product',
    of: (mediaId) => sql`select id, name from catalog_product where main_image_id = ${mediaId}`,
  },
  {
    kind: 'PRODUCT_HOVER_IMAGE',
    entityType: 'product',
    of: (mediaId) => sql`select id, name from catalog_product where hover_image_id = ${mediaId}`,
  },
  {
    kind: 'PRODUCT_GALLERY',
    entityType: 'product',
    of: (mediaId) => sql`select product.id, product.name from catalog_product_image image
             join catalog_product product on product.id = image.product_id where image.media_id = ${mediaId}`,
  },
  {
    kind: 'CATEGORY_IMAGE',
    entityType: 'category',
    of: (mediaId) => sql`select id, name from catalog_category where image_id = ${mediaId}`,
  },
  {
    kind: 'MODIFIER_IMAGE',
    entityType: 'modifier',
    of: (
      mediaId,
    ) => sql`select item.erp_id, coalesce(profile.display_name, item.name) from catalog_modifier_profile profile
             join mirror_item item on item.id = profile.item_id where profile.image_id = ${mediaId}`,
  },
];
