import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, type Sql } from '../../db/database.ts';
import type { CartDelivery } from '../../db/entities/ordering.ts';
import type { CartContent, CartFacts, OfferedDiscount, OfferedVariant } from '../../domain/ordering/evaluate-cart.ts';
import type { OfferedGroup, Unavailable } from '../../domain/ordering/modifier-choice.ts';
import type { StoredMedia } from '../../domain/media/image-reference.ts';
import { groupReader, type BuiltGroup, type GroupFacts } from '../../domain/snapshot/modifier-groups.ts';
import { effectiveTimeZone } from '../fulfillment/ordering-config.ts';
import { readStoredMedia } from '../media/stored-media.ts';
import { readOffering, type Offer, type Offering } from '../offers/judge-sizes.ts';
import { readModifiers } from '../offers/read-offers.ts';
import { readSettings } from '../settings/read-settings.ts';
import { guestTexts, type GuestTexts } from './guest-texts.ts';
import { readCompositionRules, readServices } from './read-services.ts';

/** What a cart is judged by and shown with, read in the state of one transaction. */
export type CartReading = {
  facts: CartFacts;
  organization: CartOrganization;
  texts: GuestTexts;
  images: ReadonlyMap<number, { imageId: number; media: StoredMedia }>;
};

export type CartOrganization = { id: number; erpId: string; menuRevision: number | null };

/** Who asks, when (milliseconds), the delivery that is known, and the time zone of organizations for which nobody states one. */
export type Asked = { at: number; customerId: string | null; timeZone: string; delivery: CartDelivery | null };

/**
 * Reads everything that a cart of an organization is judged by. Call it in a transaction that sees one state of the database; null when
 * there is no such organization.
 */
export async function readCartFacts(
  tx: Sql,
  organizationId: number,
  { lines, promocode }: Pick<CartContent, 'promocode'> & { lines: readonly { variantId: number }[] },
  { at, customerId, timeZone, delivery }: Asked,
): Promise<CartReading | null> {
  const organization = await readOrganization(tx, organizationId);
  if (organization === undefined) return null;
  const variants = await readVariants(tx, organizationId, [...new Set(lines.map((each) => each.variantId))]);
  const services = await readServices(tx);
  const sizeIds = [...new Set([...variants, ...services].map((each) => each.itemSizeId))];
  const offering = await readOffering(tx, organizationId, sizeIds, delivery?.terminalGroupErpId ?? null);
  const groupsOf = await readGroups(tx, organizationId, offering, sizeIds);
  const roles = new Map(services.map((each) => [each.itemId, each.role]));
  const discounts = await readDiscounts(tx, promocode, customerId);
  const media = await readStoredMedia(
    tx,
    variants.flatMap((each) => each.imageId ?? []),
  );
  const mediaOf = new Map(media.map((each) => [each.id, each]));
  const { guest_language: language } = await readSettings(tx, 'guest_language');
  return {
    organization,
    texts: guestTexts(language),
    images: new Map(
      variants.flatMap(({ id, imageId }) => {
        const found = mediaOf.get(imageId ?? 0);
        return imageId === null || found === undefined ? [] : [[id, { imageId, media: found }] as const];
      }),
    ),
    facts: {
      at,
      timeZone: effectiveTimeZone(organization.ownTimeZone, organization.timeZone, timeZone),
      organizationId,
      fulfillmentType: null,
      deliveryFeeKopecks: delivery?.deliveryFeeKopecks ?? 0,
      isServed: offering.isServed,
      variants: new Map(variants.map((each) => [each.id, offered(each, offering, groupsOf, roles)])),
      discounts,
      customer: customerId === null ? null : await readCustomer(tx, customerId),
      uses: await readUses(tx, discounts),
      serviceItems: services.filter(({ itemSizeId }) => isFree(offering.offers.get(itemSizeId))),
      compositionRules: await readCompositionRules(tx),
    },
  };
}

async function readOrganization({ db }: Sql, id: number) {
  return db
    .selectFrom('mirror_organization as organization')
    .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
    .leftJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.erpId',
      'organization.timeZone',
      'config.timeZone as ownTimeZone',
      'snapshot.revision as menuRevision',
    ])
    .where('organization.id', '=', id)
    .executeTakeFirst();
}

type VariantRow = {
  id: number;
  productId: number;
  itemSizeId: number;
  itemErpId: string;
  sizeErpId: string;
  name: string;
  variantName: string | null;
  imageId: number | null;
  isShown: boolean;
  personCount: number;
  personSplittingEnabled: boolean;
  toolCount: number;
  sugarCount: number;
};

/** These variants with their products; `isShown` says that staff show the product in the organization. */
function readVariants({ db }: Sql, organizationId: number, ids: readonly number[]): Promise<VariantRow[]> {
  return db
    .selectFrom('catalog_variant as variant')
    .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
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
      'product.mainImageId as imageId',
      'variant.personCount',
      'variant.personSplittingEnabled',
      'variant.toolCount',
      'variant.sugarCount',
      sql<boolean>`product.status = 'PUBLISHED' and coalesce(here.is_visible, product.is_visible)`.as('isShown'),
    ])
    .where('variant.id', '=', anyOf(ids))
    .execute();
}

const isFree = (offer: Offer | undefined): boolean => offer?.isAvailable === true && offer.priceKopecks === 0;

