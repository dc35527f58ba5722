/** In kopecks. */
export type Totals = {
  subtotalKopecks: number;
  discountKopecks: number;
  deliveryFeeKopecks: number;
  totalKopecks: number;
};

/**
 * Adds up a cart (rule ORD-9). Throws for negative or fractional amounts and excessive discounts,
 * so that errors do not reach a guest.
 */
export function computeTotals(
  lines: readonly number[],
  discounts: readonly number[],
  deliveryFeeKopecks: number,
): Totals {
  const parts = [...lines, ...discounts, deliveryFeeKopecks];
  if (!parts.every((part) => Number.isSafeInteger(part) && part >= 0))
    throw new Error('A part of a total is not a whole number of kopecks');
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const [subtotalKopecks, discountKopecks] = [sum(lines), sum(discounts)];
  if (discountKopecks > subtotalKopecks)
    throw new Error('Discounts take off more than the cart costs');
  const totalKopecks = subtotalKopecks - discountKopecks + deliveryFeeKopecks;

  return { subtotalKopecks, discountKopecks, deliveryFeeKopecks, totalKopecks };
}
