import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { compileOnce } from '../../../platform/db/compile-once.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { nestRows, unnestRows, type NestedRows } from '../../../platform/db/nested-rows.ts';
import type { Row } from '../../../platform/db/row.ts';
import { storedMedia } from '../../media/media-base.ts';
import { offerParts } from '../../menus/offers/read-offers.ts';
import { chooseOffers } from '../../menus/rules/offers/choose-offers.ts';
import type {
  GroupFact,
  LinkFact,
  ModifierFact,
  OfferFact,
} from '../../menus/rules/offers/facts.ts';
import type { GroupProfileFact, ModifierProfileFact } from '../../menus/rules/snapshot/facts.ts';
import type { GroupFacts } from '../../menus/rules/snapshot/modifier-groups.ts';
import { buildSizeGroups, NO_GROUPS, type SizeGroups } from '../rules/offered-groups.ts';

type MenuFacts = GroupFacts & { offers: readonly OfferFact[] };

/** The part of a menu that concerns one size. Its groups are those of its current offer. */
export type SizeMenu = { offers: readonly OfferFact[]; groups: SizeGroups };

/** `mark` changes with the public menu (rule SNP-17). It is null until the menu is requested. */
export type MenuState = { organizationId: number; mark: string | null };

/**
 * Caches dishes per menu state (rule ORD-164), but not the catalog ({@link readVariants}): a
 * restaurant's first price may mark the menu after a concurrent edit.
 */
export type DishFacts = {
  /** Returns an entry for each of `sizeIds`. */
  menu(
    tx: Sql,
    state: MenuState,
    sizeIds: readonly number[],
  ): Promise<ReadonlyMap<number, SizeMenu>>;
};

/** An entry takes a few KB, with dozens of modifiers more than 10 KB. */
const MOST = 20_000;

/** Caches at most `most` sizes, each in its last state. 0 disables the cache. */
export function createDishFacts(most = MOST): DishFacts {
  const cache = new LRUCache<string, { mark: string; size: SizeMenu }>({ max: Math.max(1, most) });

  return {
    async menu(tx, { organizationId, mark }, sizeIds) {
      const buildKey = (id: number) => `${organizationId} ${id}`;
      const sizes = new Map<number, SizeMenu>();

      for (const id of sizeIds) {
        const entry = cache.get(buildKey(id));
        if (entry !== undefined && entry.mark === mark) sizes.set(id, entry.size);
      }

      const missing = sizeIds.filter((id) => !sizes.has(id));
      if (missing.length === 0) return sizes;
      const sizeOf = bySize(await readMenu(tx, organizationId, missing));

      for (const id of missing) {
        const size = sizeOf(id);
        sizes.set(id, size);
        if (mark !== null && most > 0) cache.set(buildKey(id), { mark, size });
      }

      return sizes;
    },
  };
}

function bySize(menu: MenuFacts): (sizeId: number) => SizeMenu {
  const offersBySize = Map.groupBy(menu.offers, ({ itemSizeId }) => itemSizeId);
  const groupsBySize = Map.groupBy(menu.groups, ({ itemSizeId }) => itemSizeId);
  const links = Map.groupBy(menu.links, ({ groupId }) => groupId);

  /** Only facts of the size and its menu, because they stay in memory. */
  const factsOf = (sizeId: number, externalMenuId: number): GroupFacts => {
    const groups = (groupsBySize.get(sizeId) ?? []).filter(isOf(externalMenuId));
    const ownLinks = groups.flatMap(({ id }) => links.get(id) ?? []);
    const keys = new Set(groups.map(({ groupKey }) => groupKey));
    const items = new Set(ownLinks.map(({ itemId }) => itemId));

    return {
      groups,
      links: ownLinks,
      modifiers: menu.modifiers
        .filter(isOf(externalMenuId))
        .filter(({ itemId }) => items.has(itemId)),
      groupProfiles: menu.groupProfiles.filter(({ groupKey }) => keys.has(groupKey)),
      modifierProfiles: menu.modifierProfiles.filter(({ itemId }) => items.has(itemId)),
    };
  };

  return (itemSizeId) => {
    const offers = offersBySize.get(itemSizeId) ?? [];
    const offer = chooseOffers(offers).get(itemSizeId);
    if (offer === undefined) return { offers, groups: NO_GROUPS };
    const { externalMenuId } = offer;
    const facts = factsOf(itemSizeId, externalMenuId);

    return { offers, groups: buildSizeGroups({ itemSizeId, externalMenuId }, facts, sha256) };
  };
}

