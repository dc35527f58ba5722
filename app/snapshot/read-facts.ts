import type { Database, Sql } from '../../db/database.ts';
import type * as facts from '../../domain/snapshot/facts.ts';
import { shownPictures, withLastPrices, type PinnedContent } from '../../domain/snapshot/pinned-content.ts';
import { readStoredPictures } from '../media/stored-pictures.ts';
import { readPinnedContent, readPin, type Pin } from './pin-row.ts';
import { readContent, readKeptVariants, readVariants } from './read-content.ts';
import { readStops, readStopSettings } from './read-stops.ts';

/** What one build starts from: the facts, how many reasons for a rebuild they contain, and the pin they were read under. */
export type SnapshotFacts = {
  organizationErpId: string;
  dirtySeq: number;
  pin: Pin | undefined;
  menu: facts.MenuFacts;
};

/**
 * Reads everything one menu is made of in one database snapshot, so an import that commits meanwhile is seen whole or
 * not at all. Under a pin the storefront content is that of the pinned revision, everything else is live. Null when the
 * organization is unknown or inactive.
 */
export function readFacts(db: Database, organizationId: number): Promise<SnapshotFacts | null> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    return readFactsInside(tx, organizationId);
  });
}

/** The same inside a transaction of the caller, which must see one database snapshot. */
export async function readFactsInside(tx: Sql, organizationId: number): Promise<SnapshotFacts | null> {
  const [organization] = await tx.query<{ erpId: string; dirtySeq: number }>(
    `select o.erp_id as "erpId", coalesce(r.dirty_seq, 0) as "dirtySeq"
       from mirror_organization o left join snapshot_request r on r.organization_id = o.id
      where o.id = $1 and o.inactive_at is null`,
    [organizationId],
  );
  if (organization === undefined) return null;
  const settings = await readStopSettings(tx);
  const pin = await readPin(tx, organizationId);
  const kept = pin && (await readPinnedContent(tx, organizationId, pin.revision));
  return {
    organizationErpId: organization.erpId,
    dirtySeq: organization.dirtySeq,
    pin,
    menu: {
      ...(kept === undefined ? await readPresent(tx, organizationId) : await readKept(tx, organizationId, kept)),
      stops: await readStops(tx, organizationId, settings),
      stoplistBehaviour: settings.behaviour,
    },
  };
}

type Shown = Omit<facts.MenuFacts, 'stops' | 'stoplistBehaviour'>;

/** The content of today. */
async function readPresent(tx: Sql, organizationId: number): Promise<Shown> {
  const content = await readContent(tx, organizationId);
  const variants = await readVariants(tx, organizationId);
  return {
    ...content,
    variants,
    media: await readStoredPictures(tx, shownPictures(content)),
    ...(await readErp(tx, organizationId, variants)),
  };
}

/** The content of a kept revision with the prices of today; what no menu prices any more keeps its last price. */
async function readKept(tx: Sql, organizationId: number, kept: PinnedContent): Promise<Shown> {
  const { variants: keptVariants, ...content } = kept;
  const variants = await readKeptVariants(tx, kept);
  const erp = await readErp(tx, organizationId, variants);
  return {
    ...content,
    variants,
    media: await readStoredPictures(tx, shownPictures(content)),
    ...erp,
    offers: withLastPrices(erp.offers, variants, keptVariants),
  };
}

type Erp = Pick<facts.MenuFacts, 'offers' | 'groups' | 'links' | 'modifiers'>;

/** What the external menus say about the sizes these variants are bound to. */
async function readErp(tx: Sql, organizationId: number, variants: readonly facts.VariantFact[]): Promise<Erp> {
  const sizeIds = [...new Set(variants.map((each) => each.itemSizeId))];
  return {
    offers: await readOffers(tx, organizationId, sizeIds),
    ...(await readModifiers(tx, organizationId, sizeIds)),
  };
}

/**
 * External menus that speak for organization $1, with their rank: one the ERP no longer lists comes after all others. When the
 * ERP has withdrawn it for good its prices are only the last ones.
 */
const MENUS = `
  menu as (
    select m.id, m.withdrawn_at is null as is_sold, row_number() over (order by (m.inactive_at is not null), coalesce(s.priority, 100), m.id) as rank
      from mirror_external_menu m left join external_menu_setting s on s.external_menu_id = m.id
     where coalesce(s.is_enabled, true) and (s.organization_ids is null or $1 = any (s.organization_ids)))`;

/** The sizes $2, each with its item. */
const BOUND = `
  bound as (select id as item_size_id, item_id from mirror_item_size where id = any ($2::bigint[]))`;

/** What the external menus say about these sizes in one organization. */
export async function readOffers(
  tx: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<facts.OfferFact[]> {
  // An item hidden at all its places of a menu is hidden in that menu, although neither itself nor its size is.
  return tx.query<facts.OfferFact>(
    `with ${MENUS}, ${BOUND},
       place as (
         select c.external_menu_id, p.item_id, bool_and(p.is_hidden or c.is_hidden) as is_hidden
           from mirror_item_placement p join mirror_menu_category c on c.id = p.menu_category_id
          where p.item_id in (select item_id from bound)
          group by 1, 2)
       select price.item_size_id as "itemSizeId", price.external_menu_id as "externalMenuId", menu.rank as "menuRank",
              price.price_kopecks as "priceKopecks",
              menu.is_sold and price.lost_at is null and item.deleted_at is null and im.item_id is not null and sm.item_size_id is not null as "isLive",
              coalesce(im.is_hidden, false) or coalesce(sm.is_hidden, false) or coalesce(place.is_hidden, false) as "isHidden"
         from bound
         join mirror_price price on price.item_size_id = bound.item_size_id and price.organization_id = $1
         join menu on menu.id = price.external_menu_id
         join mirror_item item on item.id = bound.item_id
         left join mirror_item_menu im on im.external_menu_id = menu.id and im.item_id = bound.item_id
         left join mirror_size_menu sm on sm.external_menu_id = menu.id and sm.item_size_id = bound.item_size_id
         left join place on place.external_menu_id = menu.id and place.item_id = bound.item_id`,
    [organizationId, sizeIds],
  );
}

type Modifiers = Pick<facts.MenuFacts, 'groups' | 'links' | 'modifiers'>;

async function readModifiers(tx: Sql, organizationId: number, sizeIds: readonly number[]): Promise<Modifiers> {
  const groups = await tx.query<facts.GroupFact>(
    `with ${MENUS}, ${BOUND}
     select g.id, g.external_menu_id as "externalMenuId", g.item_size_id as "itemSizeId", g.group_key as "groupKey", g.name,
            g.position, g.is_hidden as "isHidden", g.min_quantity as min, g.max_quantity as max, g.free_quantity as free,
            g.has_child_restrictions as "hasChildRestrictions"
       from mirror_modifier_group g
      where not g.is_hidden and g.external_menu_id in (select id from menu) and g.item_size_id in (select item_size_id from bound)`,
    [organizationId, sizeIds],
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
              menu.is_sold and price.lost_at is null and item.deleted_at is null as "isLive"
         from used join mirror_item item on item.id = used.item_id
         join mirror_item_size size on size.item_id = item.id
         join mirror_price price on price.item_size_id = size.id and price.organization_id = $1
         join menu on menu.id = price.external_menu_id
        order by menu.id, item.id, (size.erp_size_id <> ''), size.id`,
      [organizationId, groupIds],
    ),
  };
}
