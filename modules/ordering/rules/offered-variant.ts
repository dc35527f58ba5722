import type { StoredMedia } from '../../media/rules/image-reference.ts';
import type { Offer } from '../../menus/rules/offers/judge-selling.ts';
import type { OfferedVariant } from './cart-facts.ts';
import type { Unavailable } from './modifier-choice.ts';
import type { OfferedGroups } from './offered-groups.ts';
import { isOrderable } from './service-items.ts';

/** `isShown` is false if staff hide the product here. */
export type VariantFact = {
  id: number;
  productId: number;
  itemSizeId: number;
  itemErpId: string;
  sizeErpId: string;
  name: string;
  variantName: string | null;
  media: StoredMedia | null;
  isShown: boolean;
  personCount: number;
  personSplittingEnabled: boolean;
  toolCount: number;
  sugarCount: number;
};

export const isFree = (offer: Offer | undefined): boolean =>
  offer?.isAvailable === true && offer.priceKopecks === 0;

/** Converts a variant to what guests can order. Keys of `roles` are ERP ids. */
export function offeredVariant(
  row: VariantFact,
  {
    offers,
    groupsOf,
    roles,
  }: {
    offers: ReadonlyMap<number, Offer>;
    groupsOf: (itemSizeId: number) => OfferedGroups;
    roles: ReadonlyMap<string, string>;
  },
): OfferedVariant {
  const { id, productId, itemErpId, name, variantName, itemSizeId } = row;
  const offer = offers.get(itemSizeId);
  const role = roles.get(itemErpId) ?? null;
  const { groups, isFilled } = groupsOf(itemSizeId);

  return {
    variantId: id,
    productId,
    itemId: itemErpId,
    erpSizeId: row.sizeErpId === '' ? null : row.sizeErpId,
    name,
    variantName,
    unavailable: row.isShown && isOrderable(role) ? unavailableBy(offer, isFilled) : 'NOT_IN_MENU',
    priceKopecks: offer?.priceKopecks ?? 0,
    hours: offer?.hours ?? null,
    groups,
    role,
    personCount: row.personCount,
    personSplittingEnabled: row.personSplittingEnabled,
    toolCount: row.toolCount,
    sugarCount: row.sugarCount,
  };
}

function unavailableBy(offer: Offer | undefined, isFilled: boolean): Unavailable | null {
  if (offer?.isAvailable === true) return isFilled ? null : 'STOP_LIST';
  return offer?.reason === 'NOT_STOPPED' ? 'STOP_LIST' : 'NOT_IN_MENU';
}
