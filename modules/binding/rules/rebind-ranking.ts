import { inSameGroup, type FreeSize, type LostItem } from './replacement.ts';
import { comparable, readName } from '../../catalog/rules/size-marks.ts';

export const REBIND_MATCHES = ['SKU', 'NAME_AND_GROUP', 'SIMILAR_NAME'] as const;

export const REBIND_REASONS = [
  'SKU',
  'NAME',
  'GROUP',
  'SIZE',
  'PRICE',
  'FIRST_SEEN_LATER',
] as const;

/** The current or former item of a variant. Price in kopecks. */
export type BoundItem = LostItem & { price: number | null; isMissing: boolean };
/** A size of a live dish without a variant. Price in kopecks. */
export type RebindSize = FreeSize & { price: number | null };

export type RebindReason = {
  code: (typeof REBIND_REASONS)[number];
  holds: boolean;
  /** NAME: similarity from 0 to 1. PRICE: ratio of new to old. Otherwise null. */
  value: number | null;
};

export type RebindCandidate = Pick<
  FreeSize,
  'erpItemId' | 'erpItemSizeId' | 'sku' | 'name' | 'firstSeenAt'
> & {
  matchedBy: (typeof REBIND_MATCHES)[number];
  /** From 0 to 1. */
  confidence: number;
  reasons: RebindReason[];
};

/** Equal to the confidence in the replacement search (BND-13). */
const BY_SKU = 0.95;
const BY_NAME_AND_GROUP = 0.8;
/** A similar name ranks lower than an equal name. */
const BY_LIKENESS = 0.6;
const LEAST_LIKENESS = 0.5;
/** A dish that existed together with the lost dish is probably different. */
const BESIDE_THE_LOST = 0.6;
/** Added to a similar name for each of two facts: same size, similar price. */
const SUPPORT = 0.05;
const NEAR_PRICE = 0.2;

/**
 * Ranks free sizes, most likely first. Includes similar names in the group, because staff decide.
 * For a MISSING variant, dishes that existed together with the lost dish rank lower.
 */
export function rankRebinds(bound: BoundItem, sizes: readonly RebindSize[]): RebindCandidate[] {
  const likeness = likenessTo(bound.name ?? '');
  return sizes
    .filter((size) => size.boundProductId === null || size.boundProductId === bound.productId)
    .flatMap((size) => toCandidate(bound, size, likeness(size.name)) ?? [])
    .toSorted(
      (a, b) =>
        b.confidence - a.confidence ||
        a.firstSeenAt - b.firstSeenAt ||
        a.erpItemSizeId - b.erpItemSizeId,
    );
}

function toCandidate(bound: BoundItem, size: RebindSize, likeness: number): RebindCandidate | null {
  const isSameSku = bound.sku !== null && bound.sku !== '' && bound.sku === size.sku;
  const isSameGroup = inSameGroup(bound, size);
  const priceRatio =
    bound.price === null || bound.price === 0 || size.price === null
      ? null
      : size.price / bound.price;

  const isNearPrice = priceRatio !== null && Math.abs(priceRatio - 1) <= NEAR_PRICE;
  const isSameSize = size.erpSizeId === bound.erpSizeId;
  const isLater = size.firstSeenAt > bound.lastSeenAt;
  const matchedBy = classifyMatch(isSameSku, bound.name === size.name, isSameGroup, likeness);
  if (matchedBy === null) return null;
  const base =
    matchedBy === 'SKU'
      ? BY_SKU
      : matchedBy === 'NAME_AND_GROUP'
        ? BY_NAME_AND_GROUP
        : BY_LIKENESS * likeness + SUPPORT * (Number(isSameSize) + Number(isNearPrice));

  const confidence = base * (bound.isMissing && !isLater ? BESIDE_THE_LOST : 1);
  const { erpItemId, erpItemSizeId, sku, name, firstSeenAt } = size;

  return {
    erpItemId,
    erpItemSizeId,
    sku,
    name,
    firstSeenAt,
    matchedBy,
    confidence: rounded(confidence),
    reasons: [
      { code: 'SKU', holds: isSameSku, value: null },
      { code: 'NAME', holds: likeness >= LEAST_LIKENESS, value: rounded(likeness) },
      { code: 'GROUP', holds: isSameGroup, value: null },
      { code: 'SIZE', holds: isSameSize, value: null },
      {
        code: 'PRICE',
        holds: isNearPrice,
        value: priceRatio === null ? null : rounded(priceRatio),
      },
      ...(bound.isMissing
        ? ([{ code: 'FIRST_SEEN_LATER', holds: isLater, value: null }] as const)
        : []),
    ],
  };
}

function classifyMatch(
  isSameSku: boolean,
  isSameName: boolean,
  isSameGroup: boolean,
  likeness: number,
): RebindCandidate['matchedBy'] | null {
  if (isSameSku) return 'SKU';
  if (!isSameGroup) return null;
  if (isSameName) return 'NAME_AND_GROUP';
  return likeness >= LEAST_LIKENESS ? 'SIMILAR_NAME' : null;
}

/** Compares names without sizes. Returns 1 if equal, else the share of common letter triples. */
export function likenessTo(name: string): (other: string) => number {
  const own = splitTriples(name);
  return (other) => {
    const theirs = splitTriples(other);
    const shared = [...own].filter((text) => theirs.has(text)).length;
    return own.size + theirs.size === 0 ? 0 : (2 * shared) / (own.size + theirs.size);
  };
}

function splitTriples(name: string): Set<string> {
  const text = comparable(readName(name).base);
  if (text === '') return new Set();
  const padded = `  ${text} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