const isOf =
  (externalMenuId: number) =>
  (fact: { externalMenuId: number }): boolean =>
    fact.externalMenuId === externalMenuId;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const readVariants = compileOnce(
  ({ db }, { organizationId, ids }: { organizationId: number; ids: readonly number[] }) =>
    db
      .selectFrom('catalog_variant as variant')
      .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
      .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
      .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
      .leftJoin('media', 'media.id', 'product.mainImageId')
      .leftJoin('catalog_variant_option as option', 'option.id', 'variant.optionId')
      .leftJoin('catalog_product_visibility as here', (join) =>
        join
          .onRef('here.productId', '=', 'product.id')
          .on('here.organizationId', '=', organizationId),
      )
      .select([
        'variant.id',
        'variant.productId',
        'variant.itemSizeId',
        'item.erpId as itemErpId',
        'size.erpSizeId as sizeErpId',
        'product.name',
        'option.name as variantName',
        storedMedia.as('media'),
        'variant.personCount',
        'variant.personSplittingEnabled',
        'variant.toolCount',
        'variant.sugarCount',
        sql<boolean>`product.status = 'PUBLISHED' and coalesce(here.is_visible, product.is_visible)`.as(
          'isShown',
        ),
      ])
      .where('variant.id', '=', anyOf(ids)),
);

type GroupProfileRow = Row<
  'catalog_modifier_group_profile',
  'groupKey' | 'displayName' | 'uiType' | 'isHidden' | 'isCollapsed' | 'itemOrder'
>;

type ModifierProfileRow = Row<
  'catalog_modifier_profile',
  'itemId' | 'displayName' | 'imageId' | 'position' | 'isHidden'
>;

type MenuRow = {
  offers: NestedRows<OfferFact>;
  groups: NestedRows<GroupFact>;
  links: NestedRows<LinkFact>;
  modifiers: NestedRows<ModifierFact>;
  groupProfiles: NestedRows<GroupProfileFact>;
  modifierProfiles: NestedRows<ModifierProfileFact>;
};

const menuOf = compileOnce(
  (_, { organizationId, sizeIds }: { organizationId: number; sizeIds: readonly number[] }) => {
    const { tables, offers, groups, links, modifiers } = offerParts(organizationId, sizeIds);
    const groupProfiles = sql<GroupProfileRow>`
    select group_key, display_name, ui_type, is_hidden, is_collapsed, item_order from catalog_modifier_group_profile
     where group_key in (select group_key from shown_group)`;
    const modifierProfiles = sql<ModifierProfileRow>`
    select item_id, display_name, image_id, position, is_hidden from catalog_modifier_profile
     where item_id in (select item_id from shown_link)`;

    return sql<MenuRow>`
    with ${tables}
    select ${nestRows(offers)} as offers, ${nestRows(groups)} as groups, ${nestRows(links)} as links, ${nestRows(modifiers)} as modifiers,
           ${nestRows(groupProfiles)} as group_profiles, ${nestRows(modifierProfiles)} as modifier_profiles`;
  },
);

async function readMenu(
  tx: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<MenuFacts> {
  const [row] = await menuOf(tx, { organizationId, sizeIds });
  return {
    offers: unnestRows(row!.offers),
    groups: unnestRows(row!.groups),
    links: unnestRows(row!.links),
    modifiers: unnestRows(row!.modifiers),
    groupProfiles: unnestRows(row!.groupProfiles),
    modifierProfiles: unnestRows(row!.modifierProfiles),
  };
}
