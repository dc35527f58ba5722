import type { Database, Sql } from '../../db/database.ts';
import type { StoredPicture } from '../../domain/media/image-reference.ts';
import type * as facts from '../../domain/snapshot/facts.ts';
import { readStops, readStopSettings } from './read-stops.ts';

/** What one build starts from: the facts and how many reasons for a rebuild they already contain. */
export type SnapshotFacts = { organizationErpId: string; dirtySeq: number; menu: facts.MenuFacts };

/**
 * Reads everything one menu is made of in one database snapshot, so an import that commits meanwhile is seen whole or
 * not at all. Null when the organization is unknown or inactive.
 */
export async function readFacts(db: Database, organizationId: number): Promise<SnapshotFacts | null> {
  return db.bulkTransaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const [organization] = await tx.query<{ erpId: string; dirtySeq: number }>(
      `select o.erp_id as "erpId", coalesce(r.dirty_seq, 0) as "dirtySeq"
         from mirror_organization o left join snapshot_request r on r.organization_id = o.id
        where o.id = $1 and o.inactive_at is null`,
      [organizationId],
    );
    if (organization === undefined) return null;
    const settings = await readStopSettings(tx);
    return {
      organizationErpId: organization.erpId,
      dirtySeq: organization.dirtySeq,
      menu: {
        ...(await readCatalog(tx)),
        ...(await readOffers(tx, organizationId)),
        ...(await readModifiers(tx, organizationId)),
        stops: await readStops(tx, organizationId, settings),
        stoplistBehaviour: settings.behaviour,
      },
    };
  });
}

type Catalog = Pick<facts.MenuFacts, 'categories' | 'products' | 'placements' | 'badges' | 'gallery' | 'media'>;

async function readCatalog(tx: Sql): Promise<Catalog> {
  return {
    categories: await tx.query<facts.CategoryFact>(
      `select id, slug, name, parent_id as "parentId", position, image_id as "imageId", archived_at is not null as "isArchived"
         from catalog_category`,
    ),
    products: await tx.query<facts.ProductFact>(
      `select p.id, p.slug, p.name, p.subtitle, p.description, p.composition, p.status,
              p.main_image_id as "mainImageId", p.hover_image_id as "hoverImageId",
              case when a.id is not null then jsonb_build_object('code', a.code, 'name', a.name, 'uiType', a.ui_type) end as axis
         from catalog_product p left join catalog_variant_axis a on a.id = p.variant_axis_id
        where p.status = 'PUBLISHED'`,
    ),
    placements: await tx.query<facts.PlacementFact>(
      `select c.product_id as "productId", c.category_id as "categoryId", c.position, c.is_primary as "isPrimary"
         from catalog_product_category c join catalog_product p on p.id = c.product_id where p.status = 'PUBLISHED'`,
    ),
    badges: await tx.query<facts.BadgeFact>(
      `select pb.product_id as "productId", b.code, pb.position
         from catalog_product_badge pb join catalog_badge b on b.id = pb.badge_id
         join catalog_product p on p.id = pb.product_id where p.status = 'PUBLISHED'`,
    ),
    gallery: await tx.query<facts.GalleryFact>(
      `select i.product_id as "productId", i.media_id as "mediaId", i.position
         from catalog_product_image i join catalog_product p on p.id = i.product_id where p.status = 'PUBLISHED'`,
    ),
    media: await tx.query<StoredPicture>(
      `select id, renditions from media where id in (
         select main_image_id from catalog_product where status = 'PUBLISHED'
         union select hover_image_id from catalog_product where status = 'PUBLISHED'
         union select i.media_id from catalog_product_image i join catalog_product p on p.id = i.product_id where p.status = 'PUBLISHED'
         union select image_id from catalog_category where archived_at is null)`,
    ),
  };
}

/** External menus that speak for organization $1, with their rank: one the ERP no longer lists comes after all others. */
const MENUS = `
  menu as (
    select m.id, row_number() over (order by (m.inactive_at is not null), coalesce(s.priority, 100), m.id) as rank
      from mirror_external_menu m left join external_menu_setting s on s.external_menu_id = m.id
     where coalesce(s.is_enabled, true) and (s.organization_ids is null or $1 = any (s.organization_ids)))`;

/** Variants of published products with the sizes they are bound to. */
const BOUND = `
  bound as (
    select distinct v.item_size_id, z.item_id
      from catalog_variant v join catalog_product p on p.id = v.product_id
      join mirror_item_size z on z.id = v.item_size_id
     where p.status = 'PUBLISHED')`;

