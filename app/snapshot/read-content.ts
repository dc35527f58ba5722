import type { Sql } from '../../db/database.ts';
import type * as facts from '../../domain/snapshot/facts.ts';
import { restoreVariants, type LiveVariant, type PinnedContent } from '../../domain/snapshot/pinned-content.ts';

type Content = Omit<PinnedContent, 'variants'>;

/**
 * The products guests of organization $1 may see: published ones, unless staff hide them there. What they have said about the
 * organization goes before what they have said about all.
 */
const SHOWN = `shown as (
  select product.* from catalog_product product
    left join catalog_product_visibility here on here.product_id = product.id and here.organization_id = $1
   where product.status = 'PUBLISHED' and coalesce(here.is_visible, product.is_visible))`;

/** What staff decide about the menu of an organization, as the tables hold it now. */
export async function readContent(tx: Sql, organizationId: number): Promise<Content> {
  return {
    categories: await tx.query<facts.CategoryFact>(
      `select id, slug, name, parent_id as "parentId", position, image_id as "imageId", archived_at is not null as "isArchived"
         from catalog_category`,
    ),
    products: await tx.query<facts.ProductFact>(
      `with ${SHOWN}
       select p.id, p.slug, p.name, p.subtitle, p.description, p.composition, p.status,
              p.seo_title as "seoTitle", p.seo_description as "seoDescription",
              p.main_image_id as "mainImageId", p.hover_image_id as "hoverImageId",
              case when a.id is not null then jsonb_build_object('code', a.code, 'name', a.name, 'uiType', a.ui_type) end as axis
         from shown p left join catalog_variant_axis a on a.id = p.variant_axis_id`,
      [organizationId],
    ),
    placements: await tx.query<facts.PlacementFact>(
      `with ${SHOWN}
       select c.product_id as "productId", c.category_id as "categoryId", c.position, c.is_primary as "isPrimary"
         from catalog_product_category c join shown p on p.id = c.product_id`,
      [organizationId],
    ),
    badges: await tx.query<facts.BadgeFact>(
      `with ${SHOWN}
       select pb.product_id as "productId", b.code, pb.position
         from catalog_product_badge pb join catalog_badge b on b.id = pb.badge_id join shown p on p.id = pb.product_id`,
      [organizationId],
    ),
    gallery: await tx.query<facts.GalleryFact>(
      `with ${SHOWN}
       select i.product_id as "productId", i.media_id as "mediaId", i.position
         from catalog_product_image i join shown p on p.id = i.product_id`,
      [organizationId],
    ),
    groupProfiles: await tx.query<facts.GroupProfileFact>(
      `select group_key as "groupKey", display_name as "displayName", ui_type as "uiType", is_hidden as "isHidden",
              is_collapsed as "isCollapsed", item_order as "itemOrder" from catalog_modifier_group_profile`,
    ),
    modifierProfiles: await tx.query<facts.ModifierProfileFact>(
      `select item_id as "itemId", display_name as "displayName", image_id as "imageId", position, is_hidden as "isHidden"
         from catalog_modifier_profile`,
    ),
  };
}

const MIRRORED = `i.erp_id as "itemErpId", z.erp_size_id as "sizeErpId", coalesce(z.sku, i.sku, v.last_seen_sku) as sku,
  z.weight_grams as "weightGrams", z.nutrition, i.allergens`;

/** The variants of the products that are shown, with the sizes they are bound to. */
export async function readVariants(tx: Sql, organizationId: number): Promise<facts.VariantFact[]> {
  return tx.query<facts.VariantFact>(
    `with ${SHOWN}
     select v.id, v.product_id as "productId", v.item_size_id as "itemSizeId", v.position, v.is_default as "isDefault",
            case when o.id is not null then jsonb_build_object('code', o.code, 'name', o.name, 'shortName', o.short_name) end as option,
            ${MIRRORED}
       from catalog_variant v join shown p on p.id = v.product_id
       join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id
       left join catalog_variant_option o on o.id = v.option_id`,
    [organizationId],
  );
}

/** The variants of kept content, each with its binding of today. */
export async function readKeptVariants(tx: Sql, { variants }: PinnedContent): Promise<facts.VariantFact[]> {
  const live = await tx.query<LiveVariant & { isRemoved: boolean }>(
    `select kept.id, z.id as "itemSizeId", v.id is null as "isRemoved", ${MIRRORED}
       from unnest($1::bigint[], $2::bigint[]) as kept (id, item_size_id)
       left join catalog_variant v on v.id = kept.id
       join mirror_item_size z on z.id = coalesce(v.item_size_id, kept.item_size_id) join mirror_item i on i.id = z.item_id`,
    [variants.map((each) => each.id), variants.map((each) => each.itemSizeId)],
  );
  return restoreVariants(variants, live);
}
