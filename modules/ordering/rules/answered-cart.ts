import type { CartContent, EvaluatedCart, ServerChange } from './cart-facts.ts';

type VersionedCart = Pick<CartContent, 'lines'> & {
  changes: readonly (ServerChange & { version: number })[];
  answered: string;
  updatedAt: Date;
  version: number;
};

/**
 * Returns the cart to store. Its version rises if the guest has sent it or would pay for something
 * else (rules ORD-11, ORD-14).
 */
export function evaluatedCart<Cart extends VersionedCart>(
  cart: Cart,
  evaluated: EvaluatedCart,
  { now, isPosted, changes }: { now: Date; isPosted: boolean; changes: readonly ServerChange[] },
): Cart {
  const answered = serializeContent(evaluated);
  if (!isPosted && changes.length === 0 && answered === cart.answered) return cart;
  const version = cart.version + 1;
  const ofServices: ServerChange[] =
    !isPosted && hasOtherServices(cart.answered, evaluated)
      ? [{ action: 'SERVICE_ITEMS_CHANGED' }]
      : [];

  return {
    ...cart,
    lines: evaluated.lines,
    changes: [
      ...cart.changes.filter(
        ({ action }) => !ofServices.some((change) => change.action === action),
      ),
      ...[...changes, ...evaluated.changes, ...ofServices].map((change) => ({
        ...change,
        version,
      })),
    ],
    answered,
    updatedAt: now,
    version,
  };
}

/** Returns the paid content. If it changes, the version rises. */
function serializeContent({
  lines,
  discounts,
  serviceItems,
  gifts,
  totalKopecks,
}: EvaluatedCart): string {
  return JSON.stringify([
    lines.map(({ lineId, variantId, quantity, unitPriceKopecks, modifiers }) => [
      lineId,
      variantId,
      quantity,
      unitPriceKopecks,
      modifiers.map((modifier) => [modifier.groupKey, modifier.modifierId, modifier.quantity]),
    ]),
    discounts.map(({ code, amountKopecks }) => [code, amountKopecks]),
    serviceItems.map(({ role, quantity }) => [role, quantity]),
    totalKopecks,
    ...gifts.included.map(({ id, quantity, rewardCode, itemId, erpSizeId }) => [
      id,
      quantity,
      rewardCode,
      itemId,
      erpSizeId,
    ]),
  ]);
}

export function answeredGifts(answered: string): string[] {
  const [, , , , ...gifts] = JSON.parse(answered) as [
    unknown,
    unknown,
    unknown,
    unknown,
    ...[id: string][],
  ];

  return gifts.map(([id]) => id);
}

/** True if the visible service items differ from the last response. */
export function hasOtherServices(answered: string, { serviceItems }: EvaluatedCart): boolean {
  const [, , last] = JSON.parse(answered) as [unknown, unknown, [string, number][]];
  const now = serviceItems.map(({ role, quantity }) => [role, quantity] as [string, number]);
  const seen = (services: readonly [string, number][]) =>
    JSON.stringify(services.filter(([role]) => role !== 'LEAVE_AT_DOOR'));
  return seen(now) !== seen(last);
}
