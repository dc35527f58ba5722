import { toBodies, isBody, type Body } from '../wire.ts';

/** A line. A compound consists of its primary component and all modifiers. */
export type OrderItem = {
  productId: unknown;
  price: unknown;
  sizeId: unknown;
  modifiers: Body[];
  isCompound: boolean;
};

export function orderItem(item: Body): OrderItem {
  const component = isBody(item['primaryComponent']) ? item['primaryComponent'] : null;
  const dish = component ?? item;

  return {
    productId: dish['productId'],
    price: dish['price'],
    sizeId: item['productSizeId'] ?? null,
    modifiers: [
      ...toBodies(dish['modifiers']),
      ...(component === null ? [] : toBodies(item['commonModifiers'])),
    ],
    isCompound: component !== null,
  };
}
