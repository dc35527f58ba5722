export type LostItem = {
  productId: number;
  sku: string | null;
  name: string | null;
  erpSizeId: string;
  productCategoryId: string | null;
  /** ERP ids. */
  menuCategoryIds: readonly string[];
  /** Start of the last import that contained the item, in ms. */
  lastSeenAt: number;
};

/** A size of a live dish without a variant. */
export type FreeSize = {
  erpItemId: string;
  erpItemSizeId: number;
  erpSizeId: string;
  sku: string | null;
  name: string;
  productCategoryId: string | null;
  menuCategoryIds: readonly string[];
  boundProductId: number | null;
  firstSeenAt: number;
};

export const MATCH_KINDS = ['SKU', 'NAME_AND_GROUP'] as const;

export type Candidate = Pick<
  FreeSize,
  'erpItemId' | 'erpItemSizeId' | 'sku' | 'name' | 'firstSeenAt'
> & {
  matchedBy: (typeof MATCH_KINDS)[number];
  /** From 0 to 1. */
  confidence: number;
};

export type StoredCandidate = Omit<Candidate, 'firstSeenAt'> & { firstSeenAt: string };

/** Price in kopecks. */
export type LastKnown = {
  erpItemId: string;
  sku: string | null;
  name: string | null;
  price: number | null;
  lastSeenAt: string | null;
};

/** Most certain first (BND-13). */
const MATCHES = [
  {
    matchedBy: 'SKU',
    confidence: 0.95,
    holds: (lost, size) => hasText(lost.sku) && lost.sku === size.sku,
  },
  {
    matchedBy: 'NAME_AND_GROUP',
    confidence: 0.8,
    holds: (lost, size) => lost.name === size.name && inSameGroup(lost, size),
  },
] as const satisfies readonly {
  matchedBy: Candidate['matchedBy'];
  confidence: number;
  holds: (lost: LostItem, size: FreeSize) => boolean;
}[];

const MOST_CANDIDATES = 10;

/**
 * Finds replacements, most likely and oldest first: unclaimed dishes first seen after the lost dish
 * was last seen. If a dish has the lost size, its other sizes are omitted.
 */
export function replacementSearch(sizes: readonly FreeSize[]): (lost: LostItem) => Candidate[] {
  const bySku = Map.groupBy(sizes, (size) => size.sku);
  const byName = Map.groupBy(sizes, (size) => size.name);

  return (lost) => {
    const near = [
      ...new Set([...(bySku.get(lost.sku) ?? []), ...(byName.get(lost.name ?? '') ?? [])]),
    ];
    const matches = near.flatMap((size) => {
      if (size.firstSeenAt <= lost.lastSeenAt || isClaimedByOther(lost, size)) return [];
      const match = MATCHES.find((entry) => entry.holds(lost, size));
      return match === undefined ? [] : [{ size, match }];
    });

    const ofSameSize = new Set(
      matches
        .filter(({ size }) => size.erpSizeId === lost.erpSizeId)
        .map(({ size }) => size.erpItemId),
    );

    return matches
      .filter(({ size }) => size.erpSizeId === lost.erpSizeId || !ofSameSize.has(size.erpItemId))
      .map(({ size, match }) => toCandidate(size, match))
      .toSorted(
        (a, b) =>
          b.confidence - a.confidence ||
          a.firstSeenAt - b.firstSeenAt ||
          a.erpItemSizeId - b.erpItemSizeId,
      )
      .slice(0, MOST_CANDIDATES);
  };
}

function toCandidate(
  size: FreeSize,
  { matchedBy, confidence }: (typeof MATCHES)[number],
): Candidate {
  const { erpItemId, erpItemSizeId, sku, name, firstSeenAt } = size;
  return { erpItemId, erpItemSizeId, sku, name, matchedBy, confidence, firstSeenAt };
}

/** Compares product categories, or else menu categories. */
export function inSameGroup(
  one: Pick<LostItem, 'productCategoryId' | 'menuCategoryIds'>,
  other: Pick<FreeSize, 'productCategoryId' | 'menuCategoryIds'>,
): boolean {
  if (one.productCategoryId !== null) return one.productCategoryId === other.productCategoryId;
  return one.menuCategoryIds.some((id) => other.menuCategoryIds.includes(id));
}

function isClaimedByOther(lost: LostItem, size: FreeSize): boolean {
  return size.boundProductId !== null && size.boundProductId !== lost.productId;
}

function hasText(text: string | null): boolean {
  return text !== null && text !== '';
}
