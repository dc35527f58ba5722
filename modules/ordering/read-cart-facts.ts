import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { compileOnce } from '../../platform/db/compile-once.ts';
import { nestRows, rowsOf, type NestedRows } from '../../platform/db/nested-rows.ts';
import type { Row } from '../../platform/db/row.ts';
import type { CartDelivery } from './tables/carts.ts';
import { storedMedia } from '../media/media-base.ts';
import type { StoredMedia } from '../media/rules/image-reference.ts';
import type { GroupFact, LinkFact, ModifierFact, OfferFact } from '../menus/rules/offers/facts.ts';
import { judgeSelling } from '../menus/rules/offers/judge-selling.ts';
import { balanceRule, stoppedBy } from '../menus/rules/offers/stops.ts';
import type { CartContent, CartFacts } from './rules/cart-facts.ts';
import { isFree, offeredGroups, offeredVariant, type VariantFact } from './rules/offered-variant.ts';
import type { GroupProfileFact, ModifierProfileFact } from '../menus/rules/snapshot/facts.ts';
import type { GroupFacts } from '../menus/rules/snapshot/modifier-groups.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { phoneDigests } from '../gifts/clients.ts';
import { giftsOf, replacementsFor } from '../gifts/read-rights.ts';
import { offerParts } from '../menus/offers/read-offers.ts';
import type { StoredCart } from './cart-row.ts';
import { guestTexts, type GuestTexts } from './guest-texts.ts';
import { readOrganization, type OrganizationReading } from './read-organization.ts';

/** The facts that a cart is evaluated and shown with, read in the state of one transaction. */
export type CartReading = {
  facts: CartFacts;
  organization: CartOrganization;
  texts: GuestTexts;
  images: ReadonlyMap<number, StoredMedia>;
  /** The result of the last checkout for the delivery of the cart, in this organization. */
  delivery: CartDelivery | null;
};

export type CartOrganization = Pick<
  OrganizationReading,
  | 'id'
  | 'connectionId'
  | 'erpId'
  | 'menuRevision'
  | 'isErpEnabled'
  | 'knownTerminals'
  | 'quoteMinutes'
  | 'orderSendMinutes'
  | 'guestSumKopecks'
  | 'orderLimits'
  | 'erpNames'
>;

/**
 * The caller, the moment (milliseconds), the time zone of organizations without one, and the stored
 * cart: its resolved delivery is valid while it stays in its organization.
 */
export type Asked = {
  at: number;
  customerId: string | null;
  /** A verified phone, for finding gifts. */
  verifiedPhone: string | null;
  timeZone: string;
  stored: Pick<StoredCart, 'organizationId' | 'delivery'> | null;
};

/**
 * Reads everything that a cart of an organization is judged by, with three statements (decision
 * 56). Call it in a transaction that sees one state of the database; null when there is no such
 * organization.
 */
export async function readCartFacts(
  tx: Sql,
  deps: { secrets: SecretBox },
  by: { id: number } | { erpId: string },
  { lines, promocode }: Pick<CartContent, 'promocode'> & { lines: readonly { variantId: number }[] },
  { at, customerId, verifiedPhone, timeZone, stored }: Asked,
): Promise<CartReading | null> {
  const organization = await readOrganization(tx, by, {
    customerId,
    phoneDigests: verifiedPhone === null ? [] : phoneDigests(deps, verifiedPhone),
    promocode,
    timeZone,
  });
  if (organization === undefined) return null;
  const { services, isServed, discounts, uses, customer, compositionRules } = organization;
  const delivery = stored?.organizationId === organization.id ? stored.delivery : null;
  const balance = balanceRule(organization.stops, delivery?.terminalGroupErpId ?? null);
  const variants: VariantFact[] = await readVariants(tx, {
    organizationId: organization.id,
    ids: [...new Set(lines.map((line) => line.variantId))],
  });
  const sizes = [
    ...new Map(
      [...variants, ...services.map(({ itemId, ...each }) => ({ ...each, itemErpId: itemId }))].map((variant) => [
        variant.itemSizeId,
        variant,
      ]),
    ).values(),
  ];
  const menu = await readMenu(
    tx,
    organization.id,
    sizes.map((size) => size.itemSizeId),
  );
  const offers = judgeSelling({ isServed, isStopped: stoppedBy(balance), sizes, offers: menu.offers });
  const groupsOf = offeredGroups(menu, { sha256, offers, balance, behaviour: organization.behaviour });
  const giftQuestion = { at, organizationErpId: organization.erpId, balance };
  const gifts = giftsOf(organization.rights, giftQuestion);
  const roles = new Map(services.map((service) => [service.itemId, service.role]));
  return {
    organization,
    texts: guestTexts(organization.language),
    images: new Map(variants.flatMap(({ id, media }) => (media === null ? [] : [[id, media] as const]))),
    delivery,
    facts: {
      at,
      timeZone: organization.timeZone,
      organizationId: organization.id,
      fulfillmentType: null,
      deliveryFeeKopecks: delivery?.deliveryFeeKopecks ?? 0,
      isServed,
      denominationKopecks: organization.denominationKopecks,
      balance,
      takesDiscounts: organization.erpNames?.discountTypeId !== null,
      variants: new Map(variants.map((variant) => [variant.id, offeredVariant(variant, { offers, groupsOf, roles })])),
      discounts,
      customer,
      uses,
      serviceItems: services.filter(({ itemSizeId }) => isFree(offers.get(itemSizeId))),
      compositionRules,
      gifts: gifts.map(({ erpItemId: itemId, expiresAt, ...gift }) => ({
        ...gift,
        itemId,
        expiresAt: expiresAt?.getTime() ?? null,
      })),
      giftsPerOrder: organization.giftsPerOrder,
      giftReplacements: await replacementsFor(tx, gifts, { ...giftQuestion, organizationId: organization.id }),
    },
  };
}

/** Reads variants with their products. */
const readVariants = compileOnce(
  ({ db }, { organizationId, ids }: { organizationId: number; ids: readonly number[] }) =>
    db
      .selectFrom('catalog_variant as variant')
      .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
      .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
      .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
      .leftJoin('media', 'media.id', 'product.mainImageId')
      .leftJoin('catalog_variant_option as option', 'option.id', 'variant.optionId')
      .leftJoin('catalog_product_visibility as here', (join) =>
        join.onRef('here.productId', '=', 'product.id').on('here.organizationId', '=', organizationId),
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
        sql<boolean>`product.status = 'PUBLISHED' and coalesce(here.is_visible, product.is_visible)`.as('isShown'),
      ])
      .where('variant.id', '=', anyOf(ids)),
);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Menu = GroupFacts & { offers: OfferFact[] };

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

const menuOf = compileOnce((_, { organizationId, sizeIds }: { organizationId: number; sizeIds: readonly number[] }) => {
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
});

/** Reads the offers of an organization's menus for sizes, and the modifier settings of staff. */
async function readMenu(tx: Sql, organizationId: number, sizeIds: readonly number[]): Promise<Menu> {
  const [row] = await menuOf(tx, { organizationId, sizeIds });
  return {
    offers: rowsOf(row!.offers),
    groups: rowsOf(row!.groups),
    links: rowsOf(row!.links),
    modifiers: rowsOf(row!.modifiers),
    groupProfiles: rowsOf(row!.groupProfiles),
    modifierProfiles: rowsOf(row!.modifierProfiles),
  };
}
