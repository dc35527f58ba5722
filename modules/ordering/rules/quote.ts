import type { EvaluatedCart, EvaluatedDiscount } from './cart-facts.ts';
import type { GateFacts } from './gate-facts.ts';
import type { Totals } from './totals.ts';

/** Identified by reward, dish and size (rule CMP-98). */
type QuotedGift = { quantity: number; rewardCode: string; itemId: string; sizeId: string | null };

/** Choices and prices that determine the totals. Kopecks per unit. */
export type QuotedTerms = {
  organizationId: string;
  type: string;
  slotId: string;
  addressId: string | null;
  promocode: string | null;
  options: { leaveAtDoor: boolean; cutlery: number; sugar: number };
  /** Gifts by right. Missing if there are no gifts. */
  gifts?: Readonly<Record<string, QuotedGift>>;
  lines: Readonly<
    Record<
      string,
      {
        variantId: number;
        quantity: number;
        unitPrice: number;
        modifiers: Readonly<Record<string, number>>;
      }
    >
  >;
};

export type QuotedSums = Totals & { discounts: readonly EvaluatedDiscount[] };

export function toQuotedTerms(
  { lines, gifts }: Pick<EvaluatedCart, 'lines' | 'gifts'>,
  cart: { promocode: string | null; options: { cutlery: number; sugar: number } },
  { wanted, organization }: { wanted: GateFacts['wanted']; organization: { id: string } },
): QuotedTerms {
  return {
    organizationId: organization.id,
    type: wanted.type,
    slotId: wanted.slotId,
    addressId: wanted.addressId,
    promocode: cart.promocode,
    options: {
      leaveAtDoor: wanted.leaveAtDoor,
      cutlery: cart.options.cutlery,
      sugar: cart.options.sugar,
    },
    ...(gifts.included.length === 0
      ? {}
      : {
          gifts: Object.fromEntries(
            gifts.included.map(({ id, quantity, rewardCode, itemId, erpSizeId }) => [
              id,
              { quantity, rewardCode, itemId, sizeId: erpSizeId },
            ]),
          ),
        }),
    lines: Object.fromEntries(
      lines.map(({ lineId, variantId, quantity, unitPriceKopecks, modifiers }) => [
        lineId,
        {
          variantId,
          quantity,
          unitPrice: unitPriceKopecks,
          modifiers: Object.fromEntries(
            modifiers.map((modifier) => [
              `${modifier.groupKey}/${modifier.modifierId}`,
              modifier.quantity,
            ]),
          ),
        },
      ]),
    ),
  };
}

export const pickSums = ({
  subtotalKopecks,
  discountKopecks,
  deliveryFeeKopecks,
  totalKopecks,
  discounts,
}: EvaluatedCart): QuotedSums => ({
  subtotalKopecks,
  discountKopecks,
  deliveryFeeKopecks,
  totalKopecks,
  discounts,
});

/** In kopecks. Null for a missing value. */
export type QuoteDifference = {
  field: string;
  quoted: string | number | boolean | null;
  now: string | number | boolean | null;
};

export const isAmount = (field: string): boolean => /^total\.|\.unitPrice$/.test(field);

/** Compares a quote with the current terms and totals (rule ORD-37). */
export function findDifferences(
  quoted: { terms: QuotedTerms; sums: QuotedSums },
  now: { terms: QuotedTerms; sums: QuotedSums },
): QuoteDifference[] {
  const [before, after] = [flattenFields(quoted), flattenFields(now)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => (before.get(field) ?? null) !== (after.get(field) ?? null))
    .map((field) => ({ field, quoted: before.get(field) ?? null, now: after.get(field) ?? null }));
}

type Value = QuoteDifference['now'] | undefined;

function flattenFields({
  terms,
  sums,
}: {
  terms: QuotedTerms;
  sums: QuotedSums;
}): Map<string, Value> {
  const { subtotalKopecks, discountKopecks, deliveryFeeKopecks, totalKopecks } = sums;
  const total = {
    items: subtotalKopecks,
    discount: discountKopecks,
    delivery: deliveryFeeKopecks,
    toPay: totalKopecks,
  };

  return new Map(leaves({ ...terms, total }, ''));
}

function leaves(value: unknown, path: string): [string, Value][] {
  if (typeof value !== 'object' || value === null) return [[path, value as Value]];
  return Object.entries(value).flatMap(([name, each]) =>
    leaves(each, path === '' ? name : `${path}.${name}`),
  );
}
