import { bodiesOf, isBody, type Body } from '../wire.ts';

/** A compound is its primary component with all modifiers. */
export type OrderItem = {
  productId: unknown;
  price: unknown;
  sizeId: unknown;
  modifiers: Body[];
  isCompound: boolean;
};

/** Reads a line of type Product or Compound. */
export function orderItem(item: Body): OrderItem {
  const component = isBody(item['primaryComponent']) ? item['primaryComponent'] : null;
  const dish = component ?? item;
  return {
    productId: dish['productId'],
    price: dish['price'],
    sizeId: item['productSizeId'] ?? null,
    modifiers: [
      ...bodiesOf(dish['modifiers']),
      ...(component === null ? [] : bodiesOf(item['commonModifiers'])),
    ],
    isCompound: component !== null,
  };
}