async function readOffers(tx: Sql, organizationId: number): Promise<Pick<facts.MenuFacts, 'variants' | 'offers'>> {
  return {
    variants: await tx.query<facts.VariantFact>(
      `select v.id, v.product_id as "productId", v.item_size_id as "itemSizeId", v.position, v.is_default as "isDefault",
              case when o.id is not null then jsonb_build_object('code', o.code, 'name', o.name, 'shortName', o.short_name) end as option,
              i.erp_id as "itemErpId", z.erp_size_id as "sizeErpId", coalesce(z.sku, i.sku, v.last_seen_sku) as sku,
              z.weight_grams as "weightGrams", z.nutrition, i.allergens
         from catalog_variant v join catalog_product p on p.id = v.product_id
         join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id
         left join catalog_variant_option o on o.id = v.option_id
        where p.status = 'PUBLISHED'`,
    ),
    // An item hidden at all its places of a menu is hidden in that menu, although neither itself nor its size is.
    offers: await tx.query<facts.OfferFact>(
      `with ${MENUS}, ${BOUND},
       place as (
         select c.external_menu_id, p.item_id, bool_and(p.is_hidden or c.is_hidden) as is_hidden
           from mirror_item_placement p join mirror_menu_category c on c.id = p.menu_category_id
          where p.item_id in (select item_id from bound)
          group by 1, 2)
       select price.item_size_id as "itemSizeId", price.external_menu_id as "externalMenuId", menu.rank as "menuRank",
              price.price_kopecks as "priceKopecks",
              price.lost_at is null and item.deleted_at is null and im.item_id is not null and sm.item_size_id is not null as "isLive",
              coalesce(im.is_hidden, false) or coalesce(sm.is_hidden, false) or coalesce(place.is_hidden, false) as "isHidden"
         from bound
         join mirror_price price on price.item_size_id = bound.item_size_id and price.organization_id = $1
         join menu on menu.id = price.external_menu_id
         join mirror_item item on item.id = bound.item_id
         left join mirror_item_menu im on im.external_menu_id = menu.id and im.item_id = bound.item_id
         left join mirror_size_menu sm on sm.external_menu_id = menu.id and sm.item_size_id = bound.item_size_id
         left join place on place.external_menu_id = menu.id and place.item_id = bound.item_id`,
      [organizationId],
    ),
  };
}

type Modifiers = Pick<facts.MenuFacts, 'groups' | 'links' | 'modifiers'>;

async function readModifiers(tx: Sql, organizationId: number): Promise<Modifiers> {
  const groups = await tx.query<facts.GroupFact>(
    `with ${MENUS}, ${BOUND}
     select g.id, g.external_menu_id as "externalMenuId", g.item_size_id as "itemSizeId", g.group_key as "groupKey", g.name,
            g.position, g.is_hidden as "isHidden", g.min_quantity as min, g.max_quantity as max, g.free_quantity as free,
            g.has_child_restrictions as "hasChildRestrictions"
       from mirror_modifier_group g
      where not g.is_hidden and g.external_menu_id in (select id from menu) and g.item_size_id in (select item_size_id from bound)`,
    [organizationId],
  );
  const groupIds = groups.map((each) => each.id);
  return {
    groups,
    links: await tx.query<facts.LinkFact>(
      `select modifier_group_id as "groupId", item_id as "itemId", name, position, is_hidden as "isHidden",
              weight_grams as "weightGrams", min_quantity as min, max_quantity as max, free_quantity as free, default_quantity as default
         from mirror_modifier_link where modifier_group_id = any ($1::bigint[]) and not is_hidden`,
      [groupIds],
    ),
    // A modifier has one price; if it has several sizes, the unsized one or else the oldest is it.
    modifiers: await tx.query<facts.ModifierFact>(
      `with ${MENUS},
       used as (select distinct item_id from mirror_modifier_link where modifier_group_id = any ($2::bigint[]) and not is_hidden)
       select distinct on (menu.id, item.id) menu.id as "externalMenuId", item.id as "itemId", item.erp_id as "erpId",
              size.erp_size_id as "sizeErpId", price.price_kopecks as "priceKopecks",
              price.lost_at is null and item.deleted_at is null as "isLive"
         from used join mirror_item item on item.id = used.item_id
         join mirror_item_size size on size.item_id = item.id
         join mirror_price price on price.item_size_id = size.id and price.organization_id = $1
         join menu on menu.id = price.external_menu_id
        order by menu.id, item.id, (size.erp_size_id <> ''), size.id`,
      [organizationId, groupIds],
    ),
  };
}
