import type { UsageKind } from '../media/picture-uses.ts';

/** How the catalogue shows pictures; every foreign key to `media` has its line. */
export const CATALOG_PICTURE_USAGES: readonly UsageKind[] = [
  {
    kind: 'PRODUCT_MAIN_IMAGE',
    entityType: 'product',
    from: 'select id, name from catalog_product where main_image_id = $1',
  },
  {
    kind: 'PRODUCT_HOVER_IMAGE',
    entityType: 'product',
    from: 'select id, name from catalog_product where hover_image_id = $1',
  },
  {
    kind: 'PRODUCT_GALLERY',
    entityType: 'product',
    from: `select product.id, product.name from catalog_product_image image
             join catalog_product product on product.id = image.product_id where image.media_id = $1`,
  },
  {
    kind: 'CATEGORY_IMAGE',
    entityType: 'category',
    from: 'select id, name from catalog_category where image_id = $1',
  },
  {
    kind: 'MODIFIER_IMAGE',
    entityType: 'modifier',
    from: `select item.erp_id, coalesce(profile.display_name, item.name) from catalog_modifier_profile profile
             join mirror_item item on item.id = profile.item_id where profile.image_id = $1`,
  },
];
