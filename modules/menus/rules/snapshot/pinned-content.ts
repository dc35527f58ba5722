import type { OfferFact } from '../offers/facts.ts';
import type { MenuFacts, VariantFact } from './facts.ts';
import type { MenuContent } from './menu-parts.ts';

/** Current fields of a variant; the others are storefront content. */
export type LiveVariant = Omit<VariantFact, keyof StorefrontVariant | 'isRemoved'> & {
  id: number;
  itemSizeId: number;
};

type StorefrontVariant = Pick<VariantFact, 'productId' | 'position' | 'isDefault' | 'option'>;

type KeptVariant = StorefrontVariant & {
  id: number;
  itemSizeId: number;
  /** Null if guests did not see the variant. */
  lastPriceKopecks: number | null;
};

type Content = Pick<
  MenuFacts,
  | 'categories'
  | 'products'
  | 'placements'
  | 'badges'
  | 'gallery'
  | 'groupProfiles'
  | 'modifierProfiles'
>;

/** Storefront content of a revision. Last prices apply to sizes without a current price. */
export type PinnedContent = Content & { variants: readonly KeptVariant[] };

export function shownMediaIds(content: Omit<PinnedContent, 'variants'>): number[] {
  const { products, gallery, categories, modifierProfiles } = content;
  const ids = [
    ...products.flatMap((product) => [product.mainImageId, product.hoverImageId]),
    ...gallery.map((fact) => fact.mediaId),
    ...categories.map((category) => category.imageId),
    ...modifierProfiles.map((profile) => profile.imageId),
  ];

  return [...new Set(ids.filter((id) => id !== null))];
}

export function pickPinnedContent(facts: MenuFacts, content: MenuContent): PinnedContent {
  const { categories, products, placements, badges, gallery, groupProfiles, modifierProfiles } =
    facts;
  const prices = new Map(
    content.products.flatMap((product) => product.variants).map((entry) => [entry.id, entry.price]),
  );

  return {
    categories,
    products,
    placements,
    badges,
    gallery,
    groupProfiles,
    modifierProfiles,
    variants: facts.variants.map(({ id, productId, itemSizeId, position, isDefault, option }) => ({
      id,
      productId,
      itemSizeId,
      position,
      isDefault,
      option,
      lastPriceKopecks: prices.get(id) ?? null,
    })),
  };
}

/**
 * Adds current facts to pinned variants. A deleted variant keeps its size and cannot be sold.
 * `live` contains an entry for each variant.
 */
export function restoreVariants(
  pinnedVariants: readonly KeptVariant[],
  live: readonly (LiveVariant & { isRemoved: boolean })[],
): VariantFact[] {
  const known = new Map(live.map((entry) => [entry.id, entry]));
  return pinnedVariants.flatMap(({ lastPriceKopecks: _price, ...variant }) => {
    const now = known.get(variant.id);
    return now === undefined ? [] : [{ ...variant, ...now }];
  });
}

/** Sizes without a price get the last one as an unsellable offer (SNP-4). */
export function withLastPrices(
  offers: readonly OfferFact[],
  variants: readonly VariantFact[],
  pinnedVariants: readonly KeptVariant[],
): OfferFact[] {
  const priced = new Set(offers.map((offer) => offer.itemSizeId));
  const lastPrices = new Map(
    pinnedVariants.map((variant) => [variant.id, variant.lastPriceKopecks]),
  );

  return [
    ...offers,
    ...variants.flatMap(({ id, itemSizeId }): OfferFact[] => {
      const priceKopecks = lastPrices.get(id) ?? null;
      if (priceKopecks === null || priced.has(itemSizeId)) return [];

      return [
        {
          itemSizeId,
          externalMenuId: 0,
          menuRank: Number.MAX_SAFE_INTEGER,
          priceKopecks,
          isLive: false,
          isHidden: false,
        },
      ];
    }),
  ];
}