function offered(
  row: VariantRow,
  { offers }: Offering,
  groupsOf: (itemSizeId: number) => OfferedGroup[],
  roles: ReadonlyMap<string, string>,
): OfferedVariant {
  const { id, productId, itemErpId, name, variantName, itemSizeId } = row;
  const offer = offers.get(itemSizeId);
  return {
    variantId: id,
    productId,
    itemId: itemErpId,
    name,
    variantName,
    unavailable: row.isShown ? unavailableBy(offer) : 'NOT_IN_MENU',
    priceKopecks: offer?.priceKopecks ?? 0,
    groups: groupsOf(itemSizeId),
    role: roles.get(itemErpId) ?? null,
    personCount: row.personCount,
    personSplittingEnabled: row.personSplittingEnabled,
    toolCount: row.toolCount,
    sugarCount: row.sugarCount,
  };
}

function unavailableBy(offer: Offer | undefined): Unavailable | null {
  if (offer?.isAvailable === true) return null;
  return offer?.reason === 'NOT_STOPPED' ? 'STOP_LIST' : 'NOT_IN_MENU';
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The modifier groups of sizes, with the ids under which the menu shows them. */
async function readGroups(
  tx: Sql,
  organizationId: number,
  { offers, isStopped, settings }: Offering,
  sizeIds: readonly number[],
): Promise<(itemSizeId: number) => OfferedGroup[]> {
  const erp = await readModifiers(tx, organizationId, sizeIds);
  const facts: GroupFacts = { ...erp, ...(await readProfiles(tx, erp)) };
  const never = () => false;
  const all = groupReader(facts, sha256, never, () => null);
  // A menu that leaves out what is stopped has groups without it, and so other ids.
  const shown = settings.behaviour === 'SHOW' ? all : groupReader(facts, sha256, isOut, () => null);
  function isOut([item, size, isSellable]: BuiltGroup['slots'][number]): boolean {
    return !isSellable || isStopped(item, size);
  }
  const offeredOf = (built: BuiltGroup, id: string): OfferedGroup => ({
    groupId: id,
    groupKey: built.groupKey,
    name: built.group.name,
    min: built.group.min,
    max: built.group.max,
    free: built.group.free,
    modifiers: built.group.modifiers.map((modifier, at) => {
      const [item, size, isSellable] = built.slots[at]!;
      return {
        modifierId: modifier.id,
        name: modifier.name,
        priceKopecks: modifier.price,
        unavailable: !isSellable ? 'NOT_IN_MENU' : isStopped(item, size) ? 'STOP_LIST' : null,
        min: modifier.min ?? null,
        max: modifier.max ?? null,
        free: modifier.free ?? 0,
        default: built.defaults[at]!,
      };
    }),
  });
  return (itemSizeId) => {
    const externalMenuId = offers.get(itemSizeId)?.externalMenuId;
    if (externalMenuId == null) return [];
    const ids = new Map(shown({ externalMenuId, itemSizeId }).map((each) => [each.groupKey, each.group.id]));
    return all({ externalMenuId, itemSizeId }).map((built) =>
      offeredOf(built, ids.get(built.groupKey) ?? built.group.id),
    );
  };
}

/** What staff have set for these groups and modifiers. */
async function readProfiles({ db }: Sql, { groups, modifiers }: Pick<GroupFacts, 'groups' | 'modifiers'>) {
  return {
    groupProfiles: await db
      .selectFrom('catalog_modifier_group_profile')
      .select(['groupKey', 'displayName', 'uiType', 'isHidden', 'isCollapsed', 'itemOrder'])
      .where('groupKey', '=', anyOf([...new Set(groups.map((each) => each.groupKey))], 'text'))
      .execute(),
    modifierProfiles: await db
      .selectFrom('catalog_modifier_profile')
      .select(['itemId', 'displayName', 'imageId', 'position', 'isHidden'])
      .where('itemId', '=', anyOf([...new Set(modifiers.map((each) => each.itemId))]))
      .execute(),
  };
}

/** Discounts that need no code, and the one that this promocode leads this customer to. */
async function readDiscounts(
  { db }: Sql,
  promocode: string | null,
  customerId: string | null,
): Promise<OfferedDiscount[]> {
  const rows = await db
    .selectFrom('discount')
    .leftJoin('promocode', (join) =>
      join
        .onRef('promocode.discountId', '=', 'discount.id')
        .on('promocode.code', '=', promocode)
        .on('promocode.isActive', '=', true)
        .on((eb) => eb('promocode.customerId', 'is', null).or('promocode.customerId', '=', customerId)),
    )
    .selectAll('discount')
    .select('promocode.code as promocode')
    .where('discount.isActive', '=', true)
    .where((eb) => eb('discount.needsPromocode', '=', false).or('promocode.id', 'is not', null))
    .orderBy('discount.id')
    .execute();
  return rows.map(({ startsAt, endsAt, isCombinable, needsPromocode, ...row }) => ({
    ...row,
    code: needsPromocode ? row.promocode! : row.code,
    isByPromocode: needsPromocode,
    startsAt: startsAt?.getTime() ?? null,
    endsAt: endsAt?.getTime() ?? null,
    combinable: isCombinable,
    firstOrderOnly: false,
  }));
}

async function readCustomer({ db }: Sql, customerId: string): Promise<CartFacts['customer']> {
  const used = await db.selectFrom('discount_use').select('discountId').where('customerId', '=', customerId).execute();
  return { hasOrdered: false, usedDiscounts: new Set(used.map((each) => each.discountId)) };
}

/** How often discounts with a limit have been used. */
async function readUses({ db }: Sql, discounts: readonly OfferedDiscount[]): Promise<Map<number, number>> {
  const limited = discounts.filter((each) => each.totalUses !== null).map((each) => each.id);
  if (limited.length === 0) return new Map();
  const rows = await db
    .selectFrom('discount_use')
    .select(['discountId', (eb) => eb.fn.countAll<number>().as('uses')])
    .where('discountId', '=', anyOf(limited))
    .groupBy('discountId')
    .execute();
  return new Map(rows.map((each) => [each.discountId, Number(each.uses)]));
}
