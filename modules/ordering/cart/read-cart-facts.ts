import type { Sql } from '../../../platform/db/database.ts';
import type { CartDelivery } from '../tables/carts.ts';
import type { StoredMedia } from '../../media/rules/image-reference.ts';
import { judgeSelling } from '../../menus/rules/offers/judge-selling.ts';
import { balanceRule, stoppedBy } from '../../menus/rules/offers/stops.ts';
import type { CartFacts } from '../rules/cart-facts.ts';
import { offeredGroups, type OfferedGroups } from '../rules/offered-groups.ts';
import { isFree, offeredVariant, type VariantFact } from '../rules/offered-variant.ts';
import type { MirrorEnv } from '../../mirror/env.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { listGifts, replacementsFor } from '../../gifts/rights/read-rights.ts';
import type { StoredCart } from './cart-row.ts';
import { readVariants, type DishFacts } from './dish-facts.ts';
import { guestTexts, type GuestTexts } from '../orders/guest-texts.ts';
import type { Buyer, OrganizationReading } from './read-organization.ts';

export type CartReading = {
  facts: CartFacts;
  organization: CartOrganization;
  texts: GuestTexts;
  images: ReadonlyMap<number, StoredMedia>;
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

/** `at` is in ms. The delivery is valid only for its organization. */
export type Asked = {
  at: number;
  stored: Pick<StoredCart, 'organizationId' | 'delivery'> | null;
};

export const toBuyer = (
  deps: { secrets: SecretBox; env: Pick<MirrorEnv, 'SYNC_TIME_ZONE'> },
  { customerId, verifiedPhone }: { customerId: string | null; verifiedPhone: string | null },
): Omit<Buyer, 'promocode'> => ({
  customerId,
  phoneDigests: verifiedPhone === null ? [] : phoneDigests(deps, verifiedPhone),
  timeZone: deps.env.SYNC_TIME_ZONE,
});

/**
 * Uses one statement, and another for uncached dishes (decision 56). Requires the transaction that
 * read the organization.
 */
export async function readCartFacts(
  tx: Sql,
  deps: { dishFacts: DishFacts },
  organization: OrganizationReading,
  { lines }: { lines: readonly { variantId: number }[] },
  { at, stored }: Asked,
): Promise<CartReading> {
  const { services, isServed, discounts, uses, customer, compositionRules } = organization;
  const delivery = stored?.organizationId === organization.id ? stored.delivery : null;
  const balance = balanceRule(organization.stops, delivery?.terminalGroupErpId ?? null);
  const state = { organizationId: organization.id, mark: organization.menuMark };
  const variantIds = [...new Set(lines.map((line) => line.variantId))];
  const variants: VariantFact[] =
    variantIds.length === 0
      ? []
      : await readVariants(tx, { organizationId: organization.id, ids: variantIds });

  const sizes = [
    ...new Map(
      [...variants, ...services.map(({ itemId, ...each }) => ({ ...each, itemErpId: itemId }))].map(
        (variant) => [variant.itemSizeId, variant],
      ),
    ).values(),
  ];

  const sizeIds = sizes.map((size) => size.itemSizeId);
  const menu = await deps.dishFacts.menu(tx, state, sizeIds);
  const offers = judgeSelling({
    isServed,
    isStopped: stoppedBy(balance),
    sizes,
    offers: [...menu.values()].flatMap((size) => size.offers),
  });

  const { behavior } = organization;
  const groupsOf = (itemSizeId: number): OfferedGroups =>
    offeredGroups(menu.get(itemSizeId)!.groups, { balance, behavior });

  const giftQuestion = { at, organizationErpId: organization.erpId, balance };
  const gifts = listGifts(organization.rights, giftQuestion);
  const roles = new Map(services.map((service) => [service.itemId, service.role]));

  return {
    organization,
    texts: guestTexts(organization.language),
    images: new Map(
      variants.flatMap(({ id, media }) => (media === null ? [] : [[id, media] as const])),
    ),
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
      variants: new Map(
        variants.map((variant) => [
          variant.id,
          offeredVariant(variant, { offers, groupsOf, roles }),
        ]),
      ),
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
      giftReplacements: await replacementsFor(tx, gifts, {
        ...giftQuestion,
        organizationId: organization.id,
      }),
    },
  };
}
