import { isBody, toBodies } from '../wire.ts';
import type { Body } from '../wire.ts';
import { orderItem } from './order-items.ts';

const toKopecks = (rubles: number): number => Math.round(rubles * 100);

/**
 * Returns the total in rubles: dishes and modifiers, each rounded to kopecks, minus discounts. A
 * modifier without a price has the restaurant's.
 */
export function computeSum(order: Body, modifierPrice: (productId: string) => number): number {
  const items = toBodies(order['items']).flatMap((item) => {
    const amount = Number(item['amount']);
    const { price: dishPrice, modifiers: chosen } = orderItem(item);
    const modifiers = chosen.map((modifier) => {
      const price = Number(modifier['price'] ?? modifierPrice(String(modifier['productId'])));
      return amount * Number(modifier['amount']) * price;
    });

    return [amount * Number(dishPrice ?? 0), ...modifiers];
  });

  const info = isBody(order['discountsInfo']) ? order['discountsInfo'] : ({} as Body);
  const discounts = toBodies(info['discounts']).map(({ sum }) => -Number(sum ?? 0));

  return [...items, ...discounts].reduce((sum, item) => sum + toKopecks(item), 0) / 100;
}
