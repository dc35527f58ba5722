import type {
  Availability,
  Cart,
  Menu,
  MenuProduct,
  MenuVariant,
  StorefrontContext,
} from '../../client/src/storefront.ts';

/** The state of the page. Modules read it; only `main.ts` and `cart.ts` replace parts of it. */
export const store: {
  organizationId: string;
  context: StorefrontContext | null;
  menu: Menu | null;
  /** The products that cannot be sold now, whatever the menu shows. */
  stopped: { variants: ReadonlySet<number>; items: ReadonlySet<string> };
  cart: Cart | null;
} = { organizationId: '', context: null, menu: null, stopped: stoppedOf(null), cart: null };

export function stoppedOf(availability: Availability | null): (typeof store)['stopped'] {
  return {
    variants: new Set(availability?.unavailableVariantIds),
    items: new Set(availability?.unavailableItemIds),
  };
}

export const isSold = (variant: MenuVariant): boolean => !store.stopped.variants.has(variant.id);
export const canBeOrdered = (product: MenuProduct): boolean => product.variants.some(isSold);

export function productOf(variantId: number): { product: MenuProduct; variant: MenuVariant } | null {
  for (const product of store.menu?.products ?? [])
    for (const variant of product.variants) if (variant.id === variantId) return { product, variant };
  return null;
}

export const groupsOf = (variant: MenuVariant) =>
  variant.modifierGroupIds.flatMap((id) => store.menu?.modifierGroups.find((group) => group.id === id) ?? []);
