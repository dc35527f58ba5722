import type { StoredMedia } from '../../media/rules/image-reference.ts';
import type { Offer } from '../../menus/rules/offers/judge-selling.ts';
import { canBeFilled } from '../../menus/rules/offers/required-groups.ts';
import { stoppedBy, type Balance } from '../../menus/rules/offers/stops.ts';
import {
  groupReader,
  type BuiltGroup,
  type GroupFacts,
} from '../../menus/rules/snapshot/modifier-groups.ts';
import type { OfferedVariant } from './cart-facts.ts';
import type { OfferedGroup, Unavailable } from './modifier-choice.ts';
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

/** `isFilled`: the stock suffices for the required groups. */
type OfferedGroups = { groups: OfferedGroup[]; isFilled: boolean };

/**
 * Returns a function that reads the groups of a size with their menu ids. `behavior` applies to
 * stopped modifiers.
 */
export function offeredGroups(
  facts: GroupFacts,
  {
    sha256,
    offers,
    balance,
    behavior,
  }: {
    sha256: (text: string) => string;
    offers: ReadonlyMap<number, Offer>;
    balance: Balance;
    behavior: 'SHOW' | 'HIDE';
  },
): (itemSizeId: number) => OfferedGroups {
  const isStopped = stoppedBy(balance);
  const never = () => false;
  const all = groupReader(facts, sha256, never, () => null);
  // Group ids differ if stopped modifiers are omitted.
  const shown = behavior === 'SHOW' ? all : groupReader(facts, sha256, isOut, () => null);

  function isOut([item, size, isSellable]: BuiltGroup['slots'][number]): boolean {
    return !isSellable || isStopped(item, size);
  }

  const toOfferedGroup = (built: BuiltGroup, id: string): OfferedGroup => ({
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
        sizeErpId: size,
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
    if (externalMenuId == null) return { groups: [], isFilled: true };
    const ids = new Map(
      shown({ externalMenuId, itemSizeId }).groups.map((group) => [group.groupKey, group.group.id]),
    );
    const { groups, required } = all({ externalMenuId, itemSizeId });

    return {
      groups: groups.map((built) =>
        toOfferedGroup(built, ids.get(built.groupKey) ?? built.group.id),
      ),
      isFilled: canBeFilled(required, balance),
    };
  };
}
