/** The totals of a cart, in kopecks. */
export type Totals = {
  subtotalKopecks: number;
  discountKopecks: number;
  deliveryFeeKopecks: number;
  totalKopecks: number;
};

/**
 * Adds up a cart: its lines, less its discounts, and the delivery fee (rule ORD-9). Throws when a
 * part is no whole number of kopecks or negative, or when the discounts take off more than the
 * lines cost: that is a fault of the rules and must not reach a guest.
 */
export function totalsOf(lines: readonly number[], discounts: readonly number[], deliveryFeeKopecks: number): Totals {
  const parts = [...lines, ...discounts, deliveryFeeKopecks];
  if (!parts.every((part) => Number.isSafeInteger(part) && part >= 0))
    throw new Error('A part of a total is not a whole number of kopecks');
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const [subtotalKopecks, discountKopecks] = [sum(lines), sum(discounts)];
  if (discountKopecks > subtotalKopecks) throw new Error('Discounts take off more than the cart costs');
  const totalKopecks = subtotalKopecks - discountKopecks + deliveryFeeKopecks;
  return { subtotalKopecks, discountKopecks, deliveryFeeKopecks, totalKopecks };
}
